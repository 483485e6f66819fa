// Runs a test of CHESS: its own `main`, if it has one, is called something else (-Dmain=program).
#undef main
#include <assert.h>

extern "C" int ChessTestRun();
extern "C" __attribute__((weak)) int ChessTestStartup(int argc, char **argv);
extern "C" __attribute__((weak)) int ChessTestShutdown();

int main(int argc, char **argv)
{
    if (ChessTestStartup)
        ChessTestStartup(argc, argv);
    int result = ChessTestRun();
    assert(result == 0);
    if (ChessTestShutdown)
        ChessTestShutdown();
    return 0;
}
