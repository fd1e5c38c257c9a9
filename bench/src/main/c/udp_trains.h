/* What the baselines share that take trains of datagrams (UDP_GRO), and answer as trains (UDP_SEGMENT). */
#ifndef UDP_TRAINS_H
#define UDP_TRAINS_H

#include <netinet/in.h>
#include <netinet/udp.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif
#ifndef UDP_GRO
#define UDP_GRO 104
#endif

/* The bytes of each datagram of a message that was received, of which the last may have less. */
static inline uint32_t segment_bytes(struct msghdr *message, uint32_t length) {
    for (struct cmsghdr *each = CMSG_FIRSTHDR(message); each != NULL; each = CMSG_NXTHDR(message, each)) {
        if (each->cmsg_level == IPPROTO_UDP && each->cmsg_type == UDP_GRO) {
            int size;
            memcpy(&size, CMSG_DATA(each), sizeof size);
            return size > 0 ? (uint32_t)size : length;
        }
    }
    return length;
}

/* Has a message be sent as datagrams of some bytes; control has CMSG_SPACE(sizeof segment). */
static inline void send_segments(struct msghdr *message, void *control, uint16_t segment) {
    struct cmsghdr *head = control;
    head->cmsg_level = IPPROTO_UDP;
    head->cmsg_type = UDP_SEGMENT;
    head->cmsg_len = CMSG_LEN(sizeof segment);
    memcpy(CMSG_DATA(head), &segment, sizeof segment);
    message->msg_control = control;
    message->msg_controllen = CMSG_SPACE(sizeof segment);
}

#endif
