/*
 * The GNRS LOOKUP responder of responder.c at layer 2, for the baselines over AF_XDP and DPDK.
 *
 * For each frame: length, EtherType, IPv4 without options and its checksum, UDP to our port and its checksum (one that
 * covers the addresses alone is taken too, as devices without a wire have it); then the question is answered in the frame
 * that it came in: Ethernet addresses, IP addresses and ports change places, lengths and checksums are made anew. What is
 * none is dropped.
 */
#define RESPONDER_CORE
#include "responder.c"

enum { ETHERNET = 14, IP = 20, UDP = 8, ALL = ETHERNET + IP + UDP };

static uint8_t station[6];

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
