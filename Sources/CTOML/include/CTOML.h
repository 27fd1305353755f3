// TOML (1.0) through toml++, as one flat list that C, and so Swift, can read.
#ifndef CTOML_H
#define CTOML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CTOML_TABLE,
    CTOML_ARRAY,
    CTOML_STRING,
    CTOML_INTEGER,
    CTOML_FLOAT,
    CTOML_BOOLEAN,
    /// A date, a time, or both.
    CTOML_DATE,
} ctoml_kind;

/// One value. Strings are UTF-8, not ended by a zero, and live as long as the document. Lines and columns count from
/// 1; columns count code points.
typedef struct {
    ctoml_kind kind;
    /// Direct children of a table or an array; each follows with all that is below it.
    size_t children;
    /// The name in the table above; null in an array and for the document itself.
    const char *key;
    size_t key_length;
    uint32_t key_line, key_column;
    uint32_t line, column;
    const char *text;
    size_t text_length;
    int64_t integer;
    double real;
    bool boolean;
} ctoml_node;

typedef struct ctoml_document ctoml_document;

/// Null when memory is short. To be freed with `ctoml_free`.
ctoml_document *ctoml_parse(const char *text, size_t length);
void ctoml_free(ctoml_document *document);

/// The error in the text, and its place; null when there is none.
const char *ctoml_error(const ctoml_document *document, uint32_t *line, uint32_t *column);

/// The document's table first, then all below it, parents before children.
const ctoml_node *ctoml_nodes(const ctoml_document *document, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
