/*
 * The baseline: a GNRS LOOKUP responder in C that does the work of our server's lookup path and nothing else.
 *
 * For each datagram: header checks, the question's origin against the datagram's source, keyed hash of the GUID, probe
 * of an open-addressing table, comparison of the key in the arena, one copy of the pre-encoded answer, the request id
 * patched in. Bursts of up to 64 through recvmmsg and sendmmsg; after a bounded time without work it sleeps in poll.
 *
 * With --gro it accepts trains of datagrams (UDP_GRO) and answers consecutive questions of one peer as a train
 * (UDP_SEGMENT).
 *
 * Record i of the table is the record i that the load generator asks for: see SyntheticRecords.java.
 *
 *   responder --port 5001 --cpu 0 --records 100000 --spin 50 [--gro]
 *
 * prints "ready PORT" when it answers, and runs until it is killed.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "udp_trains.h"

enum {
    BURST = 64,          /* datagrams (or trains) per call */
    TRAIN = 64,          /* datagrams per train: the kernel's own bound */
    DATAGRAM = 2048,     /* bytes read of a single datagram */
    TRAIN_BYTES = 65536, /* bytes of a whole train */
    SKEW = 192,          /* keeps buffers with power-of-two strides out of the same cache sets */
    GUID = 20,
    HEADER = 16,
    ANSWER = 60,         /* one binding with its times: 22 + 8 + 10 + 10 + 10 */
    EMPTY_ANSWER = 30    /* nothing bound */
};

typedef struct {
    int64_t plain_until; /* the answer may be sent as it is before this time */
    uint8_t guid[GUID];
    uint8_t answer[ANSWER];
} record;

/* One transmit message: answers of equal length to one peer, back to back. */
typedef struct {
    uint32_t start;
    uint32_t length;
    uint16_t segment;
    uint16_t count;
    struct sockaddr_in peer;
} train;

static uint64_t *slots;
static uint64_t slot_mask;
static record *arena;
static uint64_t secret[4];
static struct sockaddr_in own;
static uint8_t empty_answer[EMPTY_ANSWER];

static uint64_t big64(const uint8_t *at) {
    uint64_t value;
    memcpy(&value, at, 8);
    return __builtin_bswap64(value);
}

static uint32_t big16(const uint8_t *at) { return (uint32_t)at[0] << 8 | at[1]; }

static void put64(uint8_t *at, uint64_t value) {
    value = __builtin_bswap64(value);
    memcpy(at, &value, 8);
}

static void put32(uint8_t *at, uint32_t value) {
    value = __builtin_bswap32(value);
    memcpy(at, &value, 4);
}

static void put16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

/* The finaliser of SplitMix64 over a counter: as SyntheticRecords.java. */
static uint64_t mix(uint64_t counter) {
    uint64_t z = counter * 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static uint64_t fold(uint64_t a, uint64_t b) {
    __uint128_t product = (__uint128_t)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t hash(const uint8_t *guid) {
    uint64_t a, b;
    uint32_t c;
    memcpy(&a, guid, 8);
    memcpy(&b, guid + 8, 8);
    memcpy(&c, guid + 16, 4);
    return fold(fold(a ^ secret[0], b ^ secret[1]) ^ secret[2], c ^ secret[3]);
}

/* Slots hold a 16-bit tag of the hash above a 48-bit arena position; 0 is free. */
static record *find(const uint8_t *guid) {
    uint64_t h = hash(guid);
    uint64_t tag = (h >> 48 | 1) << 48;
    for (uint64_t at = h & slot_mask;; at = (at + 1) & slot_mask) {
        uint64_t slot = slots[at];
        if (slot == 0) {
            return NULL;
        }
        if ((slot ^ tag) >> 48 == 0) {
            record *found = &arena[slot & 0xffffffffffffull];
            if (memcmp(found->guid, guid, GUID) == 0) {
                return found;
            }
        }
    }
}

static void *map(uint64_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        fprintf(stderr, "responder: no memory for %llu bytes\n", (unsigned long long)bytes);
        exit(1);
    }
    madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

static void header(uint8_t *answer, uint32_t length, uint32_t options) {
    answer[0] = 0;
    answer[1] = 0x81;
    put16(answer + 2, length);
    put32(answer + 4, 0);
    put16(answer + 8, options);
    put16(answer + 10, 22);
    put16(answer + 12, 0);
    put16(answer + 14, 6);
    memcpy(answer + 16, &own.sin_addr, 4);
    memcpy(answer + 20, &own.sin_port, 2);
    put32(answer + 22, 0);
}

static void build(uint64_t records) {
    if (getrandom(secret, sizeof secret, 0) != sizeof secret) {
        perror("responder: getrandom");
        exit(1);
    }
    uint64_t capacity = 64;
    while (capacity < records * 2) {
        capacity *= 2;
    }
    slot_mask = capacity - 1;
    slots = map(capacity * sizeof *slots);
    arena = map((records + 1) * sizeof *arena);
    header(empty_answer, EMPTY_ANSWER, 0);
    put32(empty_answer + 26, 0);
    for (uint64_t i = 0; i < records; i++) {
        record *each = &arena[i];
        each->plain_until = INT64_MAX;
        put64(each->guid, mix(3 * i + 1));
        put64(each->guid + 8, mix(3 * i + 2));
        put32(each->guid + 16, (uint32_t)mix(3 * i + 3));
        uint8_t *answer = each->answer;
        header(answer, ANSWER, 40);
        put32(answer + 26, 1);
        put16(answer + 30, 0);
        put16(answer + 32, 6);
        put32(answer + 34, 0x0a000000u | (uint32_t)(i & 0xffffff));
        put16(answer + 38, 4000 + (uint32_t)(i >> 24));
        put16(answer + 40, 0x0208);
        put64(answer + 42, 0);
        put16(answer + 50, 0x8108);
        put64(answer + 52, 0);
        uint64_t h = hash(each->guid);
        uint64_t at = h & slot_mask;
        while (slots[at] != 0) {
            at = (at + 1) & slot_mask;
        }
        slots[at] = (h >> 48 | 1) << 48 | i;
    }
}

/* Walks the options: the last must end with the message. 0 if they do not hold. */
static int options_hold(const uint8_t *in, uint32_t at, uint32_t length) {
    while (at + 2 <= length) {
        uint32_t next = at + 2 + in[at + 1];
        if (next > length) {
            return 0;
        }
        if (in[at] & 0x80) {
            return next == length;
        }
        at = next;
    }
    return at == length;
}

/* Answers one question; the answer's length, or 0 if the datagram is dropped. */
static uint32_t answer(
        const uint8_t *in, uint32_t length, struct sockaddr_in *peer, int64_t now_millis, uint8_t *out) {
    if (length < HEADER + GUID) {
        return 0;
    }
    uint64_t first = big64(in);
    uint64_t second = big64(in + 8);
    /* Version 0, type LOOKUP, and the length that arrived. */
    if (first >> 32 != (0x00010000u | length)) {
        return 0;
    }
    uint32_t options = second >> 48;
    uint32_t payload = second >> 32 & 0xffff;
    uint32_t origin_type = second >> 16 & 0xffff;
    uint32_t origin_length = second & 0xffff;
    uint32_t at = HEADER + origin_length;
    uint32_t end = at + GUID;
    if ((payload != at && payload != 0) || end > length) {
        return 0;
    }
    if (options == 0 ? end != length : options != end || !options_hold(in, end, length)) {
        return 0;
    }
    if (origin_type == 0 && origin_length == 6) {
        uint32_t address;
        memcpy(&address, in + 16, 4);
        if (address != 0) {
            if (address != peer->sin_addr.s_addr) {
                return 0;
            }
            if (big16(in + 20) != 0) {
                memcpy(&peer->sin_port, in + 20, 2);
            }
        }
    }
    record *found = find(in + at);
    uint32_t bytes;
    if (found != NULL && now_millis < found->plain_until && ANSWER <= 3 * length) {
        memcpy(out, found->answer, ANSWER);
        bytes = ANSWER;
    } else {
        memcpy(out, empty_answer, EMPTY_ANSWER);
        bytes = EMPTY_ANSWER;
    }
    put32(out + 4, (uint32_t)first);
    return bytes;
}

/* What follows is the way through kernel sockets; gnrs_xdp_responder.c has another. */
#ifndef RESPONDER_CORE

static struct mmsghdr rx[BURST];
static struct iovec rx_vectors[BURST];
static struct sockaddr_in rx_peers[BURST];
static uint8_t rx_control[BURST][64];
static uint8_t *rx_buffers;
static uint32_t rx_stride;

static struct mmsghdr tx[BURST * TRAIN];
static struct iovec tx_vectors[BURST * TRAIN];
static uint8_t tx_control[BURST * TRAIN][CMSG_SPACE(sizeof(uint16_t))];
static train trains[BURST * TRAIN];
static uint8_t *tx_bytes;
static uint32_t tx_used;
static uint32_t tx_trains;

static void append(const struct sockaddr_in *peer, uint32_t length, int gso) {
    train *last = tx_trains == 0 ? NULL : &trains[tx_trains - 1];
    if (gso && last != NULL && last->segment == length && last->count < TRAIN
            && last->peer.sin_port == peer->sin_port && last->peer.sin_addr.s_addr == peer->sin_addr.s_addr) {
        last->length += length;
        last->count++;
    } else if (tx_trains == BURST * TRAIN) {
        return; /* More peers in one burst than messages: the rest is dropped. */
    } else {
        trains[tx_trains++] = (train){tx_used, length, (uint16_t)length, 1, *peer};
    }
    tx_used += length;
}

static void transmit(int socket) {
    for (uint32_t i = 0; i < tx_trains; i++) {
        train *each = &trains[i];
        tx_vectors[i] = (struct iovec){tx_bytes + each->start, each->length};
        struct msghdr *message = &tx[i].msg_hdr;
        message->msg_name = &each->peer;
        message->msg_namelen = sizeof each->peer;
        message->msg_iov = &tx_vectors[i];
        message->msg_iovlen = 1;
        if (each->count > 1) {
            send_segments(message, tx_control[i], each->segment);
        } else {
            message->msg_control = NULL;
            message->msg_controllen = 0;
        }
    }
    for (uint32_t sent = 0; sent < tx_trains;) {
        uint32_t rest = tx_trains - sent;
        int now = sendmmsg(socket, tx + sent, rest < BURST ? rest : BURST, MSG_DONTWAIT);
        if (now <= 0) {
            break; /* No room in the socket: these answers are lost, as they are with the server. */
        }
        sent += (uint32_t)now;
    }
    tx_trains = 0;
    tx_used = 0;
}

static int receive(int socket, int gro) {
    for (int i = 0; i < BURST; i++) {
        rx[i].msg_hdr.msg_namelen = sizeof rx_peers[i];
        if (gro) {
            rx[i].msg_hdr.msg_controllen = sizeof rx_control[i];
        }
    }
    return recvmmsg(socket, rx, BURST, MSG_DONTWAIT, NULL);
}

static void work(int socket, int received, int gro) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    int64_t now_millis = now.tv_sec * 1000ll + now.tv_nsec / 1000000;
    for (int i = 0; i < received; i++) {
        uint8_t *in = rx_vectors[i].iov_base;
        uint32_t left = rx[i].msg_len;
        uint32_t segment = gro ? segment_bytes(&rx[i].msg_hdr, left) : left;
        do {
            uint32_t length = left < segment ? left : segment;
            struct sockaddr_in peer = rx_peers[i];
            uint32_t bytes = answer(in, length, &peer, now_millis, tx_bytes + tx_used);
            if (bytes != 0) {
                append(&peer, bytes, gro);
            }
            in += length;
            left -= length;
        } while (left > 0);
    }
    if (tx_trains > 0) {
        transmit(socket);
    }
}

static void prepare(int gro) {
    rx_stride = (gro ? TRAIN_BYTES : DATAGRAM) + SKEW;
    rx_buffers = map((uint64_t)rx_stride * BURST);
    tx_bytes = map((uint64_t)BURST * (TRAIN_BYTES / (HEADER + GUID)) * ANSWER + TRAIN_BYTES);
    for (int i = 0; i < BURST; i++) {
        rx_vectors[i] = (struct iovec){rx_buffers + (uint64_t)i * rx_stride, rx_stride - SKEW};
        rx[i].msg_hdr = (struct msghdr){
            .msg_name = &rx_peers[i], .msg_iov = &rx_vectors[i], .msg_iovlen = 1,
            .msg_control = gro ? rx_control[i] : NULL};
    }
}

static int64_t nanos(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static int open_socket(int port, int gro) {
    int opened = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    int on = 1;
    int bytes = 8 << 20;
    setsockopt(opened, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
    if (setsockopt(opened, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) != 0) {
        setsockopt(opened, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    }
    if (setsockopt(opened, SOL_SOCKET, SO_SNDBUFFORCE, &bytes, sizeof bytes) != 0) {
        setsockopt(opened, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    }
    if (gro && setsockopt(opened, IPPROTO_UDP, UDP_GRO, &on, sizeof on) != 0) {
        perror("responder: UDP_GRO");
        exit(1);
    }
    own = (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (bind(opened, (struct sockaddr *)&own, sizeof own) != 0) {
        fprintf(stderr, "responder: cannot bind 127.0.0.1:%d: %s\n", port, strerror(errno));
        exit(1);
    }
    socklen_t length = sizeof own;
    getsockname(opened, (struct sockaddr *)&own, &length);
    return opened;
}

static int64_t number(int count, char **words, int *at) {
    if (++*at >= count) {
        fprintf(stderr, "responder: %s wants a number\n", words[*at - 1]);
        exit(2);
    }
    char *end;
    long long value = strtoll(words[*at], &end, 10);
    if (*end != 0 || end == words[*at]) {
        fprintf(stderr, "responder: '%s' is not a number\n", words[*at]);
        exit(2);
    }
    return value;
}

int main(int count, char **words) {
    int port = 0;
    int cpu = -1;
    int gro = 0;
    int64_t records = 100000;
    int64_t spin_nanos = 50000;
    for (int i = 1; i < count; i++) {
        if (strcmp(words[i], "--port") == 0) {
            port = (int)number(count, words, &i);
        } else if (strcmp(words[i], "--cpu") == 0) {
            cpu = (int)number(count, words, &i);
        } else if (strcmp(words[i], "--records") == 0) {
            records = number(count, words, &i);
        } else if (strcmp(words[i], "--spin") == 0) {
            spin_nanos = 1000 * number(count, words, &i);
        } else if (strcmp(words[i], "--gro") == 0) {
            gro = 1;
        } else {
            fprintf(stderr, "responder: unknown option %s; known: --port --cpu --records --spin --gro\n", words[i]);
            return 2;
        }
    }
    if (cpu >= 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(cpu, &set);
        if (sched_setaffinity(0, sizeof set, &set) != 0) {
            perror("responder: cannot pin itself");
        }
    }
    /* As the workers of the framework, which are preferred to whatever else wants their processor. */
    setpriority(PRIO_PROCESS, 0, -10);
    int socket = open_socket(port, gro);
    build((uint64_t)records);
    prepare(gro);
    printf("ready %d\n", ntohs(own.sin_port));
    fflush(stdout);
    struct pollfd waiting = {socket, POLLIN, 0};
    int64_t idle_since = nanos();
    for (;;) {
        int received = receive(socket, gro);
        if (received > 0) {
            work(socket, received, gro);
            idle_since = 0;
        } else if (idle_since == 0) {
            idle_since = nanos();
        } else if (nanos() - idle_since > spin_nanos) {
            poll(&waiting, 1, 1000);
            idle_since = 0;
        }
    }
}

#endif
