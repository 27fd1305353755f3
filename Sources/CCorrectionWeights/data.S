/* The files in data/, as bytes of the program. `.incbin` and not C23's `#embed`, which the compiler of Swift 6.1 lacks. */
    .section .rodata
    .global correction_weights_begin, correction_weights_end, correction_classes_begin, correction_classes_end
    .global question_weights_begin, question_weights_end, mark_network_begin, mark_network_end
correction_weights_begin:
    .incbin "weights.txt"
correction_weights_end:
correction_classes_begin:
    .incbin "classes.txt"
correction_classes_end:
question_weights_begin:
    .incbin "questions.txt"
question_weights_end:
mark_network_begin:
    .incbin "marks.bin"
mark_network_end:
    .section .note.GNU-stack, "", %progbits
