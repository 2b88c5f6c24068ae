/* A clock that is wrong: loaded before the C library (LD_PRELOAD), it tells the time as it is in FAULTS_CLOCK, a file
 * of one number, of seconds beside the true time, which whoever tests changes while the program runs. What measures
 * how long something takes is left alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static int64_t *beside;

__attribute__((constructor)) static void begin(void)
{
    const char *file = getenv("FAULTS_CLOCK");
    if (file == NULL) {
        return;
    }
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    void *mapped = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *beside, PROT_READ, MAP_SHARED, fd, 0);
    if (mapped == MAP_FAILED) {
        /* A test that tests nothing must not pass. */
        fprintf(stderr, "FAULTS_CLOCK: %s\n", strerror(errno));
        abort();
    }
    close(fd);
    beside = mapped;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    static int (*real)(clockid_t, struct timespec *);
    if (real == NULL) {
        *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    }
    int done = real(clock, now);
    if (done == 0 && beside != NULL && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        now->tv_sec += __atomic_load_n(beside, __ATOMIC_SEQ_CST);
    }
    return done;
}
