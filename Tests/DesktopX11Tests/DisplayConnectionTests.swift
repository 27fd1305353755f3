import CX11
import DictationSystem
import Testing

@testable import DesktopX11

@Suite("A connection to the display", .timeLimit(.minutes(1)))
struct DisplayConnectionTests {
    @Test("an event that came along with the answer to a question ends the wait for it at once")
    func eventsBesideAnswers() throws {
        let display = try TestDisplay(withWindowManager: false)
        let listening = try DisplayConnection(name: display.name)
        let telling = try DisplayConnection(name: display.name)
        let window = listening.makeHiddenWindow()
        XSelectInput(listening.display, window, PropertyChangeMask)
        listening.sync()
        telling.setProperty("_NEWS", of: window, words: [1])
        telling.sync()
        listening.sync()
        #expect(try waitUntilReadable([listening.descriptor], timeout: 0).isEmpty)
        let wakeUp = try WakeUp()
        #expect(try listening.waitForInput(until: .now + .seconds(3600)))
        #expect(try listening.waitForInput(or: wakeUp))
        while listening.nextEvent() != nil {}
        #expect(try !listening.waitForInput(or: wakeUp, until: .now + .milliseconds(1)))
        wakeUp.signal()
        #expect(try listening.waitForInput(or: wakeUp))
        #expect(wakeUp.isRinging)
    }
}
