/*
 * The baseline of Proxidor: ranks lists of IPv4 addresses, and does the work of our door's path and nothing else.
 *
 * For each datagram: header checks, the source's place by longest match, one list with its size checked, for each address
 * its place by longest match (DIR-24-8, 16-bit places) and the rank of that, a stable counting sort by ranks, and the
 * addresses copied to where they belong. Bursts of up to 64 through recvmmsg and sendmmsg; after a bounded time without
 * work it sleeps in poll.
 *
 * The table is a file in the processor's order: 32-bit number of blocks, 32-bit number of places, 16-bit place of each
 * /24 or 0x8000 | block, blocks of 256 16-bit places, 16-bit rank of each place from 0, 16-bit mark of each place: 1 if
 * what comes from there is ranked so.
 *
 *   proxidor_responder --table FILE [--port 8899] [--spin 20]
 *
 * prints "ready PORT" when it answers, and runs until it is killed.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    BURST = 64,
    DATAGRAM = 2048,
    SKEW = 320,       /* keeps buffers with power-of-two strides out of the same cache sets */
    HEADER = 12,
    LIST = 4,
    LIST_MAX = 363,
    RANKS = 65536,
    UNRANKED = 0xffff
};

static uint16_t *first;
static uint16_t *blocks;
static uint16_t *ranks;
static uint16_t *marks;

static uint8_t in[BURST][DATAGRAM + SKEW];
static uint8_t out[BURST][DATAGRAM + SKEW];
static struct sockaddr_in peers[BURST];
static struct iovec in_vectors[BURST];
static struct iovec out_vectors[BURST];
static struct mmsghdr received[BURST];
static struct mmsghdr sent[BURST];
static uint16_t counts[RANKS];

static int fail(const char *what) {
    perror(what);
    return 1;
}

static uint32_t big32(const uint8_t *at) {
    uint32_t value;
    memcpy(&value, at, 4);
    return __builtin_bswap32(value);
}

static void put32(uint8_t *at, uint32_t value) {
    value = __builtin_bswap32(value);
    memcpy(at, &value, 4);
}

static uint32_t place(uint32_t address) {
    uint32_t found = first[address >> 8];
    return found & 0x8000 ? blocks[(found & 0x7fff) << 8 | (address & 0xff)] : found;
}

/* Answers one question; the answer's length, or 0 if the datagram is dropped. */
static uint32_t answer(const uint8_t *question, uint32_t length, uint32_t peer, uint8_t *reply) {
    if (length < HEADER + LIST || big32(question) != 0 || question[10] != 0) {
        return 0;
    }
    const uint8_t *list = question + HEADER;
    uint32_t head = big32(list);
    uint32_t count = ((head & 0xffff) - LIST) / 4;
    if (head >> 16 != 0x0100 || (head & 0xffff) != length - HEADER || count * 4 != length - HEADER - LIST || count < 2
            || count > LIST_MAX || !marks[place(peer)]) {
        return 0;
    }
    uint16_t rank[LIST_MAX];
    uint32_t greatest = 0;
    uint32_t known = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t own = ranks[place(big32(list + LIST + 4 * i))];
        rank[i] = (uint16_t)own;
        if (own != UNRANKED) {
            greatest = own > greatest ? own : greatest;
            known++;
        }
    }
    uint32_t unknown = greatest + 1;
    memset(counts, 0, (unknown + 1) * sizeof *counts);
    for (uint32_t i = 0; i < count; i++) {
        counts[rank[i] < unknown ? rank[i] : unknown]++;
    }
    uint32_t start = 0;
    for (uint32_t i = 0; i <= unknown; i++) {
        uint32_t here = counts[i];
        counts[i] = (uint16_t)start;
        start += here;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t position = counts[rank[i] < unknown ? rank[i] : unknown]++;
        if (position < known) {
            memcpy(reply + HEADER + LIST + 4 * position, list + LIST + 4 * i, 4);
        }
    }
    put32(reply, 0x8000);
    memcpy(reply + 4, question + 4, 4);
    put32(reply + 8, 60u << 16);
    put32(reply + HEADER, 0x01000000 | (LIST + 4 * known));
    return HEADER + LIST + 4 * known;
}

static int load(const char *path) {
    FILE *file = fopen(path, "rb");
    uint32_t sizes[2];
    if (file == NULL || fread(sizes, sizeof sizes, 1, file) != 1) {
        return 0;
    }
    size_t all = (1 << 24) + 256 * (size_t)sizes[0] + 2 * (size_t)sizes[1];
    first = mmap(NULL, all * 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (first == MAP_FAILED) {
        return 0;
    }
    madvise(first, all * 2, MADV_HUGEPAGE);
    blocks = first + (1 << 24);
    ranks = blocks + 256 * (size_t)sizes[0];
    marks = ranks + sizes[1];
    int whole = fread(first, 2, all, file) == all;
    fclose(file);
    return whole;
}

static int64_t nanos(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int main(int argc, char **argv) {
    uint16_t port = 0;
    int64_t spin = 20000;
    int loaded = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--port") == 0) {
            port = (uint16_t)atoi(argv[i + 1]);
        } else if (strcmp(argv[i], "--spin") == 0) {
            spin = atoll(argv[i + 1]) * 1000;
        } else if (strcmp(argv[i], "--table") == 0) {
            loaded = load(argv[i + 1]);
        }
    }
    if (!loaded) {
        fprintf(stderr, "proxidor_responder: name a whole table with --table FILE\n");
        return 2;
    }
    int handle = socket(AF_INET, SOCK_DGRAM, 0);
    int buffer = 4 << 20;
    setsockopt(handle, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer);
    setsockopt(handle, SOL_SOCKET, SO_SNDBUFFORCE, &buffer, sizeof buffer);
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = htons(port)};
    own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof own;
    if (handle < 0 || bind(handle, (struct sockaddr *)&own, size) < 0
            || getsockname(handle, (struct sockaddr *)&own, &size) < 0) {
        return fail("proxidor_responder: socket");
    }
    printf("ready %d\n", ntohs(own.sin_port));
    fflush(stdout);
    for (int i = 0; i < BURST; i++) {
        in_vectors[i] = (struct iovec){in[i], DATAGRAM};
        received[i].msg_hdr = (struct msghdr){.msg_name = &peers[i], .msg_iov = &in_vectors[i], .msg_iovlen = 1};
        sent[i].msg_hdr = (struct msghdr){.msg_namelen = sizeof peers[i], .msg_iov = &out_vectors[i], .msg_iovlen = 1};
    }
    int64_t busy = nanos();
    for (;;) {
        for (int i = 0; i < BURST; i++) {
            received[i].msg_hdr.msg_namelen = sizeof peers[i];
        }
        int count = recvmmsg(handle, received, BURST, MSG_DONTWAIT, NULL);
        if (count <= 0) {
            if (nanos() - busy > spin) {
                struct pollfd waiting = {.fd = handle, .events = POLLIN};
                poll(&waiting, 1, -1);
                busy = nanos();
            }
            continue;
        }
        int answers = 0;
        for (int i = 0; i < count; i++) {
            uint32_t length = answer(in[i], received[i].msg_len, ntohl(peers[i].sin_addr.s_addr), out[answers]);
            if (length > 0) {
                out_vectors[answers] = (struct iovec){out[answers], length};
                sent[answers].msg_hdr.msg_name = &peers[i];
                answers++;
            }
        }
        for (int done = 0; done < answers;) {
            int now = sendmmsg(handle, sent + done, (unsigned)(answers - done), 0);
            if (now <= 0) {
                break;
            }
            done += now;
        }
        busy = nanos();
    }
}
