#include "layers.h"

#include <string.h>

static uint32_t mixed(uint32_t hash) {
    hash ^= hash >> 16;
    hash *= 0x85EBCA6Bu;
    hash ^= hash >> 13;
    hash *= 0xC2B2AE35u;
    return hash ^ hash >> 16;
}

void mark_rows(uint32_t word, uint32_t part, uint32_t rows[3]) {
    rows[0] = mixed(word) % MARK_WORD_ROWS;
    rows[1] = mixed(word + 0x9E3779B9u) % MARK_WORD_ROWS;
    rows[2] = MARK_WORD_ROWS + mixed(part) % MARK_PART_ROWS;
}

void mark_row(const int8_t *stored, uint32_t word, uint32_t part, float *row) {
    uint32_t rows[3];
    mark_rows(word, part, rows);
    const int8_t *first = stored + rows[0] * MARK_ROW, *second = stored + rows[1] * MARK_ROW;
    const int8_t *kind = stored + rows[2] * MARK_ROW;
    for (int place = 0; place < MARK_ROW; place++) row[place] = (first[place] + second[place] + kind[place]) / 128.0f;
}

// A continued fraction of tanh, off by 0.0001 at most. A compiler does it for several values at once, which it can't with
// the library's: reading a word takes a third of the time.
static float curve(float value) {
    float x = value < -4.9f ? -4.9f : value > 4.9f ? 4.9f : value, s = x * x;
    return x * (135135 + s * (17325 + s * (378 + s))) / (135135 + s * (62370 + s * (3150 + s * 28)));
}

static float sigmoid(float value) { return 0.5f + 0.5f * curve(0.5f * value); }

void mark_read(const float *weights, const float *row, int mark, float *state) {
    const struct mark_layers *layers = (const struct mark_layers *)weights;
    float input[3 * MARK_STATE], recurrent[3 * MARK_STATE] = {0};
    memcpy(input, layers->state_bias, sizeof input);
    for (int from = 0; from < MARK_ROW; from++) {
        float value = row[from] + layers->history[mark][from];
        for (int to = 0; to < 3 * MARK_STATE; to++) input[to] += value * layers->input[from][to];
    }
    for (int from = 0; from < MARK_STATE; from++)
        for (int to = 0; to < 3 * MARK_STATE; to++) recurrent[to] += state[from] * layers->state[from][to];
    for (int place = 0; place < MARK_STATE; place++) {
        float update = sigmoid(input[place] + recurrent[place]);
        float reset = sigmoid(input[MARK_STATE + place] + recurrent[MARK_STATE + place]);
        float new = curve(input[2 * MARK_STATE + place] + reset * recurrent[2 * MARK_STATE + place]);
        state[place] = new + update * (state[place] - new);
    }
}

struct mark_scores mark_score(const float *weights, const float *rows, const float *state) {
    const struct mark_layers *layers = (const struct mark_layers *)weights;
    float hidden[MARK_HIDDEN], scores[MARK_KINDS];
    memcpy(hidden, layers->hidden_bias, sizeof hidden);
    for (int from = 0; from < MARK_STATE; from++)
        for (int to = 0; to < MARK_HIDDEN; to++) hidden[to] += state[from] * layers->hidden[from][to];
    for (int from = 0; from < MARK_WINDOW * MARK_ROW; from++)
        for (int to = 0; to < MARK_HIDDEN; to++)
            hidden[to] += rows[from] * layers->hidden[MARK_STATE + from][to];
    memcpy(scores, layers->output_bias, sizeof scores);
    for (int from = 0; from < MARK_HIDDEN; from++)
        for (int to = 0; to < MARK_KINDS; to++)
            scores[to] += (hidden[from] > 0 ? hidden[from] : 0) * layers->output[from][to];
    return (struct mark_scores){scores[0], scores[1], scores[2]};
}
