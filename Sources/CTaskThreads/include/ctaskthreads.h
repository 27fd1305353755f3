#ifndef CTASKTHREADS_H
#define CTASKTHREADS_H

#include <stdbool.h>

/// Has Swift's tasks run on a fixed set of threads of our own, from now on, rather than on libdispatch's.
///
/// libdispatch watches its threads with a timer, which wakes the process once a second for as long as it lives,
/// whether or not there is anything to do. These threads sleep until there is a task.
///
/// Swift 6.3 has no public interface for that: a task executor (`withTaskExecutorPreference`) is not inherited by
/// unstructured tasks (one of them is enough to start the timer), and custom global executors are not public yet.
///
/// To be called before the first task that is not the main actor's. Calling it again changes nothing.
///
/// \param threads how many; at least 1. Tasks that block take one each.
/// \returns false if the runtime has no such hook, or no thread could be started: tasks run as they always do.
bool ctaskthreads_install(int threads);

#endif
