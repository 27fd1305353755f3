#include "CCorrectionWeights.h"

extern const unsigned char correction_weights_begin[], correction_weights_end[];
extern const unsigned char correction_classes_begin[], correction_classes_end[];
extern const unsigned char question_weights_begin[], question_weights_end[];
extern const unsigned char mark_network_begin[], mark_network_end[];

struct correction_data correction_weights(void) {
    return (struct correction_data){
        correction_weights_begin, (size_t)(correction_weights_end - correction_weights_begin)};
}

struct correction_data correction_classes(void) {
    return (struct correction_data){
        correction_classes_begin, (size_t)(correction_classes_end - correction_classes_begin)};
}

struct correction_data question_weights(void) {
    return (struct correction_data){
        question_weights_begin, (size_t)(question_weights_end - question_weights_begin)};
}

struct correction_data mark_network(void) {
    return (struct correction_data){mark_network_begin, (size_t)(mark_network_end - mark_network_begin)};
}
