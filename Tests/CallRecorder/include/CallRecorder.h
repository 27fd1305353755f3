// Records what a process asks of the kernel, for tests: each change of a file in one folder, in the order in which
// it was carried out, each request to bring a file to the disk, and each time that the process goes to sleep for a
// guessed time. A test loads it into a program by LD_PRELOAD; it changes nothing, unless it is asked to.
//
//     LD_PRELOAD=/absolute/path/libcallrecorder.so CALL_RECORDER_LOG=/absolute/log program
//
//   CALL_RECORDER_LOG     the file that the calls are appended to; without it nothing is recorded
//   CALL_RECORDER_FOLDER  the absolute path, without symbolic links, of the folder whose files are recorded;
//                         without it only sleeps are
//   CALL_RECORDER_DISK_REFUSES  if set, fdatasync fails for these files, with EIO
//   CALL_RECORDER_DISK_GATE  a named pipe: while it is there, fdatasync for a file of these whose name ends in "-wal" returns only
//                         when a process has the pipe open for writing
//
// The log is a sequence of `call_record_t`, each followed by `name_length` bytes with the file's path relative to
// the folder (empty: the folder itself), and, for CALL_WRITE, `length` bytes with what was written.
#ifndef CALL_RECORDER_H
#define CALL_RECORDER_H

#include <stdint.h>

enum {
    CALL_WRITE = 1,     // `length` bytes at `offset`
    CALL_TRUNCATE = 2,  // to `length` bytes
    CALL_SYNC = 3,      // fsync or fdatasync has returned
    CALL_UNLINK = 4,
    CALL_SLEEP = 5,  // for `length` microseconds; `offset` is when, in microseconds of CLOCK_MONOTONIC
};

typedef struct {
    uint32_t kind;
    uint32_t name_length;
    uint64_t offset;
    uint64_t length;
} call_record_t;

#endif
