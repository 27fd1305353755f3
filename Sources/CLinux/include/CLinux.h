// The parts of Linux that `import Glibc` does not show, because they need _GNU_SOURCE.
#ifndef CLINUX_H
#define CLINUX_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <wchar.h>

/// pidfd_open(2), which older C libraries do not wrap: readable in poll(2) once the process has ended.
static inline int clinux_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

/// posix_spawn_file_actions_addclosefrom_np(3): what is spawned with these actions gets no descriptors from this number on.
int clinux_close_from(void *actions, int first);

/// POSIX_SPAWN_SETSID.
short clinux_spawn_setsid(void);

/// prctl(2) with PR_SET_NAME: names the calling thread; the kernel keeps 15 bytes.
static inline void clinux_name_thread(const char *name) { prctl(PR_SET_NAME, name); }

/// Whether the process ignores a signal, as nohup(1) has it ignore SIGHUP.
static inline bool clinux_ignores(int number) {
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

/// mallopt(3) with M_ARENA_MAX: all threads share one heap.
static inline void clinux_share_heap(void) { mallopt(M_ARENA_MAX, 1); }

/// wcwidth(3): columns of a terminal, by the locale; -1 for what is not printed.
static inline int clinux_columns(wchar_t character) { return wcwidth(character); }

/// renameat2(2) with RENAME_NOREPLACE: fails with EEXIST where `to` is there already.
static inline int clinux_rename_without_replacing(const char *from, const char *to) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1u);
}

/// fflush(3) of standard output.
///
/// @return 0; or, once, the number of the error by which some of what was printed so far was lost, -1 if that is not known.
int clinux_flush_output(void);

/// accept4(2) with SOCK_CLOEXEC: no program that is started at the same moment keeps the connection open.
int clinux_accept(int listener);

/// A connection to a Unix socket, and the bytes of kernel memory that its client has not read yet. A socket may have as many
/// as its send buffer is large.
struct clinux_backlog {
    uint32_t connection;
    uint32_t unread;
};

/// Asks the kernel (sock_diag(7)) for the connections that were made to a Unix socket.
///
/// @param path The absolute path of the socket, as its server has bound it.
/// @param backlogs Filled with the first `capacity` of them.
/// @return How many were filled in; -1 if the kernel does not tell.
int clinux_backlogs(const char *path, struct clinux_backlog *backlogs, int capacity);

#endif
