// Collision avoidance, much simplified: an advisory to climb although the other aircraft is above.
//@ verdict: unsafe(assert)
#include "../inputs.h"
#include <assert.h>

enum advisory { NONE, CLIMB, DESCEND };

struct situation {
    int own_altitude;
    int other_altitude;
    int other_rate;    /* feet per minute */
    int horizontal;    /* distance in feet */
    int climb_allowed; /* 0 near the ceiling */
    int confidence;    /* 0 to 2 */
};

static int separation_after_climb(const struct situation *s, int seconds)
{
    int other = s->other_altitude + s->other_rate * seconds / 60;
    return s->own_altitude + 1500 * seconds / 60 - other;
}

static int separation_after_descent(const struct situation *s, int seconds)
{
    int other = s->other_altitude + s->other_rate * seconds / 60;
    return other - (s->own_altitude - 1500 * seconds / 60);
}

static enum advisory advise(const struct situation *s)
{
    if (s->horizontal > 20000 || s->confidence == 0)
        return NONE;
    int up = separation_after_climb(s, 30), down = separation_after_descent(s, 30);
    // Nearly equal: prefers the climb, without looking where the other one is.
    if (s->climb_allowed && up + 2000 > down)
        return CLIMB;
    if (down > 0)
        return DESCEND;
    return NONE;
}

int main(void)
{
    struct situation s;
    klee_make_symbolic(&s, sizeof s, "s");
    klee_assume((s.own_altitude >= 5000) & (s.own_altitude <= 30000));
    klee_assume((s.other_altitude >= 5000) & (s.other_altitude <= 30000));
    klee_assume((s.other_rate >= -3000) & (s.other_rate <= 3000));
    klee_assume((s.horizontal >= 0) & (s.horizontal <= 60000));
    enum advisory advisory = advise(&s);
    if (advisory == CLIMB)
        assert(s.other_altitude <= s.own_altitude || separation_after_climb(&s, 30) > 0); //~ BUG!
    return 0;
}
