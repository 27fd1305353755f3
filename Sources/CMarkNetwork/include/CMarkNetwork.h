#pragma once

#include <stdint.h>

/// The network that says where bare words have marks. In C, because compilers do its loops over several weights at once, and
/// because the learner needs the same layers.
///
/// A word is a row of values: the sum of two rows that its hash names, and one for its part of speech. A recurrent layer
/// (GRU; Cho and others, 2014) reads the words and the marks after them. From its state and the words around a place,
/// three of them ahead, a hidden layer scores the marks at that place.
enum {
    MARK_WORD_ROWS = 10240,
    MARK_PART_ROWS = 256,
    MARK_ROW = 24,
    MARK_STATE = 32,
    MARK_BEFORE = 1,
    MARK_AHEAD = 3,
    MARK_WINDOW = MARK_BEFORE + 1 + MARK_AHEAD,
    MARK_HIDDEN = 64,
    /// None, a comma, a stop.
    MARK_KINDS = 3,
    /// The weights of the layers: struct mark_layers in layers.h.
    MARK_LAYERS = MARK_KINDS * MARK_ROW + (MARK_ROW + MARK_STATE + 1) * 3 * MARK_STATE
        + (MARK_STATE + MARK_WINDOW * MARK_ROW + 1) * MARK_HIDDEN + (MARK_HIDDEN + 1) * MARK_KINDS,
};

/// The rows of a word: `rows` gets their numbers, all below MARK_WORD_ROWS + MARK_PART_ROWS.
void mark_rows(uint32_t word, uint32_t part, uint32_t rows[3]);

/// The MARK_ROW values of a word.
///
/// `stored`: MARK_ROW values for each of all rows, in steps of 1/128.
void mark_row(const int8_t *stored, uint32_t word, uint32_t part, float *row);

/// Reads a word into the MARK_STATE values of the state.
///
/// `layers`: MARK_LAYERS weights. `row`: its MARK_ROW values. `mark`: after the previous word; below MARK_KINDS.
void mark_read(const float *layers, const float *row, int mark, float *state);

/// How likely the marks at a place are: the logarithms, but for a number that is added to all of them.
struct mark_scores {
    float none, comma, stop;
};

/// Scores the marks at a place.
///
/// `rows`: the MARK_WINDOW words around it, one after the other.
struct mark_scores mark_score(const float *layers, const float *rows, const float *state);
