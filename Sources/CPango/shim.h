#include <cairo/cairo.h>

// The used part of Pango, as its own headers declare it (pango-layout.h, pango-font.h, pangocairo.h; unchanged since
// Pango 1.20). Those headers include GLib's, for which the compiler needs folders that only pkg-config knows; and the
// flags that pkg-config gives for them include -pthread, which the package manager refuses with a warning at each build.
typedef struct _PangoLayout PangoLayout;
typedef struct _PangoFontDescription PangoFontDescription;
typedef enum { PANGO_ALIGN_LEFT, PANGO_ALIGN_CENTER, PANGO_ALIGN_RIGHT } PangoAlignment;
typedef enum { PANGO_WRAP_WORD, PANGO_WRAP_CHAR, PANGO_WRAP_WORD_CHAR } PangoWrapMode;
typedef enum {
    PANGO_ELLIPSIZE_NONE,
    PANGO_ELLIPSIZE_START,
    PANGO_ELLIPSIZE_MIDDLE,
    PANGO_ELLIPSIZE_END
} PangoEllipsizeMode;
#define PANGO_SCALE 1024

PangoLayout *pango_cairo_create_layout(cairo_t *cr);
void pango_cairo_show_layout(cairo_t *cr, PangoLayout *layout);
void pango_layout_set_text(PangoLayout *layout, const char *text, int length);
void pango_layout_set_font_description(PangoLayout *layout, const PangoFontDescription *desc);
void pango_layout_set_width(PangoLayout *layout, int width);
void pango_layout_set_height(PangoLayout *layout, int height);
void pango_layout_set_wrap(PangoLayout *layout, PangoWrapMode wrap);
void pango_layout_set_alignment(PangoLayout *layout, PangoAlignment alignment);
void pango_layout_set_ellipsize(PangoLayout *layout, PangoEllipsizeMode ellipsize);
void pango_layout_get_size(PangoLayout *layout, int *width, int *height);
int pango_layout_get_line_count(PangoLayout *layout);
const char *pango_layout_get_text(PangoLayout *layout);
PangoFontDescription *pango_font_description_from_string(const char *str);
void pango_font_description_set_absolute_size(PangoFontDescription *desc, double size);
void pango_font_description_free(PangoFontDescription *desc);
void g_object_unref(void *object);

// pango-attributes.h.
typedef struct _PangoAttrList PangoAttrList;
typedef struct _PangoAttribute {
    const void *klass;
    unsigned start_index;
    unsigned end_index;
} PangoAttribute;

PangoAttrList *pango_attr_list_new(void);
void pango_attr_list_unref(PangoAttrList *list);
void pango_attr_list_insert(PangoAttrList *list, PangoAttribute *attr);
PangoAttribute *pango_attr_foreground_new(unsigned short red, unsigned short green, unsigned short blue);
void pango_layout_set_attributes(PangoLayout *layout, PangoAttrList *attrs);
