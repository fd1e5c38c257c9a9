/*
 * The baseline over AF_XDP: the GNRS LOOKUP responder of gnrs_frames.h. Program, sockets and rings are libxdp's. Bursts of
 * up to 64; after a bounded time without work it sleeps in poll.
 *
 *   gnrs_xdp_responder --interface eth0 --address 10.0.0.2 --port 5001 --mode native --records 100000 --spin 20
 *
 * prints "ready" when it answers, and runs until it is killed.
 */
#include "gnrs_frames.h"

#include <linux/if_link.h>
#include <net/if.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <xdp/xsk.h>

enum { RING = 2048, FRAME = 2048, FRAMES = 4 * RING };

static struct xsk_ring_prod fill_ring;
static struct xsk_ring_cons completion_ring;
static struct xsk_ring_cons rx_ring;
static struct xsk_ring_prod tx_ring;
static struct xsk_socket *queue;
static uint8_t *memory;
static uint64_t spare[FRAMES];
static uint32_t spares;
static volatile sig_atomic_t ended;

static void end(int signal) {
    (void)signal;
    ended = 1;
}

static void refill(void) {
    uint32_t at;
    uint32_t room = xsk_prod_nb_free(&fill_ring, spares);
    uint32_t number = room < spares ? room : spares;
    if (number == 0 || xsk_ring_prod__reserve(&fill_ring, number, &at) != number) {
        return;
    }
    for (uint32_t i = 0; i < number; i++) {
        *xsk_ring_prod__fill_addr(&fill_ring, at + i) = spare[--spares];
    }
    xsk_ring_prod__submit(&fill_ring, number);
    if (xsk_ring_prod__needs_wakeup(&fill_ring)) {
        recvfrom(xsk_socket__fd(queue), NULL, 0, MSG_DONTWAIT, NULL, NULL);
    }
}

static void reap(void) {
    uint32_t at;
    uint32_t number = xsk_ring_cons__peek(&completion_ring, RING, &at);
    for (uint32_t i = 0; i < number; i++) {
        spare[spares++] = *xsk_ring_cons__comp_addr(&completion_ring, at + i) & ~(uint64_t)(FRAME - 1);
    }
    if (number > 0) {
        xsk_ring_cons__release(&completion_ring, number);
    }
}

static void push(void) {
    if (!xsk_ring_prod__needs_wakeup(&tx_ring)) {
        return;
    }
    for (int calls = RING / 16; calls > 0; calls--) {
        if (sendto(xsk_socket__fd(queue), NULL, 0, MSG_DONTWAIT, NULL, 0) >= 0 || errno != EAGAIN) {
            return;
        }
    }
}

static uint32_t work_frames(void) {
    uint32_t in, out;
    uint32_t number = xsk_ring_cons__peek(&rx_ring, BURST, &in);
    if (number == 0) {
        return 0;
    }
    reap();
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    int64_t now_millis = now.tv_sec * 1000ll + now.tv_nsec / 1000000;
    uint32_t answers = 0;
    uint32_t room = xsk_prod_nb_free(&tx_ring, number);
    for (uint32_t i = 0; i < number; i++) {
        const struct xdp_desc *frame = xsk_ring_cons__rx_desc(&rx_ring, in + i);
        uint32_t length = answers < room ? respond(memory + frame->addr, frame->len, now_millis) : 0;
        if (length != 0 && xsk_ring_prod__reserve(&tx_ring, 1, &out) == 1) {
            *xsk_ring_prod__tx_desc(&tx_ring, out) = (struct xdp_desc){frame->addr, length, 0};
            answers++;
        } else {
            spare[spares++] = frame->addr & ~(uint64_t)(FRAME - 1);
        }
    }
    xsk_ring_cons__release(&rx_ring, number);
    if (answers > 0) {
        xsk_ring_prod__submit(&tx_ring, answers);
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
    fprintf(stderr, "gnrs_xdp_responder: %s: %s\n", what, strerror(error < 0 ? -error : error));
    exit(1);
}

static void open_queue(const char *interface, int native) {
    /* The dispatcher would let several programs share the interface, at the cost of a call for each frame. */
    setenv("LIBXDP_SKIP_DISPATCHER", "1", 1);
    memory = map((uint64_t)FRAMES * FRAME);
    struct ifreq asked = {0};
    strncpy(asked.ifr_name, interface, IFNAMSIZ - 1);
    int any = socket(AF_INET, SOCK_DGRAM, 0);
    if (ioctl(any, SIOCGIFHWADDR, &asked) != 0) {
        fail(interface, errno);
    }
    close(any);
    memcpy(station, asked.ifr_hwaddr.sa_data, 6);
    struct xsk_umem *umem;
    struct xsk_umem_config area = {.fill_size = RING, .comp_size = RING, .frame_size = FRAME};
    int error = xsk_umem__create(&umem, memory, (uint64_t)FRAMES * FRAME, &fill_ring, &completion_ring, &area);
    if (error != 0) {
        fail("packet memory", error);
    }
    struct xsk_socket_config config = {
        .rx_size = RING,
        .tx_size = RING,
        .xdp_flags = native ? XDP_FLAGS_DRV_MODE : XDP_FLAGS_SKB_MODE,
        .bind_flags = XDP_USE_NEED_WAKEUP | (native ? 0 : XDP_COPY)};
    error = xsk_socket__create(&queue, interface, 0, umem, &rx_ring, &tx_ring, &config);
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
    const char *interface = "";
    int native = 1;
    uint64_t records = 100000;
    int64_t spin_nanos = 20000;
    own.sin_family = AF_INET;
    own.sin_port = htons(5001);
    for (int i = 1; i + 1 < count; i += 2) {
        if (strcmp(words[i], "--interface") == 0) {
            interface = words[i + 1];
        } else if (strcmp(words[i], "--address") == 0) {
            inet_pton(AF_INET, words[i + 1], &own.sin_addr);
        } else if (strcmp(words[i], "--port") == 0) {
            own.sin_port = htons((uint16_t)atoi(words[i + 1]));
        } else if (strcmp(words[i], "--mode") == 0) {
            native = strcmp(words[i + 1], "native") == 0;
        } else if (strcmp(words[i], "--records") == 0) {
            records = (uint64_t)atoll(words[i + 1]);
        } else if (strcmp(words[i], "--spin") == 0) {
            spin_nanos = atoll(words[i + 1]) * 1000;
        } else {
            fprintf(stderr, "gnrs_xdp_responder: unknown option %s\n", words[i]);
            return 2;
        }
    }
    signal(SIGTERM, end);
    signal(SIGINT, end);
    build(records);
    open_queue(interface, native);
    /* As the workers of the framework, which are preferred to whatever else wants their processor. */
    setpriority(PRIO_PROCESS, 0, -10);
    printf("ready\n");
    fflush(stdout);
    struct pollfd waiting = {.fd = xsk_socket__fd(queue), .events = POLLIN};
    int64_t busy = nanos();
    while (!ended) {
        if (work_frames() > 0) {
            busy = nanos();
        } else if (nanos() - busy > spin_nanos) {
            poll(&waiting, 1, 100);
            reap();
            refill();
            busy = nanos();
        }
    }
    xsk_socket__delete(queue);
    return 0;
}
