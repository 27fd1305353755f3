#include "ctaskthreads.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// The runtime's own interface for this (Runtime/Concurrency.h): the hook gets every job that is ready to run anywhere, and
// runs it with swift_job_run. Both are weak, so that a runtime without them still links.
typedef struct {
    void *identity;
    uintptr_t implementation;
} Executor;

typedef __attribute__((swiftcall)) void (*EnqueueOriginal)(void *job);
typedef __attribute__((swiftcall)) void (*EnqueueHook)(void *job, EnqueueOriginal original);

extern EnqueueHook swift_task_enqueueGlobal_hook __attribute__((weak));
extern __attribute__((swiftcall)) void swift_job_run(void *job, Executor executor) __attribute__((weak));

// The executor of all that is isolated to nothing.
static const Executor anywhere = {NULL, 0};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrival = PTHREAD_COND_INITIALIZER;
// A ring: `count` jobs from `first` on.
static void **jobs;
static size_t capacity, first, count;

static void *run_jobs(void *unused) {
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (count == 0) pthread_cond_wait(&arrival, &lock);
        void *job = jobs[first];
        first = (first + 1) % capacity;
        count--;
        pthread_mutex_unlock(&lock);
        swift_job_run(job, anywhere);
    }
    return NULL;
}

// To be called with the lock held.
static bool grow(void) {
    size_t larger = capacity == 0 ? 64 : 2 * capacity;
    void **copy = malloc(larger * sizeof *copy);
    if (copy == NULL) return false;
    for (size_t i = 0; i < count; i++) copy[i] = jobs[(first + i) % capacity];
    free(jobs);
    jobs = copy;
    capacity = larger;
    first = 0;
    return true;
}

static __attribute__((swiftcall)) void enqueue(void *job, EnqueueOriginal original) {
    pthread_mutex_lock(&lock);
    bool has_room = count < capacity || grow();
    if (has_room) {
        jobs[(first + count) % capacity] = job;
        count++;
        pthread_cond_signal(&arrival);
    }
    pthread_mutex_unlock(&lock);
    if (!has_room) original(job);
}

bool ctaskthreads_install(int threads) {
    if (&swift_task_enqueueGlobal_hook == NULL || swift_job_run == NULL) return false;
    if (swift_task_enqueueGlobal_hook != NULL) return true;
    int started = 0;
    for (int i = 0; i < threads; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, run_jobs, NULL) != 0) break;
        pthread_setname_np(thread, "swift-tasks");
        pthread_detach(thread);
        started++;
    }
    if (started == 0) return false;
    swift_task_enqueueGlobal_hook = enqueue;
    return true;
}
