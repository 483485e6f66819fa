/* The tables of std::istream, std::ostream and std::iostream, whose buffer is the program's. See streamtables.h. */
#include "streamtables.h"

/* The buffer is not theirs. */
static void release(void *part) { (void)part; }
DESTRUCTORS(plain, 0, release)

#define WORD ((long)sizeof(void *))
#define PLAIN(to_ios, to_start) PART(to_ios, to_start, plain_destroy, plain_delete)

WEAK const struct part _ZTVSo[2] = {PLAIN(WORD, 0), PLAIN(-WORD, -WORD)};
WEAK const void *const _ZTTSo[2] = {_ZTVSo[0].functions, _ZTVSo[1].functions};
WEAK const struct part _ZTVSi[2] = {PLAIN(2 * WORD, 0), PLAIN(-2 * WORD, -2 * WORD)};
WEAK const void *const _ZTTSi[2] = {_ZTVSi[0].functions, _ZTVSi[1].functions};
WEAK const struct part _ZTVSd[3] = {PLAIN(3 * WORD, 0), PLAIN(3 * WORD - TO_OUT, -TO_OUT),
                                    PLAIN(-3 * WORD, -3 * WORD)};
WEAK const void *const _ZTTSd[7] = {_ZTVSd[0].functions, _ZTVSd[0].functions, _ZTVSd[2].functions, _ZTVSd[1].functions,
                                    _ZTVSd[2].functions, _ZTVSd[2].functions, _ZTVSd[1].functions};
