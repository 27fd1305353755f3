// Tells the thread sanitizer when a Mutex passes from one thread to another. Tests/run preloads it.
//
// Where two threads want a Mutex at once, Swift's Synchronization library hands it over. That library is built without the
// sanitizer, which so would not see that one thread ended before the other began, and would report a race.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define HANDLE __attribute__((swift_context)) void *handle

// _MutexHandle._lockSlow(_:) and _MutexHandle._unlockSlow(): they are called only where two threads want the Mutex.
SWIFT void lockSlow(uint32_t thread, HANDLE) __asm__(LOCK);
SWIFT void unlockSlow(HANDLE) __asm__(UNLOCK);

// Weak, because programs that a test starts are built without the sanitizer, or are not Swift.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

static SWIFT void (*real_lock)(uint32_t thread, HANDLE);
static SWIFT void (*real_unlock)(HANDLE);

__attribute__((constructor)) static void find(void) {
    *(void **)&real_lock = dlsym(RTLD_NEXT, LOCK);
    *(void **)&real_unlock = dlsym(RTLD_NEXT, UNLOCK);
}

SWIFT void lockSlow(uint32_t thread, HANDLE) {
    real_lock(thread, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT void unlockSlow(HANDLE) {
    if (__tsan_release) __tsan_release(handle);
    real_unlock(handle);
}
