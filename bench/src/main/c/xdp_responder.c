/*
 * The baseline over AF_XDP: sends every UDP datagram over IPv4 back to where it came from, at layer 2, in the frame that
 * it came in. Everything is libxdp's: program, sockets and rings.
 *
 * For each frame: length, EtherType, IPv4 without options, UDP; the Ethernet addresses, the addresses and the ports are
 * swapped, no checksum changes by that. What is none is dropped. Bursts of up to 64; after a bounded time without work
 * it sleeps in poll.
 *
 *   xdp_responder --interface eth0 --mode native --spin 20
 *
 * prints "ready" when it answers, and runs until it is killed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <xdp/xsk.h>

enum {
    BURST = 64,
    RING = 2048,
    FRAME = 2048,
    FRAMES = 4 * RING,
    HEADERS = 42
};

static struct xsk_ring_prod fill;
static struct xsk_ring_cons completion;
static struct xsk_ring_cons rx;
static struct xsk_ring_prod tx;
static struct xsk_socket *queue;
static uint8_t *memory;
static uint64_t spare[FRAMES];
static uint32_t spares;
static volatile sig_atomic_t ended;

static void end(int signal) {
    (void)signal;
    ended = 1;
}

/* Turns a frame around; 0 if it is none of ours. */
static int turn(uint8_t *frame, uint32_t length) {
    uint32_t type;
    memcpy(&type, frame + 12, 4);
    /* EtherType IPv4, version 4, header of 20 bytes; any type of service. */
    if (length < HEADERS || (type & 0x00ffffff) != 0x00450008 || frame[23] != 17) {
        return 0;
    }
    uint64_t low;
    uint32_t high;
    memcpy(&low, frame, 8);
    memcpy(&high, frame + 8, 4);
    uint64_t source = low >> 48 | (uint64_t)high << 16;
    uint64_t first = source | low << 48;
    uint32_t second = (uint32_t)(low >> 16);
    memcpy(frame, &first, 8);
    memcpy(frame + 8, &second, 4);
    uint64_t addresses;
    memcpy(&addresses, frame + 26, 8);
    addresses = addresses << 32 | addresses >> 32;
    memcpy(frame + 26, &addresses, 8);
    uint32_t ports;
    memcpy(&ports, frame + 34, 4);
    ports = ports << 16 | ports >> 16;
    memcpy(frame + 34, &ports, 4);
    return 1;
}

/* Gives the kernel free frames for those that came. */
static void refill(void) {
    uint32_t at;
    uint32_t room = xsk_prod_nb_free(&fill, spares);
    uint32_t number = room < spares ? room : spares;
    if (number == 0 || xsk_ring_prod__reserve(&fill, number, &at) != number) {
        return;
    }
    for (uint32_t i = 0; i < number; i++) {
        *xsk_ring_prod__fill_addr(&fill, at + i) = spare[--spares];
    }
    xsk_ring_prod__submit(&fill, number);
    if (xsk_ring_prod__needs_wakeup(&fill)) {
        recvfrom(xsk_socket__fd(queue), NULL, 0, MSG_DONTWAIT, NULL, NULL);
    }
}

/* Takes back the frames that have left. */
static void reap(void) {
    uint32_t at;
    uint32_t number = xsk_ring_cons__peek(&completion, RING, &at);
    for (uint32_t i = 0; i < number; i++) {
        spare[spares++] = *xsk_ring_cons__comp_addr(&completion, at + i) & ~(uint64_t)(FRAME - 1);
    }
    if (number > 0) {
        xsk_ring_cons__release(&completion, number);
    }
}

/* Lets the kernel send, which it does a few frames in a call. */
static void push(void) {
    if (!xsk_ring_prod__needs_wakeup(&tx)) {
        return;
    }
    for (int calls = RING / 16; calls > 0; calls--) {
        if (sendto(xsk_socket__fd(queue), NULL, 0, MSG_DONTWAIT, NULL, 0) >= 0 || errno != EAGAIN) {
            return;
        }
    }
}

/* A burst; how many frames came. */
static uint32_t work(void) {
    uint32_t in, out;
    uint32_t number = xsk_ring_cons__peek(&rx, BURST, &in);
    if (number == 0) {
        return 0;
    }
    reap();
    uint32_t answers = 0;
    uint32_t room = xsk_prod_nb_free(&tx, number);
    for (uint32_t i = 0; i < number; i++) {
        const struct xdp_desc *frame = xsk_ring_cons__rx_desc(&rx, in + i);
        if (answers < room && turn(memory + frame->addr, frame->len) && xsk_ring_prod__reserve(&tx, 1, &out) == 1) {
            *xsk_ring_prod__tx_desc(&tx, out) = (struct xdp_desc){frame->addr, frame->len, 0};
            answers++;
        } else {
            spare[spares++] = frame->addr & ~(uint64_t)(FRAME - 1);
        }
    }
    xsk_ring_cons__release(&rx, number);
    if (answers > 0) {
        xsk_ring_prod__submit(&tx, answers);
        push();
    }
    refill();
    return number;
}

static int64_t nanos(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static void fail(const char *what, int error) {
    fprintf(stderr, "xdp_responder: %s: %s\n", what, strerror(error < 0 ? -error : error));
    exit(1);
}

static void open_queue(const char *interface, int native) {
    /* The dispatcher would let several programs share the interface, at the cost of a call for each frame. */
    setenv("LIBXDP_SKIP_DISPATCHER", "1", 1);
    memory = mmap(NULL, (size_t)FRAMES * FRAME, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        fail("no memory", errno);
    }
    madvise(memory, (size_t)FRAMES * FRAME, MADV_HUGEPAGE);
    struct xsk_umem *umem;
    struct xsk_umem_config area = {.fill_size = RING, .comp_size = RING, .frame_size = FRAME};
    int error = xsk_umem__create(&umem, memory, (uint64_t)FRAMES * FRAME, &fill, &completion, &area);
    if (error != 0) {
        fail("packet memory", error);
    }
    struct xsk_socket_config config = {
        .rx_size = RING,
        .tx_size = RING,
        .xdp_flags = native ? XDP_FLAGS_DRV_MODE : XDP_FLAGS_SKB_MODE,
        .bind_flags = XDP_USE_NEED_WAKEUP | (native ? 0 : XDP_COPY)};
    error = xsk_socket__create(&queue, interface, 0, umem, &rx, &tx, &config);
    if (error != 0) {
        fail(interface, error);
    }
    int charge = RING * 8192;
    setsockopt(xsk_socket__fd(queue), SOL_SOCKET, SO_SNDBUFFORCE, &charge, sizeof charge);
    for (uint64_t i = 0; i < RING; i++) {
        spare[spares++] = i * FRAME;
    }
    refill();
}

int main(int count, char **words) {
    const char *interface = NULL;
    int native = 1;
    int64_t spin_nanos = 20000;
    for (int i = 1; i + 1 < count; i += 2) {
        if (strcmp(words[i], "--interface") == 0) {
            interface = words[i + 1];
        } else if (strcmp(words[i], "--mode") == 0) {
            native = strcmp(words[i + 1], "native") == 0;
        } else if (strcmp(words[i], "--spin") == 0) {
            spin_nanos = atoll(words[i + 1]) * 1000;
        } else {
            fprintf(stderr, "xdp_responder: unknown option %s\n", words[i]);
            return 2;
        }
    }
    if (interface == NULL) {
        fprintf(stderr, "xdp_responder: --interface is missing\n");
        return 2;
    }
    signal(SIGTERM, end);
    signal(SIGINT, end);
    open_queue(interface, native);
    /* As the workers of the framework, which are preferred to whatever else wants their processor. */
    setpriority(PRIO_PROCESS, 0, -10);
    printf("ready\n");
    fflush(stdout);
    struct pollfd wait = {.fd = xsk_socket__fd(queue), .events = POLLIN};
    int64_t busy = nanos();
    while (!ended) {
        if (work() > 0) {
            busy = nanos();
        } else if (nanos() - busy > spin_nanos) {
            poll(&wait, 1, 100);
            reap();
            refill();
            busy = nanos();
        }
    }
    xsk_socket__delete(queue);
    return 0;
}
