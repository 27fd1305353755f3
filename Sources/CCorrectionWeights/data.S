/* The files in data/, as bytes of the program. `.incbin` and not C23's `#embed`, which the compiler of Swift 6.1 lacks. */
    .section .rodata
    .global correction_weights_begin, correction_weights_end, correction_classes_begin, correction_classes_end
    .global mark_weights_begin, mark_weights_end, mark_classes_begin, mark_classes_end
correction_weights_begin:
    .incbin "weights.txt"
correction_weights_end:
correction_classes_begin:
    .incbin "classes.txt"
correction_classes_end:
mark_weights_begin:
    .incbin "marks.txt"
mark_weights_end:
mark_classes_begin:
    .incbin "mark-classes.txt"
mark_classes_end:
    .section .note.GNU-stack, "", %progbits
