#pragma once

#include <CMarkNetwork.h>
#include <stddef.h>

/// What is known of a place in texts that have no commas.
enum { MARK_NO_STOP = MARK_KINDS };

/// A word of a text with its marks.
struct mark_example {
    uint32_t word;
    uint32_t part;
    /// Behind it: none, a comma, a stop, or MARK_NO_STOP.
    uint8_t mark;
    /// Whether a mark may be there, and it is known.
    uint8_t counts;
    /// Whether a text begins with it.
    uint8_t begins;
};

struct mark_learning {
    const struct mark_example *examples;
    size_t count;
    int passes;
    /// Called after each pass, with the mean loss of a place.
    void (*report)(int pass, double loss);
};

/// Learns the MARK_LAYERS weights of the layers, and the MARK_ROW values of each of the MARK_WORD_ROWS + MARK_PART_ROWS rows. The same examples give the
/// same weights.
///
/// Returns 0 if there is not enough memory.
int mark_learn(struct mark_learning learning, float *layers, float *rows);
