#include "CCorrectionWeights.h"

extern const unsigned char correction_weights_begin[], correction_weights_end[];
extern const unsigned char correction_classes_begin[], correction_classes_end[];
extern const unsigned char mark_weights_begin[], mark_weights_end[];
extern const unsigned char mark_classes_begin[], mark_classes_end[];

struct correction_data correction_weights(void) {
    return (struct correction_data){
        correction_weights_begin, (size_t)(correction_weights_end - correction_weights_begin)};
}

struct correction_data correction_classes(void) {
    return (struct correction_data){
        correction_classes_begin, (size_t)(correction_classes_end - correction_classes_begin)};
}

struct correction_data mark_weights(void) {
    return (struct correction_data){mark_weights_begin, (size_t)(mark_weights_end - mark_weights_begin)};
}

struct correction_data mark_classes(void) {
    return (struct correction_data){mark_classes_begin, (size_t)(mark_classes_end - mark_classes_begin)};
}
