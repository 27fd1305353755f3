import ArgumentParser

/// A way in which one process learns what another one has written.
enum Mechanism: String, CaseIterable, ExpressibleByArgument {
    /// The store and its watcher, as the agents use them.
    case wake
    /// A Unix datagram with the same text: what the kernel needs for a hop, without a store.
    case floor
    /// The store, asked each millisecond.
    case poll1ms
    /// A JSON file that replaces the one before it, and inotify on its folder.
    case jsonRename
}
