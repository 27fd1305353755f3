import DictationSystem
import Testing

@Suite("Windows")
struct WindowInfoTests {
    @Test(
        "a window is known by its number and its process; a process that is not known may be any",
        arguments: [
            (1, 7, true), (1, nil, true), (1, 8, false), (2, 7, false), (2, nil, false),
        ] as [(UInt64, Int32?, Bool)])
    func same(id: UInt64, pid: Int32?, isSame: Bool) {
        let window = WindowInfo(id: 1, windowClass: "Gedit", title: "notes", pid: 7)
        let other = WindowInfo(id: id, windowClass: "Gedit", title: "notes, changed", pid: pid)
        #expect(window.isSameWindow(as: other) == isSame)
        #expect(other.isSameWindow(as: window) == isSame)
        #expect(!window.isSameWindow(as: nil))
    }
}
