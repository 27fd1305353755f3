#pragma once

#include "CMarkNetwork.h"

/// The weights of the layers. Those of a layer lie by its inputs, so that the loops go over its outputs.
struct mark_layers {
    /// For the mark after the previous word.
    float history[MARK_KINDS][MARK_ROW];
    /// Update, reset and new state.
    float input[MARK_ROW][3 * MARK_STATE];
    float state[MARK_STATE][3 * MARK_STATE];
    float state_bias[3 * MARK_STATE];
    float hidden[MARK_STATE + MARK_WINDOW * MARK_ROW][MARK_HIDDEN];
    float hidden_bias[MARK_HIDDEN];
    float output[MARK_HIDDEN][MARK_KINDS];
    float output_bias[MARK_KINDS];
};

_Static_assert(sizeof(struct mark_layers) == MARK_LAYERS * sizeof(float), "no padding");
