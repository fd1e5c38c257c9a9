/*
 * A clock that can be stepped, for one process alone: the loader puts this library before the C library (LD_PRELOAD), and the file that
 * SOAK_CLOCK names says by how many seconds the time of day is off, in eight bytes. Other clocks are as they are. Waits until a time of
 * day are until that of the kernel: with a clock behind it they would end at once, and those who wait in a loop would spin.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile long long none;
static const volatile long long *offset = &none;
static int (*real)(clockid_t, struct timespec *);
static int (*wait_until)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
static int (*wait_by_clock)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);

/* The C library does not tell which clock a condition waits by; that of the machine's start has not run for 31 years. */
#define LEAST_TIME_OF_DAY 1000000000

__attribute__((constructor)) static void begin(void) {
    const char *file = getenv("SOAK_CLOCK");
    int fd = file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
    void *mapped = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, fd, 0);
    if (mapped != MAP_FAILED) {
        offset = mapped;
    }
    if (fd >= 0) {
        close(fd);
    }
    real = (int (*)(clockid_t, struct timespec *)) dlsym(RTLD_NEXT, "clock_gettime");
    /* Of pthread_cond_timedwait x86-64 has an older version, for conditions of another size. */
    void *found = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
    found = found ? found : dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    wait_until = (int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *)) found;
    found = dlsym(RTLD_NEXT, "pthread_cond_clockwait");
    wait_by_clock = (int (*)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *)) found;
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
    struct timespec exact = *until;
    exact.tv_sec -= exact.tv_sec > LEAST_TIME_OF_DAY ? *offset : 0;
    return wait_until(condition, mutex, &exact);
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
    struct timespec exact = *until;
    exact.tv_sec -= clock == CLOCK_REALTIME ? *offset : 0;
    return wait_by_clock(condition, mutex, clock, &exact);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = real ? real(clock, now) : (int) syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) {
        now->tv_sec += *offset;
    }
    return result;
}

int gettimeofday(struct timeval *now, void *zone) {
    struct timespec exact;
    (void) zone;
    clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *where) {
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (where) {
        *where = exact.tv_sec;
    }
    return exact.tv_sec;
}
