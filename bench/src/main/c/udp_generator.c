/*
 * Looks up names at a fixed rate: an open loop on one thread, so that as little as can be of a latency is the generator's own.
 *
 *   udp_generator --server 127.0.0.1:5001 --records 100000 --rate 50000 --warm 300 --window 3000 --pid 0
 *
 * A request is due every 1/RATE s, and a latency begins when it was due, so that a stall is charged to all that it delayed
 * (Tene's "coordinated omission"). Between two the generator sleeps, under SCHED_FIFO where the kernel permits it: one that
 * polls is preempted at the end of each slice, and the server would be charged with that. Names are chosen at random from the
 * records that responder.c makes and SyntheticRecords.java loads; of each answer length, number, code and place are looked at.
 * A request without an answer after a second is lost.
 *
 * Prints, for a window of milliseconds behind those to warm up, what generator.h says.
 */
#define RESPONDER_CORE
#include "responder.c"

#include <sys/prctl.h>

#include "generator.h"

enum {
    QUESTION = HEADER + 6 + GUID,
    PAYLOAD = 22,           /* where an answer has its code */
    SLOTS = 1 << 20,
    RATE_MAX = 500000,      /* so that a slot is taken again after two seconds, when its request is lost */
    SECOND = 1000000000
};

static uint64_t due_at[SLOTS]; /* 0 = answered, or never asked */
static uint8_t question[QUESTION];
static struct mmsghdr answers[BURST];
static struct iovec answer_vectors[BURST];
static uint8_t answer_bytes[BURST][DATAGRAM];
static uint64_t record_count = 100000;
static uint64_t begin, finish;

static void die(const char *what) {
    fprintf(stderr, "udp_generator: %s: %s\n", what, strerror(errno));
    exit(1);
}

static uint64_t record_of(uint32_t number) { return mix(number) % record_count; }

static int in_window(uint64_t due) { return due >= begin && due < finish; }

static void prepare_question(const struct sockaddr_in *origin) {
    question[1] = 1;
    put16(question + 2, QUESTION);
    put16(question + 10, HEADER + 6);
    put16(question + 14, 6);
    memcpy(question + HEADER, &origin->sin_addr, 4);
    memcpy(question + HEADER + 4, &origin->sin_port, 2);
}

/* A full socket loses the request, as the network would. */
static void ask(int handle, uint32_t number, uint64_t due) {
    uint64_t which = record_of(number);
    put32(question + 4, number);
    put64(question + QUESTION - GUID, mix(3 * which + 1));
    put64(question + QUESTION - GUID + 8, mix(3 * which + 2));
    put32(question + QUESTION - GUID + 16, (uint32_t)mix(3 * which + 3));
    due_at[number % SLOTS] = due;
    send(handle, question, QUESTION, MSG_DONTWAIT);
}

static enum verdict verdict_of(const uint8_t *answer, uint32_t length, uint32_t number) {
    uint8_t place[8];
    put32(place, 6);
    put32(place + 4, 0x0a000000u | (uint32_t)(record_of(number) & 0xffffff));
    if (length < EMPTY_ANSWER || big64(answer) >> 32 != (0x00810000u | length)) {
        return WRONG;
    }
    if (big16(answer + PAYLOAD) != 0) {
        return FAILED;
    }
    if (big64(answer + PAYLOAD) == 0) {
        return MISSING;
    }
    return length == ANSWER && big64(answer + PAYLOAD) == 1 && memcmp(answer + PAYLOAD + 8, place, sizeof place) == 0 ? RIGHT : WRONG;
}

static void note(const uint8_t *answer, uint32_t length, uint32_t asked, uint64_t now) {
    uint32_t number = length < HEADER ? asked : (uint32_t)big64(answer);
    uint64_t due = number < asked ? due_at[number % SLOTS] : 0;
    if (due == 0 || now - due >= SECOND) {
        return; /* Of others, late, or repeated. */
    }
    due_at[number % SLOTS] = 0;
    if (in_window(due)) {
        count(now - due, verdict_of(answer, length, number));
    }
}

/* Sleeps until a time or until answers are there, and takes them. */
static void hear(int handle, uint32_t asked, uint64_t until) {
    uint64_t now = clock_nanos(CLOCK_MONOTONIC);
    uint64_t nanos = until > now ? until - now : 0;
    struct timespec left = {(time_t)(nanos / SECOND), (long)(nanos % SECOND)};
    struct pollfd waiting = {handle, POLLIN, 0};
    if (ppoll(&waiting, 1, &left, NULL) > 0) {
        int received = recvmmsg(handle, answers, BURST, MSG_DONTWAIT, NULL);
        now = clock_nanos(CLOCK_MONOTONIC);
        for (int i = 0; i < received; i++) {
            note(answer_bytes[i], answers[i].msg_len, asked, now);
        }
    }
}

static void take_priority(void) {
    struct sched_param first = {.sched_priority = 1};
    if (sched_setscheduler(0, SCHED_FIFO, &first) != 0) {
        setpriority(PRIO_PROCESS, 0, -10);
        prctl(PR_SET_TIMERSLACK, 1);
    }
}

static int open_client(void) {
    int handle = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    int bytes = 8 << 20;
    struct sockaddr_in origin;
    socklen_t length = sizeof origin;
    if (handle < 0 || connect(handle, (struct sockaddr *)&server, sizeof server) != 0
            || getsockname(handle, (struct sockaddr *)&origin, &length) != 0) {
        die("cannot open a socket");
    }
    if (setsockopt(handle, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) != 0) {
        setsockopt(handle, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    }
    prepare_question(&origin);
    for (int i = 0; i < BURST; i++) {
        answer_vectors[i] = (struct iovec){answer_bytes[i], DATAGRAM};
        answers[i].msg_hdr = (struct msghdr){.msg_iov = &answer_vectors[i], .msg_iovlen = 1};
    }
    return handle;
}

int main(int argc, char **argv) {
    uint64_t rate = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        char *value = argv[i + 1];
        if (common_option(argv[i], value)) {
            continue;
        }
        if (strcmp(argv[i], "--records") == 0) {
            record_count = strtoull(value, NULL, 10);
        } else if (strcmp(argv[i], "--rate") == 0) {
            rate = strtoull(value, NULL, 10);
        }
    }
    if (rate < 1 || rate > RATE_MAX || record_count < 1 || (warm + window) * rate / 1000 > UINT32_MAX) {
        errno = EINVAL;
        die("a rate is 1 to 500000 in a second, for at most four thousand million requests of one record or more");
    }
    int handle = open_client();
    take_priority();
    uint64_t start = clock_nanos(CLOCK_MONOTONIC);
    begin = start + warm * 1000000;
    finish = begin + window * 1000000;
    uint64_t own = 0;
    int64_t its = -1;
    int begun = 0;
    for (uint32_t asked = 0, first = 0;;) {
        uint64_t next = start + asked * (uint64_t)SECOND / rate;
        if (!begun && next >= begin) {
            begun = 1;
            begin_accounts();
            first = asked;
        }
        if (next >= finish) {
            end_accounts(&own, &its);
            while (replies < asked - first && clock_nanos(CLOCK_MONOTONIC) < finish + SECOND) {
                hear(handle, asked, finish + SECOND);
            }
            lost = asked - first - replies;
            break;
        }
        if (next <= clock_nanos(CLOCK_MONOTONIC)) {
            ask(handle, asked++, next);
        } else {
            hear(handle, asked, next);
        }
    }
    tally(own, its);
    return 0;
}
