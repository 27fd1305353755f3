#pragma once

#include <stddef.h>

/// A list of words inside the program: a line for each, in the order of their bytes. The bytes live as long as the program;
/// none of them is written.
struct ordinary_words {
    const unsigned char *bytes;
    size_t count;
};

/// English words that are no names.
struct ordinary_words ordinary_words_english(void);
