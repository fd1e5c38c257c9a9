/*
 * The baseline over AF_XDP: the GNRS LOOKUP responder of responder.c at layer 2. Program, sockets and rings are libxdp's.
 *
 * For each frame: length, EtherType, IPv4 without options and its checksum, UDP to our port and its checksum (one that
 * covers the addresses alone is taken too, as devices without a wire have it); then the question is answered in the frame
 * that it came in: Ethernet addresses, IP addresses and ports change places, lengths and checksums are made anew. What is
 * none is dropped. Bursts of up to 64; after a bounded time without work it sleeps in poll.
 *
 *   gnrs_xdp_responder --interface eth0 --address 10.0.0.2 --port 5001 --mode native --records 100000 --spin 20
 *
 * prints "ready" when it answers, and runs until it is killed.
 */
#define RESPONDER_CORE
#include "responder.c"

#include <linux/if_link.h>
#include <net/if.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <xdp/xsk.h>

enum { RING = 2048, FRAME = 2048, FRAMES = 4 * RING, ETHERNET = 14, IP = 20, UDP = 8, ALL = ETHERNET + IP + UDP };

static struct xsk_ring_prod fill_ring;
static struct xsk_ring_cons completion_ring;
static struct xsk_ring_cons rx_ring;
static struct xsk_ring_prod tx_ring;
static struct xsk_socket *queue;
static uint8_t *memory;
static uint64_t spare[FRAMES];
static uint32_t spares;
static uint8_t station[6];
static volatile sig_atomic_t ended;

static void end(int signal) {
    (void)signal;
    ended = 1;
}

/* The one's complement sum of 32-bit words in the processor's order, unfolded. */
static uint64_t sum(uint64_t total, const uint8_t *at, uint32_t bytes) {
    for (; bytes >= 8; bytes -= 8, at += 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        total += (word >> 32) + (word & 0xffffffff);
    }
    for (; bytes >= 2; bytes -= 2, at += 2) {
        uint16_t word;
        memcpy(&word, at, 2);
        total += word;
    }
    return bytes == 1 ? total + *at : total;
}

static uint16_t fold_sum(uint64_t total) {
    total = (total >> 32) + (total & 0xffffffff);
    total = (total >> 16) + (total & 0xffff);
    total = (total >> 16) + (total & 0xffff);
    total = (total >> 16) + (total & 0xffff);
    return (uint16_t)total;
}

static uint64_t pseudo(const uint8_t *ip, uint32_t udp_bytes) {
    return sum(0, ip + 12, 8) + htons(17) + htons((uint16_t)udp_bytes);
}

/* Whether a frame is a datagram for us with checksums that hold; the bytes of its payload, or -1. */
static int question(const uint8_t *frame, uint32_t length) {
    const uint8_t *ip = frame + ETHERNET;
    const uint8_t *udp = ip + IP;
    uint32_t kind;
    memcpy(&kind, frame + 12, 4);
    if (length < ALL || (kind & 0x00ffffff) != 0x00450008 || ip[9] != 17 || (big16(ip + 6) & 0x3fff) != 0) {
        return -1;
    }
    uint32_t total = big16(ip + 2);
    uint32_t udp_bytes = big16(udp + 4);
    if (total > length - ETHERNET || udp_bytes < UDP || udp_bytes > total - IP || fold_sum(sum(0, ip, IP)) != 0xffff) {
        return -1;
    }
    if (memcmp(ip + 16, &own.sin_addr, 4) != 0 || memcmp(udp + 2, &own.sin_port, 2) != 0) {
        return -1;
    }
    uint16_t checksum;
    memcpy(&checksum, udp + 6, 2);
    uint64_t addresses = pseudo(ip, udp_bytes);
    if (checksum != 0 && fold_sum(sum(addresses, udp, udp_bytes)) != 0xffff && fold_sum(addresses) != checksum) {
        return -1;
    }
    return (int)(udp_bytes - UDP);
}

/* Makes the headers of a question those of its answer. */
static uint32_t turn(uint8_t *frame, uint32_t bytes, const struct sockaddr_in *peer) {
    uint8_t *ip = frame + ETHERNET;
    uint8_t *udp = ip + IP;
    memcpy(frame, frame + 6, 6);
    memcpy(frame + 6, station, 6);
    put16(ip + 2, IP + UDP + bytes);
    put32(ip + 4, 0x00004000);
    put32(ip + 8, 64 << 24 | 17 << 16);
    memcpy(ip + 12, &own.sin_addr, 4);
    memcpy(ip + 16, &peer->sin_addr, 4);
    uint16_t checksum = (uint16_t)~fold_sum(sum(0, ip, IP));
    memcpy(ip + 10, &checksum, 2);
    memcpy(udp, &own.sin_port, 2);
    memcpy(udp + 2, &peer->sin_port, 2);
    put16(udp + 4, UDP + bytes);
    put16(udp + 6, 0);
    checksum = (uint16_t)~fold_sum(sum(pseudo(ip, UDP + bytes), udp, UDP + bytes));
    checksum = checksum == 0 ? 0xffff : checksum;
    memcpy(udp + 6, &checksum, 2);
    return ALL + bytes;
}

/* Answers an ARP request for our address in its own frame; the answer's length, or 0. */
static uint32_t tell_station(uint8_t *frame, uint32_t length) {
    uint8_t *arp = frame + ETHERNET;
    if (length < ETHERNET + 28 || big16(arp + 6) != 1 || memcmp(arp + 24, &own.sin_addr, 4) != 0) {
        return 0;
    }
    memcpy(frame, frame + 6, 6);
    memcpy(frame + 6, station, 6);
    put16(arp + 6, 2);
    memcpy(arp + 18, arp + 8, 10);
    memcpy(arp + 8, station, 6);
    memcpy(arp + 14, &own.sin_addr, 4);
    return ETHERNET + 28;
}

/* Answers in the question's frame; the answer's length, or 0. */
static uint32_t respond(uint8_t *frame, uint32_t length, int64_t now_millis) {
    if (length >= ALL && big16(frame + 12) == 0x0806) {
        return tell_station(frame, length);
    }
    int bytes = question(frame, length);
    if (bytes < 0) {
        return 0;
    }
    struct sockaddr_in peer = {.sin_family = AF_INET};
    memcpy(&peer.sin_addr, frame + ETHERNET + 12, 4);
    memcpy(&peer.sin_port, frame + ETHERNET + IP, 2);
    uint32_t answered = answer(frame + ALL, (uint32_t)bytes, &peer, now_millis, frame + ALL);
    return answered == 0 ? 0 : turn(frame, answered, &peer);
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
