#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <setjmp.h>
typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
struct big { int a[10]; double d; };
struct bits { unsigned a:3; int b:7; unsigned long long c:40; } bf = {5, -3, 123456};
union u { int i; float f; char c[8]; } un = { .f = 1.5f };
_Bool flag = 1;
long double ld = 1.25L;
#ifdef __LP64__
__int128 wide = ((__int128)1 << 100) + 7;
#else
long long wide=7;
#endif
_BitInt(37) bi = 5;
unsigned _BitInt(200) bigb = 3;
int *parr[3] = { 0, (int*)&un, (int*)0x1234 };
char zeros[1<<20] = {0};
char tail[100000] = { [99999] = 3 };
long diff = (long)&un + 4;
static int sum(int n, ...) { va_list ap, aq; va_start(ap, n); va_copy(aq, ap); int s = 0; for (int i = 0; i < n; i++) s += va_arg(ap, int); s += va_arg(aq, int); va_end(ap); va_end(aq); return s; }
static double dsum(int n, ...) { va_list ap; va_start(ap, n); double s = 0; while (n--) s += va_arg(ap, double); struct big b = va_arg(ap, struct big); long double l = va_arg(ap, long double); va_end(ap); return s + b.d + l; }
struct big pass(struct big b) { b.a[3] = 7; return b; }
v4 vadd(v4 a, v4 b) { v4 c = a + b; c[1] = 9; v4 m = c < b; return (c & m) | a; }
f4 fv(f4 a) { return a * 2.0f; }
int lane(v4 a, int i) { return a[i]; }
int comp(int x) { static void *tab[] = { &&l0, &&l1, &&l2 }; goto *tab[x]; l0: return 10; l1: return 20; l2: return 30; }
jmp_buf jb;
_Atomic long al; atomic_flag fl;
int old_style();
int vla(int n) { int a[n]; a[0] = 1; a[n-1] = 2; return a[0] + a[n-1]; }
int al2(int n) { char *p = __builtin_alloca(n); p[0] = 1; return p[0]; }
extern void ext(struct big);
int main(int argc, char **argv) {
  struct big b = {{0}}; b = pass(b); ext(b);
  v4 v = {1,2,3,4}; v = vadd(v, v); f4 f = {1,2,3,4}; f = fv(f);
  bf.b = argc; bf.a++; 
  wide += argc; wide /= 3; bi *= 3; bigb <<= argc; ld *= argc;
  long e = 5; atomic_compare_exchange_strong(&al, &e, 7); atomic_compare_exchange_weak_explicit(&al, &e, 7, memory_order_acquire, memory_order_relaxed);
  atomic_fetch_add(&al, 3); atomic_exchange(&al, 9); atomic_fetch_or_explicit(&al, 1, memory_order_release);
  while (atomic_flag_test_and_set(&fl)) ; atomic_flag_clear(&fl); atomic_thread_fence(memory_order_seq_cst); atomic_signal_fence(memory_order_acquire);
  __sync_synchronize(); __sync_fetch_and_add(&un.i, 2); __sync_bool_compare_and_swap(&un.i, 1, 2);
  asm volatile("" ::: "memory"); asm volatile("mfence"); int h = argc; asm("" : "+r"(h)); asm volatile("pause"); 
  int ov; if (__builtin_add_overflow(argc, 5, &ov)) return 1; 
  int pc = __builtin_popcount(argc) + __builtin_clz(argc) + __builtin_ctz(argc) + __builtin_bswap32(argc) + __builtin_parity(argc)+ __builtin_ffs(argc);
  double q = __builtin_fabs(dsum(2, 1.0, 2.0, b, ld)) + __builtin_floor(1.5*argc) ; q = __builtin_fma(q,q,q); if (__builtin_isnan(q)) return 3; if (q != q || q < 2.0) return 8;
  volatile int vol = 3; vol++;
  if (setjmp(jb)) return 4;
  old_style(1, 2.0); 
  memcpy(&b, &b, sizeof b); memset(zeros, 0, argc); memmove(zeros, zeros+1, 5);
  long size = __builtin_object_size(zeros, 0) + __builtin_constant_p(argc);
  if (__builtin_expect(argc > 3, 0)) __builtin_trap();
  printf("%d %d %f\n", sum(3, 1, 2, 3), comp(argc), q);
  int (*fp)(int) = argc ? vla : al2; fp(3);
  return lane(v, argc) + un.c[2] + flag + parr[1][0] + (int)diff + tail[argc] + (int)size + pc + h + vol + (int)f[0] + (argc ? (int)(float)argc : (int)(unsigned char)argc) + (int)(unsigned long)q + (int)(long)ld;
}
