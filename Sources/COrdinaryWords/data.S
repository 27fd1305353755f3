/* The files in data/, as bytes of the program. `.incbin` and not C23's `#embed`, which the compiler of Swift 6.1 lacks. */
    .section .rodata
    .global ordinary_words_english_begin, ordinary_words_english_end
ordinary_words_english_begin:
    .incbin "en.txt"
ordinary_words_english_end:
    .section .note.GNU-stack, "", %progbits
