// As much of Windows as the programs of CHESS need, on top of POSIX threads: threads, critical sections, events,
// semaphores, mutexes, slim locks, condition variables, interlocked operations.
//
// One lock guards the state of all handles. A wait with a time limit may end at any time; one for a handle that is ready
// does not. Named objects, timers, thread pools, completion ports, asynchronous calls and files are not there.
#pragma once

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" int __VERIFIER_nondet_int(void);
// Defined nowhere: whoever needs them gets no verdict.
extern "C" void windows_without_names(void);
extern "C" void windows_without_suspension(void);

#define WINAPI
#define CALLBACK
#define APIENTRY
#define __cdecl
#define __stdcall
#define __declspec(what)
#define UNREFERENCED_PARAMETER(name) ((void)(name))
#define TRUE 1
#define FALSE 0
#define INFINITE 0xffffffffu
#define WAIT_OBJECT_0 0u
#define WAIT_ABANDONED_0 0x80u
#define WAIT_ABANDONED 0x80u
#define WAIT_TIMEOUT 258u
#define WAIT_FAILED 0xffffffffu
#define ERROR_SUCCESS 0
#define ERROR_NOT_OWNER 288
#define DUPLICATE_SAME_ACCESS 2
#define CREATE_SUSPENDED 4

#define WT_EXECUTEDEFAULT 0
#define WT_EXECUTELONGFUNCTION 0x10
#define VOID void
#define PtrToLong(pointer) ((LONG)(intptr_t)(pointer))
#define LongToPtr(number) ((void *)(intptr_t)(number))

typedef int BOOL;
typedef int LONG;
typedef int INT;
typedef unsigned DWORD, UINT, ULONG;
typedef unsigned char BYTE, BOOLEAN;
typedef long long LONGLONG;
typedef void *PVOID, *LPVOID;
typedef const char *LPCSTR;
typedef LONG *LPLONG;
typedef DWORD *LPDWORD;
typedef size_t SIZE_T;
typedef uintptr_t ULONG_PTR, DWORD_PTR;
typedef intptr_t LONG_PTR;
typedef DWORD (*LPTHREAD_START_ROUTINE)(LPVOID);

// --- handles ---

enum HandleKind { THREAD, MANUAL_EVENT, AUTO_EVENT, SEMAPHORE, MUTEX };

struct Handle {
    HandleKind kind;
    int users;
    LONG count;       // what a wait takes one of; of a thread and a manual event, whether it is signalled
    LONG limit;       // of a semaphore
    unsigned owner;   // of a mutex
    unsigned start_id;
    DWORD (*start)(LPVOID);
    unsigned (*start_crt)(void *);
    LPVOID argument;
    DWORD result;
};
typedef Handle *HANDLE;
#define INVALID_HANDLE_VALUE ((HANDLE)-1)

inline pthread_mutex_t windows_lock = PTHREAD_MUTEX_INITIALIZER;
inline pthread_cond_t windows_change = PTHREAD_COND_INITIALIZER;
inline unsigned windows_threads = 1;
inline thread_local unsigned windows_me = 1;
inline thread_local DWORD windows_error;
inline thread_local HANDLE windows_self;

inline HANDLE windows_handle(HandleKind kind, LONG count, LONG limit)
{
    HANDLE handle = (HANDLE)calloc(1, sizeof *handle);
    handle->kind = kind;
    handle->users = 1;
    handle->count = count;
    handle->limit = limit;
    return handle;
}

inline DWORD GetLastError() { return windows_error; }
inline void SetLastError(DWORD error) { windows_error = error; }
inline HANDLE GetCurrentProcess() { return INVALID_HANDLE_VALUE; }
inline DWORD GetCurrentThreadId() { return windows_me; }
inline HANDLE GetCurrentThread() { return windows_self; }

inline BOOL CloseHandle(HANDLE handle)
{
    pthread_mutex_lock(&windows_lock);
    bool is_last = --handle->users == 0;
    pthread_mutex_unlock(&windows_lock);
    if (is_last)
        free(handle);
    return TRUE;
}

inline BOOL DuplicateHandle(HANDLE, HANDLE handle, HANDLE, HANDLE *to, DWORD, BOOL, DWORD)
{
    pthread_mutex_lock(&windows_lock);
    handle->users++;
    pthread_mutex_unlock(&windows_lock);
    *to = handle;
    return TRUE;
}

inline bool windows_is_ready(HANDLE handle)
{
    return handle->count > 0 || (handle->kind == MUTEX && handle->owner == windows_me);
}

inline void windows_take(HANDLE handle)
{
    if (handle->kind == MUTEX) {
        handle->owner = windows_me;
        handle->limit++; // how often it is held
        handle->count = 0;
    } else if (handle->kind == AUTO_EVENT || handle->kind == SEMAPHORE) {
        handle->count--;
    }
}

inline DWORD WaitForMultipleObjects(DWORD n, const HANDLE *handles, BOOL all, DWORD milliseconds)
{
    pthread_mutex_lock(&windows_lock);
    for (;;) {
        DWORD ready = 0, first = n;
        for (DWORD i = n; i-- > 0;) {
            if (windows_is_ready(handles[i])) {
                ready++;
                first = i;
            }
        }
        if (all ? ready == n : ready > 0) {
            for (DWORD i = 0; i < n; i++) {
                if (all || i == first)
                    windows_take(handles[i]);
            }
            pthread_mutex_unlock(&windows_lock);
            return all ? WAIT_OBJECT_0 : WAIT_OBJECT_0 + first;
        }
        if (milliseconds == 0 || (milliseconds != INFINITE && __VERIFIER_nondet_int())) {
            pthread_mutex_unlock(&windows_lock);
            return WAIT_TIMEOUT;
        }
        pthread_cond_wait(&windows_change, &windows_lock);
    }
}

inline DWORD WaitForSingleObject(HANDLE handle, DWORD milliseconds)
{
    return WaitForMultipleObjects(1, &handle, TRUE, milliseconds);
}

// Sets the count and wakes whoever waits for it; gives the count before.
inline LONG windows_signal(HANDLE handle, LONG count)
{
    pthread_mutex_lock(&windows_lock);
    LONG before = handle->count;
    handle->count = count;
    pthread_cond_broadcast(&windows_change);
    pthread_mutex_unlock(&windows_lock);
    return before;
}

// --- threads ---

inline void windows_end(DWORD result)
{
    HANDLE self = windows_self;
    if (self) {
        self->result = result;
        windows_signal(self, 1);
        CloseHandle(self);
    }
}

inline void *windows_run(void *argument)
{
    windows_self = (HANDLE)argument;
    windows_me = windows_self->start_id;
    HANDLE self = windows_self;
    windows_end(self->start ? self->start(self->argument) : self->start_crt(self->argument));
    return NULL;
}

inline HANDLE windows_create(HANDLE handle, DWORD *id)
{
    handle->users = 2; // the thread itself
    pthread_mutex_lock(&windows_lock);
    handle->start_id = ++windows_threads;
    pthread_mutex_unlock(&windows_lock);
    if (id)
        *id = handle->start_id;
    pthread_t thread;
    pthread_create(&thread, NULL, windows_run, handle);
    pthread_detach(thread);
    return handle;
}

template <class Start>
HANDLE CreateThread(void *, SIZE_T, Start start, LPVOID argument, DWORD flags, DWORD *id)
{
    if (flags & CREATE_SUSPENDED)
        windows_without_suspension();
    HANDLE handle = windows_handle(THREAD, 0, 1);
    handle->start = (LPTHREAD_START_ROUTINE)start;
    handle->argument = argument;
    return windows_create(handle, id);
}

inline uintptr_t _beginthreadex(void *, unsigned, unsigned (*start)(void *), void *argument, unsigned, unsigned *id)
{
    HANDLE handle = windows_handle(THREAD, 0, 1);
    handle->start_crt = start;
    handle->argument = argument;
    return (uintptr_t)windows_create(handle, id);
}

inline void ExitThread(DWORD result)
{
    windows_end(result);
    pthread_exit(NULL);
}

inline void _endthreadex(unsigned result) { ExitThread(result); }
inline void _endthread() { ExitThread(0); }

// A pool has a thread for each item.
template <class Start> BOOL QueueUserWorkItem(Start start, LPVOID argument, ULONG)
{
    return CloseHandle(CreateThread(NULL, 0, start, argument, 0, NULL));
}

inline void Sleep(DWORD) { sched_yield(); }
inline BOOL SwitchToThread() { return sched_yield() == 0; }
inline void DebugBreak() { abort(); }

// --- events, semaphores, mutexes ---

inline HANDLE CreateEvent(void *, BOOL manual, BOOL is_set, const void *name)
{
    if (name)
        windows_without_names();
    return windows_handle(manual ? MANUAL_EVENT : AUTO_EVENT, is_set, 1);
}

inline BOOL SetEvent(HANDLE event)
{
    windows_signal(event, 1);
    return TRUE;
}

inline BOOL ResetEvent(HANDLE event)
{
    windows_signal(event, 0);
    return TRUE;
}

inline HANDLE CreateSemaphore(void *, LONG count, LONG limit, const void *name)
{
    if (name)
        windows_without_names();
    return windows_handle(SEMAPHORE, count, limit);
}

inline BOOL ReleaseSemaphore(HANDLE semaphore, LONG count, LONG *before)
{
    pthread_mutex_lock(&windows_lock);
    bool fits = semaphore->count + count <= semaphore->limit;
    if (before)
        *before = semaphore->count;
    if (fits) {
        semaphore->count += count;
        pthread_cond_broadcast(&windows_change);
    }
    pthread_mutex_unlock(&windows_lock);
    return fits;
}

inline HANDLE CreateMutex(void *, BOOL is_held, const void *name)
{
    if (name)
        windows_without_names();
    HANDLE mutex = windows_handle(MUTEX, !is_held, is_held);
    mutex->owner = is_held ? windows_me : 0;
    return mutex;
}

inline BOOL ReleaseMutex(HANDLE mutex)
{
    pthread_mutex_lock(&windows_lock);
    bool is_mine = mutex->owner == windows_me;
    if (!is_mine) {
        windows_error = ERROR_NOT_OWNER;
    } else if (--mutex->limit == 0) {
        mutex->owner = 0;
        mutex->count = 1;
        pthread_cond_broadcast(&windows_change);
    }
    pthread_mutex_unlock(&windows_lock);
    return is_mine;
}

inline DWORD SignalObjectAndWait(HANDLE signalled, HANDLE waited, DWORD milliseconds, BOOL)
{
    if (signalled->kind == MUTEX)
        ReleaseMutex(signalled);
    else if (signalled->kind == SEMAPHORE)
        ReleaseSemaphore(signalled, 1, NULL);
    else
        SetEvent(signalled);
    return WaitForSingleObject(waited, milliseconds);
}

// --- critical sections, slim locks, condition variables ---

typedef pthread_mutex_t CRITICAL_SECTION, *LPCRITICAL_SECTION;

inline void InitializeCriticalSection(CRITICAL_SECTION *section)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(section, &attributes);
}

inline BOOL InitializeCriticalSectionAndSpinCount(CRITICAL_SECTION *section, DWORD)
{
    InitializeCriticalSection(section);
    return TRUE;
}

inline void DeleteCriticalSection(CRITICAL_SECTION *section) { pthread_mutex_destroy(section); }
inline void EnterCriticalSection(CRITICAL_SECTION *section) { pthread_mutex_lock(section); }
inline BOOL TryEnterCriticalSection(CRITICAL_SECTION *section) { return pthread_mutex_trylock(section) == 0; }
inline void LeaveCriticalSection(CRITICAL_SECTION *section) { pthread_mutex_unlock(section); }

typedef pthread_rwlock_t SRWLOCK;
#define SRWLOCK_INIT PTHREAD_RWLOCK_INITIALIZER

inline void InitializeSRWLock(SRWLOCK *lock) { pthread_rwlock_init(lock, NULL); }
inline void AcquireSRWLockExclusive(SRWLOCK *lock) { pthread_rwlock_wrlock(lock); }
inline void AcquireSRWLockShared(SRWLOCK *lock) { pthread_rwlock_rdlock(lock); }
inline void ReleaseSRWLockExclusive(SRWLOCK *lock) { pthread_rwlock_unlock(lock); }
inline void ReleaseSRWLockShared(SRWLOCK *lock) { pthread_rwlock_unlock(lock); }

typedef pthread_cond_t CONDITION_VARIABLE;

inline void InitializeConditionVariable(CONDITION_VARIABLE *condition) { pthread_cond_init(condition, NULL); }
inline void WakeConditionVariable(CONDITION_VARIABLE *condition) { pthread_cond_signal(condition); }
inline void WakeAllConditionVariable(CONDITION_VARIABLE *condition) { pthread_cond_broadcast(condition); }

inline BOOL SleepConditionVariableCS(CONDITION_VARIABLE *condition, CRITICAL_SECTION *section, DWORD milliseconds)
{
    if (milliseconds != INFINITE && __VERIFIER_nondet_int())
        return FALSE;
    return pthread_cond_wait(condition, section) == 0;
}

// --- interlocked operations ---

template <class T> T InterlockedIncrement(volatile T *at) { return __atomic_add_fetch(at, 1, __ATOMIC_SEQ_CST); }
template <class T> T InterlockedDecrement(volatile T *at) { return __atomic_sub_fetch(at, 1, __ATOMIC_SEQ_CST); }

template <class T> T InterlockedExchange(volatile T *at, LONG to)
{
    return __atomic_exchange_n(at, (T)to, __ATOMIC_SEQ_CST);
}

template <class T> T InterlockedExchangeAdd(volatile T *at, LONG by)
{
    return __atomic_fetch_add(at, by, __ATOMIC_SEQ_CST);
}

template <class T> T InterlockedCompareExchange(volatile T *at, LONG to, LONG expected)
{
    T found = expected;
    __atomic_compare_exchange_n(at, &found, (T)to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return found;
}

inline PVOID InterlockedCompareExchangePointer(PVOID volatile *at, PVOID to, PVOID expected)
{
    __atomic_compare_exchange_n(at, &expected, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return expected;
}

#define _InterlockedIncrement InterlockedIncrement
#define _InterlockedDecrement InterlockedDecrement
#define _InterlockedExchange InterlockedExchange
#define _InterlockedExchangeAdd InterlockedExchangeAdd
#define _InterlockedCompareExchange InterlockedCompareExchange
