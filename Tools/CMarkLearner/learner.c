#include "CMarkLearner.h"
#include "layers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Longer texts are divided.
#define LONGEST 160
#define ROWS (MARK_WORD_ROWS + MARK_PART_ROWS)

// Adam (Kingma and Ba, 2015) for the layers, AdaGrad (Duchi and others, 2011) for the rows; a text has few.
static const float layer_rate = 0.002f, row_rate = 0.03f;
static const float first_decay = 0.9f, second_decay = 0.999f;
// The share of the marks that are hidden from the words that follow: the network must also work if it has missed one.
static const float hidden_marks = 0.2f;
// The share of the words that count as unknown: their rows carry no information, only their parts of speech do.
static const float unknown_words = 0.06f;
// A row is stored in steps of 1/128.
static const float largest_row = 0.99f;

static uint64_t seed;

static uint64_t next_random(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

static float uniform(void) { return (float)(next_random() >> 40) / (float)(1 << 24); }

struct step {
    uint32_t rows[3];
    int mark;
    float row[MARK_ROW], input[MARK_ROW], before[MARK_STATE];
    float update[MARK_STATE], reset[MARK_STATE], new[MARK_STATE], candidate[MARK_STATE], state[MARK_STATE];
    float row_slope[MARK_ROW], state_slope[MARK_STATE];
};

struct learner {
    struct mark_layers layers, slopes, first, second;
    float rows[ROWS * MARK_ROW], row_second[ROWS * MARK_ROW];
    struct step steps[LONGEST];
    long updates;
};

static void start(struct learner *learner) {
    seed = 0x9E3779B97F4A7C15u;
    float *weights = (float *)&learner->layers;
    for (size_t place = 0; place < MARK_LAYERS; place++) weights[place] = 0.3f * (uniform() - 0.5f);
    memset(learner->layers.state_bias, 0, sizeof learner->layers.state_bias);
    memset(learner->layers.hidden_bias, 0, sizeof learner->layers.hidden_bias);
    memset(learner->layers.output_bias, 0, sizeof learner->layers.output_bias);
    for (size_t place = 0; place < ROWS * MARK_ROW; place++) {
        learner->rows[place] = 0.1f * (uniform() - 0.5f);
        learner->row_second[place] = 0.001f;
    }
}

static float sigmoid(float value) { return 1 / (1 + expf(-value)); }

// As mark_read, and keeps what the way back needs.
static void read(const struct mark_layers *layers, struct step *step, const float *before) {
    float input[3 * MARK_STATE], recurrent[3 * MARK_STATE] = {0};
    memcpy(step->before, before, sizeof step->before);
    memcpy(input, layers->state_bias, sizeof input);
    for (int from = 0; from < MARK_ROW; from++) {
        step->input[from] = step->row[from] + layers->history[step->mark][from];
        for (int to = 0; to < 3 * MARK_STATE; to++) input[to] += step->input[from] * layers->input[from][to];
    }
    for (int from = 0; from < MARK_STATE; from++)
        for (int to = 0; to < 3 * MARK_STATE; to++) recurrent[to] += before[from] * layers->state[from][to];
    for (int place = 0; place < MARK_STATE; place++) {
        step->update[place] = sigmoid(input[place] + recurrent[place]);
        step->reset[place] = sigmoid(input[MARK_STATE + place] + recurrent[MARK_STATE + place]);
        step->candidate[place] = recurrent[2 * MARK_STATE + place];
        step->new[place] = tanhf(input[2 * MARK_STATE + place] + step->reset[place] * step->candidate[place]);
        step->state[place] = step->new[place] + step->update[place] * (before[place] - step->new[place]);
    }
}

// Back through mark_read; `slope` is that of the state after the word, and becomes that of the one before.
static void read_back(struct learner *learner, struct step *step, float *slope) {
    const struct mark_layers *layers = &learner->layers;
    struct mark_layers *slopes = &learner->slopes;
    float input[3 * MARK_STATE], recurrent[3 * MARK_STATE], before[MARK_STATE];
    for (int place = 0; place < MARK_STATE; place++) {
        float update = step->update[place], reset = step->reset[place], new = step->new[place];
        float of_new = slope[place] * (1 - update) * (1 - new * new);
        float of_update = slope[place] * (step->before[place] - new) * update * (1 - update);
        float of_reset = of_new * step->candidate[place] * reset * (1 - reset);
        input[place] = recurrent[place] = of_update;
        input[MARK_STATE + place] = recurrent[MARK_STATE + place] = of_reset;
        input[2 * MARK_STATE + place] = of_new;
        recurrent[2 * MARK_STATE + place] = of_new * reset;
        before[place] = slope[place] * update;
    }
    for (int to = 0; to < 3 * MARK_STATE; to++) slopes->state_bias[to] += input[to];
    for (int from = 0; from < MARK_ROW; from++) {
        float sum = 0;
        for (int to = 0; to < 3 * MARK_STATE; to++) {
            slopes->input[from][to] += step->input[from] * input[to];
            sum += layers->input[from][to] * input[to];
        }
        step->row_slope[from] += sum;
        slopes->history[step->mark][from] += sum;
    }
    for (int from = 0; from < MARK_STATE; from++) {
        float sum = 0;
        for (int to = 0; to < 3 * MARK_STATE; to++) {
            slopes->state[from][to] += step->before[from] * recurrent[to];
            sum += layers->state[from][to] * recurrent[to];
        }
        slope[from] = before[from] + sum;
    }
}

// Scores a place and goes back as far as the words and the state. Returns the loss.
static double place_loss(struct learner *learner, int place, int count, int right) {
    const struct mark_layers *layers = &learner->layers;
    struct mark_layers *slopes = &learner->slopes;
    struct step *steps = learner->steps;
    const float *from[1 + MARK_WINDOW];
    float *to[1 + MARK_WINDOW];
    from[0] = steps[place].state;
    to[0] = steps[place].state_slope;
    for (int offset = -MARK_BEFORE; offset <= MARK_AHEAD; offset++) {
        int other = place + offset;
        int isThere = other >= 0 && other < count;
        from[1 + MARK_BEFORE + offset] = isThere ? steps[other].row : NULL;
        to[1 + MARK_BEFORE + offset] = isThere ? steps[other].row_slope : NULL;
    }
    float hidden[MARK_HIDDEN], scores[MARK_KINDS], slope[MARK_HIDDEN];
    memcpy(hidden, layers->hidden_bias, sizeof hidden);
    for (int part = 0, line = 0; part <= MARK_WINDOW; part++) {
        int size = part == 0 ? MARK_STATE : MARK_ROW;
        for (int k = 0; k < size && from[part]; k++)
            for (int h = 0; h < MARK_HIDDEN; h++) hidden[h] += from[part][k] * layers->hidden[line + k][h];
        line += size;
    }
    memcpy(scores, layers->output_bias, sizeof scores);
    for (int h = 0; h < MARK_HIDDEN; h++)
        for (int kind = 0; kind < MARK_KINDS; kind++)
            scores[kind] += (hidden[h] > 0 ? hidden[h] : 0) * layers->output[h][kind];
    float likely = 0;
    for (int kind = 0; kind < MARK_KINDS; kind++) likely += expf(scores[kind]);
    for (int kind = 0; kind < MARK_KINDS; kind++) scores[kind] = expf(scores[kind]) / likely;
    // How likely it is to be as it should; of two kinds that are right, each gets its share.
    float good = right == MARK_NO_STOP ? scores[0] + scores[1] : scores[right];
    double loss = -logf(good + 1e-9f);
    for (int kind = 0; kind < MARK_KINDS; kind++)
        if (right == MARK_NO_STOP ? kind < 2 : kind == right) scores[kind] -= scores[kind] / (good + 1e-9f);
    for (int kind = 0; kind < MARK_KINDS; kind++) slopes->output_bias[kind] += scores[kind];
    for (int h = 0; h < MARK_HIDDEN; h++) {
        slope[h] = 0;
        if (hidden[h] <= 0) continue;
        for (int kind = 0; kind < MARK_KINDS; kind++) {
            slopes->output[h][kind] += hidden[h] * scores[kind];
            slope[h] += layers->output[h][kind] * scores[kind];
        }
        slopes->hidden_bias[h] += slope[h];
    }
    for (int part = 0, line = 0; part <= MARK_WINDOW; part++) {
        int size = part == 0 ? MARK_STATE : MARK_ROW;
        for (int k = 0; k < size && from[part]; k++) {
            float sum = 0;
            for (int h = 0; h < MARK_HIDDEN; h++) {
                slopes->hidden[line + k][h] += from[part][k] * slope[h];
                sum += layers->hidden[line + k][h] * slope[h];
            }
            to[part][k] += sum;
        }
        line += size;
    }
    return loss;
}

static void move(struct learner *learner, int count, float rate) {
    float *weights = (float *)&learner->layers, *slopes = (float *)&learner->slopes;
    float *first = (float *)&learner->first, *second = (float *)&learner->second;
    learner->updates++;
    float one = 1 - powf(first_decay, (float)learner->updates), two = 1 - powf(second_decay, (float)learner->updates);
    for (size_t place = 0; place < MARK_LAYERS; place++) {
        first[place] = first_decay * first[place] + (1 - first_decay) * slopes[place];
        second[place] = second_decay * second[place] + (1 - second_decay) * slopes[place] * slopes[place];
        weights[place] -= rate * layer_rate * (first[place] / one) / (sqrtf(second[place] / two) + 1e-7f);
        slopes[place] = 0;
    }
    for (int word = 0; word < count; word++)
        for (int part = 0; part < 3; part++) {
            size_t begin = (size_t)learner->steps[word].rows[part] * MARK_ROW;
            for (int k = 0; k < MARK_ROW; k++) {
                float slope = learner->steps[word].row_slope[k], *row = &learner->rows[begin + k];
                learner->row_second[begin + k] += slope * slope;
                *row -= rate * row_rate * slope / sqrtf(learner->row_second[begin + k]);
                *row = fmaxf(-largest_row, fminf(largest_row, *row));
            }
        }
}

// Returns the sum of the losses of a text.
static double learn_text(struct learner *learner, const struct mark_example *words, int count, float rate, long *places) {
    float state[MARK_STATE] = {0};
    int mark = 2;
    for (int place = 0; place < count; place++) {
        struct step *step = &learner->steps[place];
        uint32_t word = uniform() < unknown_words ? (uint32_t)(next_random() >> 32) : words[place].word;
        mark_rows(word, words[place].part, step->rows);
        step->mark = mark;
        memset(step->row_slope, 0, sizeof step->row_slope);
        memset(step->state_slope, 0, sizeof step->state_slope);
        memset(step->row, 0, sizeof step->row);
        for (int part = 0; part < 3; part++)
            for (int k = 0; k < MARK_ROW; k++) step->row[k] += learner->rows[step->rows[part] * MARK_ROW + k];
        read(&learner->layers, step, state);
        memcpy(state, step->state, sizeof state);
        mark = words[place].mark < MARK_KINDS && uniform() >= hidden_marks ? words[place].mark : 0;
    }
    double loss = 0;
    for (int place = 0; place < count; place++)
        if (words[place].counts) {
            loss += place_loss(learner, place, count, words[place].mark);
            ++*places;
        }
    float slope[MARK_STATE] = {0};
    for (int place = count - 1; place >= 0; place--) {
        for (int k = 0; k < MARK_STATE; k++) slope[k] += learner->steps[place].state_slope[k];
        read_back(learner, &learner->steps[place], slope);
    }
    move(learner, count, rate);
    return loss;
}

int mark_learn(struct mark_learning learning, float *layers, float *rows) {
    struct learner *learner = calloc(1, sizeof *learner);
    size_t *begins = calloc(learning.count + 1, sizeof *begins), texts = 0;
    if (!learner || !begins) {
        free(learner);
        free(begins);
        return 0;
    }
    for (size_t place = 0, length = 0; place < learning.count; place++, length++)
        if (learning.examples[place].begins || length == LONGEST) {
            begins[texts++] = place;
            length = 0;
        }
    begins[texts] = learning.count;
    size_t *order = calloc(texts + 1, sizeof *order);
    start(learner);
    for (size_t text = 0; order && text < texts; text++) order[text] = text;
    for (int pass = 0; order && pass < learning.passes; pass++) {
        double loss = 0;
        long places = 0;
        for (size_t left = texts; left > 1; left--) {
            size_t other = next_random() % left, last = order[left - 1];
            order[left - 1] = order[other];
            order[other] = last;
        }
        for (size_t text = 0; text < texts; text++) {
            double done = (pass + (double)text / (double)texts) / learning.passes;
            size_t begin = begins[order[text]];
            loss += learn_text(
                learner, learning.examples + begin, (int)(begins[order[text] + 1] - begin), (float)(1 - 0.95 * done), &places);
        }
        learning.report(pass + 1, loss / (double)(places > 0 ? places : 1));
    }
    memcpy(layers, &learner->layers, sizeof learner->layers);
    memcpy(rows, learner->rows, sizeof learner->rows);
    int isDone = order != NULL;
    free(order);
    free(begins);
    free(learner);
    return isDone;
}
