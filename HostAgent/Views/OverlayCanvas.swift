import CPango
import Desktop
import Foundation

/// The shapes of the overlay, in its own units.
struct OverlayCanvas {
    let context: OpaquePointer
    let palette: OverlayPalette

    /// Where the round mark at the left has its middle, and how large it is.
    private static let mark = (x: 38.0, y: 32.0, radius: 16.0)
    /// How far the ring reaches beyond it.
    static let ring = 8.0

    /// All that ``microphone(pulse:)`` draws into, in pixels.
    static func microphoneArea(scale: Double) -> ScreenArea {
        let reach = mark.radius + ring
        let side = { (middle: Double) in
            (Int(((middle - reach) * scale).rounded(.down)), Int(((middle + reach) * scale).rounded(.up)))
        }
        let ((left, right), (top, bottom)) = (side(mark.x), side(mark.y))
        return ScreenArea(x: left, y: top, width: right - left, height: bottom - top)
    }

    private func use(_ color: OverlayColor, alpha: Double = 1) {
        cairo_set_source_rgba(context, color.red, color.green, color.blue, alpha)
    }

    func fill(_ color: OverlayColor) {
        use(color)
        cairo_paint(context)
    }

    /// - Parameter areas: in pixels.
    func fill(_ areas: [ScreenArea], with color: OverlayColor) {
        cairo_save(context)
        cairo_identity_matrix(context)
        use(color)
        for area in areas {
            cairo_rectangle(
                context, Double(area.x), Double(area.y), Double(area.width), Double(area.height))
        }
        cairo_fill(context)
        cairo_restore(context)
    }

    /// A line around it all.
    func frame(width: Double, height: Double) {
        use(palette.border)
        cairo_set_line_width(context, 2)
        roundedRectangle(x: 1, y: 1, width: width - 2, height: height - 2, radius: 13)
        cairo_stroke(context)
    }

    private func roundedRectangle(x: Double, y: Double, width: Double, height: Double, radius: Double) {
        cairo_new_sub_path(context)
        cairo_arc(context, x + width - radius, y + radius, radius, -.pi / 2, 0)
        cairo_arc(context, x + width - radius, y + height - radius, radius, 0, .pi / 2)
        cairo_arc(context, x + radius, y + height - radius, radius, .pi / 2, .pi)
        cairo_arc(context, x + radius, y + radius, radius, .pi, .pi * 1.5)
        cairo_close_path(context)
    }

    private func disc(radius: Double) {
        cairo_new_path(context)
        cairo_arc(context, Self.mark.x, Self.mark.y, radius, 0, 2 * .pi)
        cairo_fill(context)
    }

    /// A sign on a disc.
    func badge(_ sign: String, color: OverlayColor, size: Double = 18) {
        use(color)
        disc(radius: Self.mark.radius)
        let radius = Self.mark.radius
        text(
            sign, x: Self.mark.x - radius, y: Self.mark.y - size * 0.72, width: 2 * radius, size: size,
            color: OverlayColor(0xFFFFFF), isBold: true, isCentered: true)
    }

    /// A microphone on a disc, with a ring around it.
    ///
    /// - Parameter pulse: from 0, no ring, to 1.
    func microphone(pulse: Double) {
        use(palette.alarm, alpha: 0.35)
        if pulse > 0 { disc(radius: Self.mark.radius + Self.ring * pulse) }
        use(palette.alarm)
        disc(radius: Self.mark.radius)
        use(OverlayColor(0xFFFFFF))
        let (x, y) = (Self.mark.x, Self.mark.y)
        roundedRectangle(x: x - 3.5, y: y - 9, width: 7, height: 11.5, radius: 3.5)
        cairo_fill(context)
        cairo_set_line_width(context, 1.6)
        cairo_new_path(context)
        cairo_arc(context, x, y - 1, 6.5, 0, .pi)
        cairo_move_to(context, x, y + 5.5)
        cairo_line_to(context, x, y + 9)
        cairo_stroke(context)
    }

    /// Text that is cut if there is no more room: at its end, or, if the last words matter, at its beginning.
    ///
    /// - Parameter beginning: another color for all except this many bytes at the end.
    /// - Returns: its height.
    @discardableResult
    func text(
        _ text: String, x: Double, y: Double, width: Double, size: Double, color: OverlayColor,
        lines: Int = 1,
        keepsEnd: Bool = false, isBold: Bool = false, isCentered: Bool = false, isAtEnd: Bool = false,
        beginning: (rest: Int, color: OverlayColor)? = nil
    ) -> Double {
        guard !text.isEmpty, let layout = layout(width: width, size: size, isBold: isBold) else { return 0 }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        pango_layout_set_alignment(
            layout, isCentered ? PANGO_ALIGN_CENTER : isAtEnd ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT)
        if keepsEnd {
            fit(text, in: layout, lines: lines)
        } else {
            pango_layout_set_height(layout, Int32(-lines))
            pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
            pango_layout_set_text(layout, text, -1)
        }
        if let beginning { tint(layout, butLast: beginning.rest, beginning.color) }
        use(color)
        cairo_move_to(context, x, y)
        pango_cairo_show_layout(context, layout)
        return Self.height(of: layout)
    }

    private func tint(_ layout: OpaquePointer, butLast rest: Int, _ color: OverlayColor) {
        guard let shown = pango_layout_get_text(layout), let attributes = pango_attr_list_new() else {
            return
        }
        defer { pango_attr_list_unref(attributes) }
        func part(_ value: Double) -> UInt16 { UInt16((min(max(value, 0), 1) * 65_535).rounded()) }
        guard
            let attribute = pango_attr_foreground_new(part(color.red), part(color.green), part(color.blue))
        else { return }
        attribute.pointee.start_index = 0
        attribute.pointee.end_index = UInt32(max(0, strlen(shown) - rest))
        // The list owns it from here on.
        pango_attr_list_insert(attributes, attribute)
        pango_layout_set_attributes(layout, attributes)
    }

    /// How high a text is that is not cut, on as many lines as it takes.
    func height(of text: String, width: Double, size: Double, isBold: Bool = false) -> Double {
        guard !text.isEmpty, let layout = layout(width: width, size: size, isBold: isBold) else { return 0 }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        pango_layout_set_text(layout, text, -1)
        return Self.height(of: layout)
    }

    /// Belongs to the caller.
    private func layout(width: Double, size: Double, isBold: Bool) -> OpaquePointer? {
        guard let layout = pango_cairo_create_layout(context) else { return nil }
        let font = pango_font_description_from_string(isBold ? "Sans Semi-Bold" : "Sans")
        pango_font_description_set_absolute_size(font, size * 4 / 3 * Double(PANGO_SCALE) * 0.8)
        pango_layout_set_font_description(layout, font)
        pango_font_description_free(font)
        pango_layout_set_width(layout, Int32(width * Double(PANGO_SCALE)))
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        return layout
    }

    private static func height(of layout: OpaquePointer) -> Double {
        var (width, height) = (Int32(0), Int32(0))
        pango_layout_get_size(layout, &width, &height)
        return Double(height) / Double(PANGO_SCALE)
    }

    /// No line has room for more characters, and no word is treated as longer.
    private static let (longestLine, longestWord) = (200, 24)

    /// As much of the end as fits, from the beginning of a word: Pango itself cuts the beginning of single
    /// lines only.
    private func fit(_ text: String, in layout: OpaquePointer, lines: Int) {
        // The words of an hour would be laid out again with each new one.
        let end = text.suffix(lines * Self.longestLine)
        if end.startIndex == text.startIndex {
            pango_layout_set_text(layout, text, -1)
            if pango_layout_get_line_count(layout) <= lines { return }
        }
        let characters = Array(end.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        func isWord(_ start: Int) -> Bool { start == 0 || characters[start - 1] == " " }
        func set(from start: Int) {
            // Half a word is joined to the ellipsis, which would have a line for itself.
            let ellipsis = isWord(start) ? "… " : "…\u{2060}"
            pango_layout_set_text(layout, ellipsis + String(characters[start...]), -1)
        }
        // The fewest characters to remove.
        var range = 0...characters.count
        while range.lowerBound < range.upperBound {
            let middle = (range.lowerBound + range.upperBound) / 2
            set(from: middle)
            range =
                pango_layout_get_line_count(layout) > lines
                ? middle + 1...range.upperBound : range.lowerBound...middle
        }
        // The next beginning of a word. Languages without spaces have none, and then any character is one.
        let half = characters[range.lowerBound...].prefix(Self.longestWord)
        let next = half.firstIndex(of: " ").map { $0 + 1 }
        set(from: isWord(range.lowerBound) ? range.lowerBound : next ?? range.lowerBound)
    }
}
