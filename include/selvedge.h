/* The interface between a C or C++ program and Selvedge.
 *
 * A harness gets arbitrary values from the functions below, restricts them with `selvedge_assume`
 * and states what must hold with `selvedge_assert` (or the ordinary `assert`):
 *
 *     #include <selvedge.h>
 *
 *     int main(void) {
 *         int x = selvedge_int("x");
 *         selvedge_assume(x >= 0 && x < 100);
 *         selvedge_assert(square(x) >= x);
 *     }
 *
 * `name` is how the input appears in reports and tests. A function called several times with the
 * same name gives a new input each time.
 */
#ifndef SELVEDGE_H
#define SELVEDGE_H

#include <stddef.h>
#include <stdint.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the `size` bytes at `addr` arbitrary. */
void selvedge_symbolic(void *addr, size_t size, const char *name);

/* Makes a whole variable one that comes from outside: as `selvedge_symbolic`, and a pointer in it is null, or leads to memory
 * that comes from outside as well: of its own, or what another such pointer leads to. */
void selvedge_outside(void *variable, size_t size, const char *name);

/* An arbitrary value of the type. */
bool selvedge_bool(const char *name);
char selvedge_char(const char *name);
signed char selvedge_schar(const char *name);
unsigned char selvedge_uchar(const char *name);
short selvedge_short(const char *name);
unsigned short selvedge_ushort(const char *name);
int selvedge_int(const char *name);
unsigned int selvedge_uint(const char *name);
long selvedge_long(const char *name);
unsigned long selvedge_ulong(const char *name);
long long selvedge_longlong(const char *name);
unsigned long long selvedge_ulonglong(const char *name);
size_t selvedge_size(const char *name);
int8_t selvedge_i8(const char *name);
uint8_t selvedge_u8(const char *name);
int16_t selvedge_i16(const char *name);
uint16_t selvedge_u16(const char *name);
int32_t selvedge_i32(const char *name);
uint32_t selvedge_u32(const char *name);
int64_t selvedge_i64(const char *name);
uint64_t selvedge_u64(const char *name);
float selvedge_float(const char *name);
double selvedge_double(const char *name);

/* An arbitrary integer with `low <= x && x <= high`. */
int selvedge_range(int low, int high, const char *name);

/* Only executions in which `condition` holds are looked at. */
void selvedge_assume(bool condition);

/* An error in the program if `condition` does not hold. */
void selvedge_assert(bool condition);

/* What lies between the two is one step: no other thread runs in between. */
void selvedge_atomic_begin(void);
void selvedge_atomic_end(void);

#ifdef __cplusplus
}
#endif

#endif
