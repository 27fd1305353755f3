#pragma once

#include <stddef.h>

/// The weights that `train-cleanup` has learned, inside the program: no file has to be found when it runs. The bytes
/// live as long as the program, and are never written.
struct correction_data {
    const unsigned char *bytes;
    size_t count;
};

/// The weights of the self-corrections, as `HashedWeights` reads them.
struct correction_data correction_weights(void);
/// The classes of words, as `WordClasses` reads them.
struct correction_data correction_classes(void);
/// The weights of the questions among bare words, as `HashedWeights` reads them.
struct correction_data question_weights(void);
/// The weights of the network that sets the other marks of bare words, as `MarkNetwork` reads them.
struct correction_data mark_network(void);
