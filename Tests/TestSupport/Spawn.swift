import DictationSystem
import Foundation
import Synchronization

/// Held while a pipe is made and while a process is: so no process inherits another one's pipe in the instant
/// before it is marked as not to be inherited. (`pipe2` is not visible through Glibc's module.)
private let spawning = Mutex(())

/// A pipe whose ends close themselves and are not inherited.
struct OutputPipe {
    let reader: Descriptor
    let writer: Descriptor

    init() throws(SystemError) {
        let ends = spawning.withLock { _ -> [Int32]? in
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { return nil }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return ends
        }
        guard let ends else { throw SystemError("create a pipe") }
        reader = Descriptor(owning: ends[0])
        writer = Descriptor(owning: ends[1])
    }
}

/// Starts a process that leads its own process group, with stdin from /dev/null and default signal handling; it
/// inherits no descriptor but the two given ones, as its stdout and stderr.
func spawn(
    _ program: String, _ arguments: [String], environment: [String: String], output: Int32,
    errors: Int32
) throws(ProgramError) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    sigfillset(&all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    var argv: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    var processID: pid_t = 0
    let code = spawning.withLock { _ in
        posix_spawnp(&processID, program, &actions, &attributes, &argv, &envp)
    }
    guard code == 0 else {
        throw .notStarted(program: program, reason: String(cString: strerror(code)))
    }
    return processID
}
