#include "COrdinaryWords.h"

extern const unsigned char ordinary_words_english_begin[], ordinary_words_english_end[];

struct ordinary_words ordinary_words_english(void) {
    return (struct ordinary_words){
        ordinary_words_english_begin, (size_t)(ordinary_words_english_end - ordinary_words_english_begin)};
}
