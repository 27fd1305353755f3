import CX11

/// Auto-repeat, which is off for our keys while we type.
///
/// The server repeats a key that stays down on the XTEST keyboard like any other one: by default after 660 ms, with
/// `xset r rate 200` after 200. Press and release are sent together, but a server that stands still between the two (a
/// busy machine, a laptop put to sleep) finds the time passed when it goes on, before it reads the release: the
/// application gets the letter twice (15 of 60 times, when Xvfb was stopped for 0.9 s in the middle of 3,000 keys). And the last key of a typist that was killed may stay down until the next one
/// comes.
///
/// Each keyboard has this control for itself, and the keyboard that applications see takes it over from the one behind
/// it that was used last. So it is turned off on both, while the user's keyboards are grabbed: then they are not behind
/// it, and stay as they are. No client is told of a new keyboard map.
extension TypingKeyboard {
    /// What asks for ``repeats(on:)``.
    func repeatQuestion(_ device: Int32) -> Question { .keyboardControls(device, extension: opcode) }

    /// Whether keys that are held on a keyboard repeat.
    func repeats(on device: Int32) -> Bool {
        connection.answer(repeatQuestion(device)) { reply in
            // xkbGetControlsReply.
            reply.load(fromByteOffset: 56, as: UInt32.self) & UInt32(XkbRepeatKeysMask) != 0
        } ?? false
    }

    /// - Parameter device: nil for the keyboard that applications see, and all that are behind it at this moment.
    func setRepeat(_ isOn: Bool, of device: Int32? = nil) {
        // xkbSetControlsReq: the keyboard; none of what lies before the controls that are switched; which are affected,
        // what they become, and that nothing else of them changes.
        var request: [UInt8] = [opcode, 7, 0, 0]
        request += Inquiries.bytes(UInt16(truncatingIfNeeded: device ?? Int32(XkbUseCoreKbd)))
        request += [UInt8](repeating: 0, count: 18)
        let mask = UInt32(XkbRepeatKeysMask)
        for word in [mask, isOn ? mask : 0, UInt32(XkbControlsEnabledMask)] {
            request += Inquiries.bytes(word)
        }
        request += [UInt8](repeating: 0, count: 64)
        connection.inquiries.tell(request)
    }

    /// Turns it on again after a typist that was killed.
    ///
    /// - Parameter keyboards: the user's, which are plugged in and keep what each of them has.
    func repeatAgain(besides keyboards: [Int32]) {
        let others = keyboards.filter { !repeats(on: $0) }
        setRepeat(true)
        for device in others { setRepeat(false, of: device) }
    }
}
