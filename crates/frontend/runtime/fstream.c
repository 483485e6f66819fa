/* std::filebuf over the program's world of files, and the tables of std::ifstream, std::ofstream and std::fstream.
 *
 * As streams of stdio do here, it holds nothing back: see streams.h.
 */
#include "streamtables.h"

#include "streams.h"

#if SIZE_MAX == UINT64_MAX

/* The part of std::filebuf that headers do not look into has our own. */
struct named {
    struct file_buffer shared;
    int last; /* what `unget` gives back */
};
_Static_assert(sizeof(struct named) <= 240, "a std::filebuf has room for it");

static int file_underflow(struct named *b)
{
    if (!b->shared.file || !(b->shared.mode & IN))
        return EOF;
    int c = __selvedge_getc(b->shared.file);
    return c == EOF ? EOF : __selvedge_ungetc(c, b->shared.file);
}

static int file_uflow(struct named *b)
{
    if (!b->shared.file || !(b->shared.mode & IN))
        return EOF;
    return b->last = __selvedge_getc(b->shared.file);
}

static int file_put_back(struct named *b, int c)
{
    int back = c == EOF ? b->last : c;
    b->last = EOF;
    return back == EOF || !b->shared.file ? EOF : __selvedge_ungetc(back, b->shared.file);
}

static int can_write(const struct named *b) { return b->shared.file && (b->shared.mode & (OUT | APPEND)); }

static ptrdiff_t file_put_several(struct named *b, const char *from, ptrdiff_t size)
{
    return can_write(b) ? (ptrdiff_t)fwrite(from, 1, (size_t)size, b->shared.file) : 0;
}

static int file_overflow(struct named *b, int c)
{
    if (!can_write(b))
        return EOF;
    return c == EOF ? 0 : fputc(c, b->shared.file);
}

static int file_sync(struct named *b)
{
    if (b->shared.file) {
        selvedge_atomic_begin();
        __selvedge_flush(stream_of(b->shared.file));
        selvedge_atomic_end();
    }
    return 0;
}

static struct position file_seek_by(struct named *b, long offset, int from, unsigned mode)
{
    (void)mode;
    struct position result = {.offset = -1};
    b->last = EOF;
    int whence = from == 0 ? SEEK_SET : from == 1 ? SEEK_CUR : SEEK_END;
    if (!b->shared.file)
        return result;
    /* To ask where it is does not move it. */
    if ((from != 1 || offset != 0) && __selvedge_fseek(b->shared.file, offset, whence) != 0)
        return result;
    result.offset = __selvedge_ftell(b->shared.file);
    return result;
}

static struct position file_seek_to(struct named *b, struct position to, unsigned mode)
{
    return file_seek_by(b, to.offset, 0, mode);
}

/* Says why a number cannot go to the file: a stream that is not open is not written to by fprintf. */
static void mark(struct named *b) { b->shared.base.locale = can_write(b) ? &__selvedge_leads_to_file : NULL; }

static struct named *shut(struct named *b)
{
    if (!b->shared.file)
        return NULL;
    int result = __selvedge_fclose(b->shared.file);
    b->shared.file = NULL;
    b->shared.mode = 0;
    mark(b);
    return result == 0 ? b : NULL;
}

static void release(struct named *b) { shut(b); }
static void release_and_delete(struct named *b)
{
    shut(b);
    _ZdlPv(b);
}

WEAK const entry _ZTVSt13basic_filebufIcSt11char_traitsIcEE[16] = {
    NULL, TYPE, ENTRY(release), ENTRY(release_and_delete), NONE, NONE, ENTRY(file_seek_by), ENTRY(file_seek_to),
    ENTRY(file_sync), NONE, ENTRY(__selvedge_buffer_get), ENTRY(file_underflow), ENTRY(file_uflow),
    ENTRY(file_put_back), ENTRY(file_put_several), ENTRY(file_overflow)};

WEAK void _ZNSt13basic_filebufIcSt11char_traitsIcEEC1Ev(struct named *b)
{
    *b = (struct named){.shared.base.table = _ZTVSt13basic_filebufIcSt11char_traitsIcEE + 2, .last = EOF};
}
WEAK void _ZNSt13basic_filebufIcSt11char_traitsIcEEC2Ev(struct named *b)
{
    *b = (struct named){.shared.base.table = _ZTVSt13basic_filebufIcSt11char_traitsIcEE + 2, .last = EOF};
}

/* How fopen calls a mode; NULL for those that there are not. */
static const char *mode_of(unsigned mode)
{
    switch (mode & (IN | OUT | TRUNCATE | APPEND)) {
    case OUT:
    case OUT | TRUNCATE:
        return "w";
    case APPEND:
    case OUT | APPEND:
        return "a";
    case IN:
        return "r";
    case IN | OUT:
        return "r+";
    case IN | OUT | TRUNCATE:
        return "w+";
    case IN | APPEND:
    case IN | OUT | APPEND:
        return "a+";
    default:
        return NULL;
    }
}

WEAK struct named *_ZNSt13basic_filebufIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode(struct named *b, const char *path,
                                                                                       unsigned mode)
{
    const char *name = mode_of(mode);
    if (b->shared.file || !name)
        return NULL;
    b->shared.file = __selvedge_fopen(path, name);
    if (!b->shared.file)
        return NULL;
    b->shared.mode = (int)mode;
    b->last = EOF;
    mark(b);
    if ((mode & AT_THE_END) && __selvedge_fseek(b->shared.file, 0, SEEK_END) != 0) {
        shut(b);
        return NULL;
    }
    return b;
}

WEAK struct named *_ZNSt13basic_filebufIcSt11char_traitsIcEE5closeEv(struct named *b) { return shut(b); }

/* std::__basic_file: what headers ask and end is the file itself. */
WEAK _Bool _ZNKSt12__basic_fileIcE7is_openEv(FILE *const *file) { return *file != NULL; }
WEAK void _ZNSt12__basic_fileIcED1Ev(FILE **file) { (void)file; }

DESTRUCTORS(in, 16, release)
DESTRUCTORS(out, 8, release)
DESTRUCTORS(both, 24, release)

ONE_WAY(_ZTVSt14basic_ifstreamIcSt11char_traitsIcEE, _ZTTSt14basic_ifstreamIcSt11char_traitsIcEE, 256, in_destroy,
        in_delete)
ONE_WAY(_ZTVSt14basic_ofstreamIcSt11char_traitsIcEE, _ZTTSt14basic_ofstreamIcSt11char_traitsIcEE, 248, out_destroy,
        out_delete)
BOTH_WAYS(_ZTVSt13basic_fstreamIcSt11char_traitsIcEE, _ZTTSt13basic_fstreamIcSt11char_traitsIcEE, 264, both_destroy,
          both_delete)

#endif
