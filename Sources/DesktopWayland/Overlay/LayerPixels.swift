import CWayland
import Desktop
import DictationSystem
import Glibc

/// The memory that a layer surface is drawn in and that the compositor reads: two pictures, as it may still read the one
/// when the next is drawn. For one thread.
final class LayerPixels {
    /// One picture.
    private final class Buffer {
        let buffer: OpaquePointer
        let pixels: UnsafeMutablePointer<UInt32>
        /// The compositor reads it.
        var isBusy = false
        /// Where it lacks what was drawn into the other one since.
        var outdated: [ScreenArea] = []

        init(_ buffer: OpaquePointer, _ pixels: UnsafeMutablePointer<UInt32>) {
            self.buffer = buffer
            self.pixels = pixels
        }

        deinit { wl_buffer_destroy(buffer) }
    }

    private static let events = CListener(
        wl_buffer_listener(release: { data, _ in
            guard let data else { return }
            Unmanaged<Buffer>.fromOpaque(data).takeUnretainedValue().isBusy = false
        }))
    /// More areas than that cost more than all of it.
    private static let mostAreas = 64

    let sheet: OverlaySheet
    private let corners: RoundedCorners
    private let memory: UnsafeMutableRawPointer
    private let length: Int
    private let buffers: [Buffer]
    /// The shown buffer, and the drawn one.
    private var front: Buffer?
    private var back: Buffer?
    /// Where the one that is drawn differs from the one that is shown.
    private var changes: [ScreenArea] = []

    /// - Throws: ``SystemError``, ``WaylandError/lost``
    init(_ sheet: OverlaySheet, _ sharedMemory: OpaquePointer) throws {
        self.sheet = sheet
        corners = RoundedCorners(
            radius: OverlayPlace.pixels(OverlayPlace.cornerRadius, scale: sheet.scale),
            width: sheet.width, height: sheet.height)
        let stride = sheet.width * 4
        let size = stride * sheet.height
        length = 2 * size
        let file = try Descriptor.memoryFile(size: length)
        guard let memory = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, file.raw, 0),
            memory != MAP_FAILED
        else { throw SystemError("map memory for the overlay", code: errno) }
        self.memory = memory
        guard let pool = wl_shm_create_pool(sharedMemory, file.raw, Int32(length)) else {
            munmap(memory, length)
            throw WaylandError.lost
        }
        defer { wl_shm_pool_destroy(pool) }
        buffers = [0, size].compactMap { offset in
            wl_shm_pool_create_buffer(
                pool, Int32(offset), Int32(sheet.width), Int32(sheet.height), Int32(stride),
                WL_SHM_FORMAT_ARGB8888.rawValue
            ).map { Buffer($0, (memory + offset).assumingMemoryBound(to: UInt32.self)) }
        }
        for buffer in buffers {
            wl_buffer_add_listener(
                buffer.buffer, Self.events.pointer, Unmanaged.passUnretained(buffer).toOpaque())
        }
    }

    /// The compositor has its own mapping.
    deinit { munmap(memory, length) }

    /// Whether there is memory that the compositor does not read.
    var canDraw: Bool { back != nil || buffers.contains { !$0.isBusy } }

    func draw(_ picture: OverlayPicture) {
        guard let back = prepared() else { return }
        let area = clipped(
            ScreenArea(x: picture.x, y: picture.y, width: picture.width, height: picture.height))
        for row in 0..<area.height {
            let line = picture.bytes + row * picture.stride
            let y = area.y + row
            line.withMemoryRebound(to: UInt32.self, capacity: area.width) { source in
                let target = back.pixels + y * sheet.width + area.x
                for column in 0..<area.width { target[column] = source[column] | 0xFF00_0000 }
            }
            corners.cut(back.pixels + y * sheet.width, row: y, columns: area.x..<area.x + area.width)
        }
        changes.append(area)
    }

    func fill(_ areas: [ScreenArea], with color: UInt32) {
        guard let back = prepared(), let first = areas.first else { return }
        var (left, top, right, bottom) = (first.x, first.y, first.x, first.y)
        for area in areas.map(clipped) {
            for y in area.y..<area.y + area.height {
                let line = back.pixels + y * sheet.width
                (line + area.x).update(repeating: color | 0xFF00_0000, count: area.width)
                corners.cut(line, row: y, columns: area.x..<area.x + area.width)
            }
            (left, top) = (min(left, area.x), min(top, area.y))
            (right, bottom) = (max(right, area.x + area.width), max(bottom, area.y + area.height))
        }
        // One area around them all is cheaper than each of a hundred bars.
        changes.append(ScreenArea(x: left, y: top, width: right - left, height: bottom - top))
    }

    /// The changes since the last call; nil if nothing was drawn.
    func take() -> (buffer: OpaquePointer, changes: [ScreenArea])? {
        guard let back else { return nil }
        if changes.count > Self.mostAreas { changes = [whole] }
        for other in buffers where other !== back {
            other.outdated += changes
            if other.outdated.count > Self.mostAreas { other.outdated = [whole] }
        }
        defer { (front, self.back, changes) = (back, nil, []) }
        back.isBusy = true
        return (back.buffer, changes)
    }

    private var whole: ScreenArea { ScreenArea(x: 0, y: 0, width: sheet.width, height: sheet.height) }

    /// The picture to draw in, with all that is shown in it.
    private func prepared() -> Buffer? {
        if let back { return back }
        guard
            let next = buffers.first(where: { !$0.isBusy && $0 === front })
                ?? buffers.first(where: { !$0.isBusy })
        else { return nil }
        if let front, front !== next {
            for area in next.outdated {
                for y in area.y..<area.y + area.height {
                    let place = y * sheet.width + area.x
                    (next.pixels + place).update(from: front.pixels + place, count: area.width)
                }
            }
        }
        next.outdated = []
        back = next
        return next
    }

    private func clipped(_ area: ScreenArea) -> ScreenArea {
        let (left, top) = (min(max(0, area.x), sheet.width), min(max(0, area.y), sheet.height))
        let (right, bottom) = (min(sheet.width, area.x + area.width), min(sheet.height, area.y + area.height))
        return ScreenArea(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
    }
}
