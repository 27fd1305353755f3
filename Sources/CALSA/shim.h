#include <alsa/asoundlib.h>

static inline void calsa_ignore_message(
    const char *file, int line, const char *function, int code, const char *format, ...) {
    (void)file; (void)line; (void)function; (void)code; (void)format;
}

/// Keeps ALSA from writing to the standard error: each failure comes back as a code, and is told once, in our words.
/// (The handler takes variable arguments, which only C can write.)
static inline void calsa_be_quiet(void) { snd_lib_error_set_handler(calsa_ignore_message); }
