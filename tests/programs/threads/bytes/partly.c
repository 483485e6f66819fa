// Bytes that are not those of an initialiser, or not all of them, leave a lock that nobody understands; so does a copy of
// one that is held. Beside the lock everything may be written.
//@ verdict: unknown
//@ rev part:
//@ clang[part]: -DDO=memset(&one.lock,0,8)
//@ reason[part]: a lock whose bytes were written over
//@ rev ones:
//@ clang[ones]: -DDO=memset(&one.lock,1,sizeof_lock)
//@ reason[ones]: a lock whose bytes were written over
//@ rev spin:
//@ clang[spin]: -DDO=spin=0;pthread_spin_lock(&spin)
//@ reason[spin]: a lock whose bytes were written over
//@ rev held:
//@ clang[held]: -DDO=two=one;pthread_mutex_lock(&two.lock)
//@ reason[held]: a lock whose bytes were written over
//@ rev read:
//@ clang[read]: -DDO=one.before=one.lock.__data.__lock
//@ reason[read]: the bytes of a lock that was used are read
//@ rev beside:
//@ clang[beside]: -DDO=one.before=one.after=1
//@ verdict[beside]: safe
//@ rev free:
//@ clang[free]: -DDO=two=three;pthread_mutex_lock(&two.lock)
//@ verdict[free]: safe
//@ rev index:
//@ clang[index]: -DDO=one.items[at]=1
//@ verdict[index]: safe
#include <pthread.h>
#include <selvedge.h>
#include <string.h>

enum { sizeof_lock = sizeof(pthread_mutex_t) };
struct data {
    int items[4];
    int before;
    pthread_mutex_t lock;
    int after;
};

static struct data one, two, three;
static pthread_spinlock_t spin;

int main(void)
{
    unsigned at = selvedge_uint("at");
    selvedge_assume(at < 4);
    pthread_mutex_lock(&three.lock);
    pthread_mutex_unlock(&three.lock);
    pthread_spin_init(&spin, 0);
    pthread_mutex_lock(&one.lock);
    DO;
    pthread_mutex_unlock(&one.lock);
    return 0;
}
