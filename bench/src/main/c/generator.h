/*
 * What generators on one thread have in common: clocks, classes of latencies, and what they print in the end, see tally().
 *
 *   tally REPLIES LOST WRONG MISSING FAILED OWN-CPU SERVER-CPU      (SERVER-CPU of a process; -1 = unknown)
 *   took TIME COUNT                                                 (for each class of latencies; within 1/128)
 *
 * All times are in nanoseconds, and all counts of a window.
 */
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CLASSES = 64 * 128 };

enum verdict { RIGHT, MISSING, FAILED, WRONG };

static uint64_t replies, lost, verdicts[WRONG + 1];
static uint64_t classes[CLASSES];
static uint64_t own_begun;
static int64_t server_begun;

/* What all are told: the server, milliseconds to warm up and of the window, and the server's process. */
static struct sockaddr_in server = {.sin_family = AF_INET};
static uint64_t warm, window;
static long pid;

static void die(const char *what);

/* Reads an option that all have; 0 if it is another. */
static int common_option(const char *name, char *value) {
    if (strcmp(name, "--server") == 0) {
        char *colon = strrchr(value, ':');
        if (colon == NULL) {
            die(value);
        }
        *colon = 0;
        server.sin_port = htons((uint16_t)atoi(colon + 1));
        if (inet_pton(AF_INET, value, &server.sin_addr) != 1) {
            die(value);
        }
    } else if (strcmp(name, "--warm") == 0) {
        warm = strtoull(value, NULL, 10);
    } else if (strcmp(name, "--window") == 0) {
        window = strtoull(value, NULL, 10);
    } else if (strcmp(name, "--pid") == 0) {
        pid = atol(value);
    } else {
        return 0;
    }
    return 1;
}

static uint64_t clock_nanos(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Processor time of the server with all its threads, those that have ended too; -1 = unknown. */
static int64_t server_nanos(void) {
    clockid_t clock;
    struct timespec none;
    if (pid <= 0 || clock_getcpuclockid((pid_t)pid, &clock) != 0 || clock_gettime(clock, &none) != 0) {
        return -1;
    }
    return (int64_t)clock_nanos(clock);
}

/* Counts a reply of the window. */
static void count(uint64_t took, enum verdict verdict) {
    int shift = took < 128 ? 0 : 63 - __builtin_clzll(took) - 6;
    classes[(uint64_t)shift * 128 + (took >> shift)]++;
    replies++;
    verdicts[verdict]++;
}

/* Begins the window for the accounts of processor time. */
static void begin_accounts(void) {
    own_begun = clock_nanos(CLOCK_PROCESS_CPUTIME_ID);
    server_begun = server_nanos();
}

/* The processor times of the window. */
static void end_accounts(uint64_t *own, int64_t *its) {
    int64_t now = server_nanos();
    *own = clock_nanos(CLOCK_PROCESS_CPUTIME_ID) - own_begun;
    *its = server_begun < 0 || now < 0 ? -1 : now - server_begun;
}

static void tally(uint64_t own, int64_t its) {
    printf("tally %llu %llu %llu %llu %llu %llu %lld\n", (unsigned long long)replies, (unsigned long long)lost,
            (unsigned long long)verdicts[WRONG], (unsigned long long)verdicts[MISSING],
            (unsigned long long)verdicts[FAILED], (unsigned long long)own, (long long)its);
    for (uint64_t i = 0; i < CLASSES; i++) {
        if (classes[i] > 0) {
            uint64_t shift = i / 128;
            printf("took %llu %llu\n", (unsigned long long)(i % 128 << shift), (unsigned long long)classes[i]);
        }
    }
}
