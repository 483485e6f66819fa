// Standard input takes its time: a handler without SA_RESTART ends what waits for it, and poll with any.
//@ verdict: unsafe(assert)
//@ rev read:
//@ clang[read]: -DREAD -DFLAGS=0
//@ rev read_restart:
//@ clang[read_restart]: -DREAD
//@ verdict[read_restart]: safe
//@ rev getchar:
//@ clang[getchar]: -DFLAGS=0
//@ rev getchar_restart:
//@ verdict[getchar_restart]: safe
//@ rev poll:
//@ clang[poll]: -DPOLL
//@ rev accept:
//@ clang[accept]: -DACCEPT -DFLAGS=0
//@ rev accept_restart:
//@ clang[accept_restart]: -DACCEPT
//@ verdict[accept_restart]: safe
//@ rev receive:
//@ clang[receive]: -DRECEIVE -DFLAGS=0
//@ rev receive_restart:
//@ clang[receive_restart]: -DRECEIVE
//@ verdict[receive_restart]: safe
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef FLAGS
#define FLAGS SA_RESTART
#endif

static void on_usr1(int number) { (void)number; }

int main(void)
{
    struct sigaction action = {.sa_flags = FLAGS};
    action.sa_handler = on_usr1;
    errno = 0;
#if defined ACCEPT || defined RECEIVE
    int server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(4000)};
    if (bind(server, (struct sockaddr *)&name, sizeof name) != 0 || listen(server, 1) != 0)
        return 1;
#endif
#ifdef RECEIVE
    int client = accept(server, NULL, NULL);
#endif
    sigaction(SIGUSR1, &action, NULL);
    char byte;
#if defined READ
    int is_done = read(0, &byte, 1) >= 0;
#elif defined POLL
    struct pollfd one = {.fd = 0, .events = POLLIN};
    int is_done = poll(&one, 1, -1) == 1;
#elif defined ACCEPT
    int is_done = accept(server, NULL, NULL) >= 0;
#elif defined RECEIVE
    int is_done = client < 0 || recv(client, &byte, 1, 0) >= 0;
#else
    byte = (char)getchar();
    int is_done = !ferror(stdin);
#endif
    assert(is_done || errno == EINTR);
    assert(is_done); //~ BUG! assert
    return 0;
}
