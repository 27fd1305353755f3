#include "CSherpaOnnx.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int find(void *library, const char *name, void *function, char *reason, size_t capacity) {
    void *found = dlsym(library, name);
    if (!found) {
        snprintf(reason, capacity, "it lacks %s", name);
        return 0;
    }
    memcpy(function, &found, sizeof found);
    return 1;
}

const struct csherpa *csherpa_load(const char *path, char *reason, size_t capacity) {
    // Its own path makes it find onnxruntime beside it.
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(reason, capacity, "%s", dlerror());
        return NULL;
    }
    struct csherpa *functions = calloc(1, sizeof *functions);
    if (!functions) {
        snprintf(reason, capacity, "there is no memory for it");
        return NULL;
    }
#define FIND(name)                                                                                                     \
    if (!find(library, #name, &functions->name, reason, capacity)) {                                                   \
        free(functions);                                                                                               \
        return NULL;                                                                                                   \
    }
    // First: the other functions of another version need not be there.
    FIND(SherpaOnnxGetVersionStr)
    const char *version = functions->SherpaOnnxGetVersionStr();
    if (!version || strcmp(version, CSHERPA_VERSION) != 0) {
        snprintf(reason, capacity, "it is version %s, and %s is needed", version ? version : "unknown", CSHERPA_VERSION);
        free(functions);
        return NULL;
    }
    CSHERPA_FUNCTIONS(FIND)
    return functions;
}
