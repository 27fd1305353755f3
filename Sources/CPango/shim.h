#include <pango/pangocairo.h>

// G_OBJECT is a macro of casts.
static inline void cpango_unref(void *object) { g_object_unref(object); }
