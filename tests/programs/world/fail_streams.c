// With --fail io a stream may break: it is not at its end then, and what was written may be lost in the end.
//@ rev default:
//@ verdict[default]: safe
//@ rev never: --fail io --fail-at-most 0
//@ clang[never]: -DREADING -DWHOLE -DWRITING -DCLOSING
//@ verdict[never]: safe
//@ rev fails: --fail io
//@ verdict[fails]: safe
//@ rev reading: --fail io
//@ clang[reading]: -D READING
//@ verdict[reading]: unsafe(assert)
//@ rev whole: --fail io
//@ clang[whole]: -D WHOLE
//@ verdict[whole]: unsafe(assert)
//@ rev writing: --fail io
//@ clang[writing]: -D WRITING
//@ verdict[writing]: unsafe(assert)
//@ rev closing: --fail io
//@ clang[closing]: -D CLOSING
//@ verdict[closing]: unsafe(assert)
#include <assert.h>
#include <stdio.h>

int main(void)
{
    char text[4];
    FILE *file = fopen("/tmp/new", "w+");
    if (!file)
        return 1;
    int put = fputs("ab", file);
    int flushed = fflush(file);
#ifdef WRITING
    assert(put != EOF && flushed != EOF);
#endif
    if (put != EOF && flushed != EOF) {
        rewind(file);
        assert(!ferror(file));
#ifdef WHOLE
        size_t n = fread(text, 1, sizeof text, file);
        assert(feof(file));
#else
        size_t n = 0;
        int c;
        while (n < sizeof text && (c = getc(file)) != EOF)
            text[n++] = (char)c;
#endif
        assert(n == 2 || ferror(file));
#ifdef READING
        assert(n == 2);
#endif
    }
    int closed = fclose(file);
#ifdef CLOSING
    assert(closed == 0);
#endif
    (void)closed;
    return 0;
}
