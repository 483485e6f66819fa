// To be included first (-include): barnes reads memory that it has not written, and leaves out the last argument of a
// function that does not use it. Here fresh memory is zero, and the argument is 0.
#include <stdlib.h>
#define malloc(size) calloc(1, size)

#define PICK(a, b, c, name, ...) name
#define gravsub(...) PICK(__VA_ARGS__, WITH_3, WITH_2, WITH_1)(__VA_ARGS__)
#define WITH_1(none) gravsub(none)
#define WITH_2(p, id) gravsub(p, id, 0)
#define WITH_3(p, id, level) gravsub(p, id, level)
