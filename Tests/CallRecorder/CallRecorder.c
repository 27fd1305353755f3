// See CallRecorder.h for what this is and how it is used.
#include "CallRecorder.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// One call at a time: the order in the log is the order in which the kernel saw them.
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int log_file = -1;
static char folder[PATH_MAX];
static size_t folder_length;
static int disk_refuses;
static const char *disk_gate;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite64)(int, const void *, size_t, off64_t);
static int (*real_ftruncate64)(int, off64_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_unlink)(const char *);
static int (*real_usleep)(useconds_t);
static int (*real_nanosleep)(const struct timespec *, struct timespec *);

static void find(void *function, const char *name) {
    // POSIX lets dlsym's answer be called; ISO C has no cast for it.
    *(void **)function = dlsym(RTLD_NEXT, name);
    if (!*(void **)function) abort();
}

static void begin(void) {
    find(&real_write, "write");
    find(&real_pwrite64, "pwrite64");
    find(&real_ftruncate64, "ftruncate64");
    find(&real_fsync, "fsync");
    find(&real_fdatasync, "fdatasync");
    find(&real_unlink, "unlink");
    find(&real_usleep, "usleep");
    find(&real_nanosleep, "nanosleep");
    disk_refuses = getenv("CALL_RECORDER_DISK_REFUSES") != NULL;
    disk_gate = getenv("CALL_RECORDER_DISK_GATE");
    const char *log = getenv("CALL_RECORDER_LOG");
    if (!log) return;
    log_file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log_file < 0) abort();
    const char *named = getenv("CALL_RECORDER_FOLDER");
    if (!named || !*named || strlen(named) + 2 > sizeof folder) return;
    folder_length = (size_t)snprintf(folder, sizeof folder, "%s", named);
    while (folder_length > 1 && folder[folder_length - 1] == '/') folder[--folder_length] = 0;
}

// The part of a path below the folder; NULL for all others.
static const char *below_folder(const char *path) {
    if (!folder_length || strncmp(path, folder, folder_length)) return NULL;
    if (path[folder_length] == 0) return path + folder_length;
    return path[folder_length] == '/' ? path + folder_length + 1 : NULL;
}

// The recorded name of an open file; NULL if it is none of ours. The kernel is asked each time, so that duplicated
// descriptors and numbers that are used again cannot confuse it.
static const char *name_of(int file, char path[PATH_MAX]) {
    if (log_file < 0 || !folder_length) return NULL;
    char link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return NULL;
    path[length] = 0;
    return below_folder(path);
}

static void record(uint32_t kind, const char *name, uint64_t offset, uint64_t length, const void *data) {
    call_record_t head = {kind, (uint32_t)strlen(name), offset, length};
    struct iovec parts[] = {
        {&head, sizeof head}, {(void *)name, head.name_length}, {(void *)data, data ? (size_t)length : 0}};
    ssize_t whole = (ssize_t)(sizeof head + head.name_length + (data ? length : 0));
    // A log with a hole would prove something false.
    if (writev(log_file, parts, 3) != whole) abort();
}

// Carries out a call and, when it has succeeded, records it as one step.
#define CARRY_OUT(type, name, call, kind, offset, length, data) \
    if (!(name)) return call;                                   \
    pthread_mutex_lock(&order);                                 \
    type result = call;                                         \
    int error = errno;                                          \
    if (result >= 0) record(kind, name, offset, length, data);  \
    pthread_mutex_unlock(&order);                               \
    errno = error;                                              \
    return result;

ssize_t write(int file, const void *data, size_t size) {
    pthread_once(&once, begin);
    char path[PATH_MAX];
    const char *name = name_of(file, path);
    if (!name) return real_write(file, data, size);
    pthread_mutex_lock(&order);
    ssize_t result = real_write(file, data, size);
    int error = errno;
    if (result > 0) {
        // Where it was written: the position after it, which also works for a file that is opened to append.
        off64_t end = lseek64(file, 0, SEEK_CUR);
        record(CALL_WRITE, name, (uint64_t)(end - result), (uint64_t)result, data);
    }
    pthread_mutex_unlock(&order);
    errno = error;
    return result;
}

ssize_t pwrite64(int file, const void *data, size_t size, off64_t offset) {
    pthread_once(&once, begin);
    char path[PATH_MAX];
    const char *name = name_of(file, path);
    CARRY_OUT(ssize_t, name, real_pwrite64(file, data, size, offset), CALL_WRITE, (uint64_t)offset,
              (uint64_t)result, data)
}

ssize_t pwrite(int file, const void *data, size_t size, off_t offset) { return pwrite64(file, data, size, offset); }

int ftruncate64(int file, off64_t length) {
    pthread_once(&once, begin);
    char path[PATH_MAX];
    const char *name = name_of(file, path);
    CARRY_OUT(int, name, real_ftruncate64(file, length), CALL_TRUNCATE, 0, (uint64_t)length, NULL)
}

int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

int fsync(int file) {
    pthread_once(&once, begin);
    char path[PATH_MAX];
    const char *name = name_of(file, path);
    CARRY_OUT(int, name, real_fsync(file), CALL_SYNC, 0, 0, NULL)
}

static int ends_in(const char *name, const char *end) {
    size_t length = strlen(name), end_length = strlen(end);
    return length >= end_length && !strcmp(name + length - end_length, end);
}

// A disk that takes its time.
static void wait_at_gate(void) {
    int gate = open(disk_gate, O_RDONLY | O_CLOEXEC);
    if (gate >= 0) close(gate);
}

int fdatasync(int file) {
    pthread_once(&once, begin);
    char path[PATH_MAX];
    const char *name = name_of(file, path);
    if (name && disk_refuses) return errno = EIO, -1;
    if (name && disk_gate && ends_in(name, "-wal")) wait_at_gate();
    CARRY_OUT(int, name, real_fdatasync(file), CALL_SYNC, 0, 0, NULL)
}

int unlink(const char *path) {
    pthread_once(&once, begin);
    const char *name = log_file < 0 ? NULL : below_folder(path);
    CARRY_OUT(int, name, real_unlink(path), CALL_UNLINK, 0, 0, NULL)
}

static void record_sleep(uint64_t microseconds) {
    if (log_file < 0) return;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    pthread_mutex_lock(&order);
    record(CALL_SLEEP, "", (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000, microseconds, NULL);
    pthread_mutex_unlock(&order);
}

int usleep(useconds_t microseconds) {
    pthread_once(&once, begin);
    record_sleep(microseconds);
    return real_usleep(microseconds);
}

int nanosleep(const struct timespec *duration, struct timespec *left) {
    pthread_once(&once, begin);
    record_sleep((uint64_t)duration->tv_sec * 1000000 + (uint64_t)duration->tv_nsec / 1000);
    return real_nanosleep(duration, left);
}
