/*
 * The baseline of questions for handles over UDP: answers every question with one answer that was prepared, in which it
 * writes the number of the question and how many servers it went through. It does not look which handle is asked for:
 * what it costs is what the kernel costs, and a copy.
 *
 * Bursts of up to 64 through recvmmsg and sendmmsg; without work it sleeps in the kernel. With --gro it accepts trains of
 * datagrams (UDP_GRO) and answers consecutive questions of one peer as a train (UDP_SEGMENT).
 *
 *   handle_responder --port 0 --answer 020b020b... [--gro]
 *
 * prints "ready PORT" when it answers, and runs until it is killed.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "handle_answer.h"
#include "udp_trains.h"

enum {
    BURST = 64,          /* datagrams (or trains) per call */
    TRAIN = 64,          /* datagrams per train: the kernel's own bound */
    TRAIN_BYTES = 65000, /* bytes per train at most */
    RECEIVED = 65536,    /* bytes of a whole train */
    SKEW = 192,          /* keeps buffers with power-of-two strides out of the same cache sets */
    PACKET = 512,        /* bytes of the longest packet */
    LEAST = 48,          /* envelope 20, header 24, length of a handle 4 */
    REQUEST = 8,         /* where the number of the question is */
    OPCODE = 20,
    RECURSION = 34,
    RESOLVE = 1
};

/* One transmit message: answers of equal length to one peer, back to back. */
typedef struct {
    struct iovec bytes;
    int count;
    const struct sockaddr_in *peer;
} train;

static uint8_t in[BURST][RECEIVED + SKEW];
static uint8_t out[BURST * TRAIN * PACKET];
static struct sockaddr_in peers[BURST];
static struct iovec in_vectors[BURST];
static uint8_t in_control[BURST][64];
static struct mmsghdr received[BURST];
static struct mmsghdr sent[BURST * TRAIN];
static uint8_t out_control[BURST * TRAIN][CMSG_SPACE(sizeof(uint16_t))];
static train trains[BURST * TRAIN];
static int train_count;
static uint8_t *free_bytes;

static int is_question(const uint8_t *message, uint32_t length) {
    return length >= LEAST && big32(message + 16) == length - 20 && big32(message + OPCODE) == RESOLVE
            && big32(message + OPCODE + 4) == 0;
}

static void answer(const uint8_t *question, const struct sockaddr_in *peer, int gro) {
    if (free_bytes + prepared_length > out + sizeof out) {
        return; /* More questions than a burst of full trains: the rest is dropped. */
    }
    memcpy(free_bytes, prepared, prepared_length);
    memcpy(free_bytes + REQUEST, question + REQUEST, 4);
    free_bytes[RECURSION] = question[RECURSION];
    train *last = train_count == 0 ? NULL : &trains[train_count - 1];
    if (gro && last != NULL && last->count < TRAIN && last->bytes.iov_len + prepared_length <= TRAIN_BYTES
            && memcmp(last->peer, peer, sizeof *peer) == 0) {
        last->bytes.iov_len += prepared_length;
        last->count++;
    } else if (train_count == BURST * TRAIN) {
        return;
    } else {
        trains[train_count++] = (train){{free_bytes, prepared_length}, 1, peer};
    }
    free_bytes += prepared_length;
}

static void transmit(int handle) {
    for (int i = 0; i < train_count; i++) {
        sent[i].msg_hdr = (struct msghdr){
                .msg_name = (void *)trains[i].peer, .msg_namelen = sizeof *trains[i].peer,
                .msg_iov = &trains[i].bytes, .msg_iovlen = 1};
        if (trains[i].count > 1) {
            send_segments(&sent[i].msg_hdr, out_control[i], (uint16_t)prepared_length);
        }
    }
    for (int done = 0; done < train_count;) {
        int rest = train_count - done;
        int now = sendmmsg(handle, sent + done, (unsigned)(rest < BURST ? rest : BURST), 0);
        if (now <= 0) {
            break;
        }
        done += now;
    }
    train_count = 0;
    free_bytes = out;
}

int main(int argc, char **argv) {
    uint16_t port = 0;
    int gro = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--gro") == 0) {
            gro = 1;
        } else if (i + 1 < argc && strcmp(argv[i], "--port") == 0) {
            port = (uint16_t)atoi(argv[++i]);
        } else if (i + 1 < argc && strcmp(argv[i], "--answer") == 0) {
            if (!read_prepared(argv[++i], LEAST, PACKET)) {
                fprintf(stderr, "handle_responder: the answer is not hex of %d to %d bytes\n", LEAST, PACKET);
                return 2;
            }
        }
    }
    int handle = socket(AF_INET, SOCK_DGRAM, 0);
    int buffer = 8 << 20;
    setsockopt(handle, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
    setsockopt(handle, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
    if (gro && setsockopt(handle, IPPROTO_UDP, UDP_GRO, &gro, sizeof gro) < 0) {
        return fail("handle_responder: UDP_GRO");
    }
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = htons(port)};
    own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof own;
    if (handle < 0 || bind(handle, (struct sockaddr *)&own, size) < 0
            || getsockname(handle, (struct sockaddr *)&own, &size) < 0) {
        return fail("handle_responder: socket");
    }
    printf("ready %d\n", ntohs(own.sin_port));
    fflush(stdout);
    for (int i = 0; i < BURST; i++) {
        in_vectors[i] = (struct iovec){in[i], gro ? RECEIVED : PACKET};
        received[i].msg_hdr = (struct msghdr){
                .msg_name = &peers[i], .msg_iov = &in_vectors[i], .msg_iovlen = 1,
                .msg_control = gro ? in_control[i] : NULL};
    }
    free_bytes = out;
    for (;;) {
        for (int i = 0; i < BURST; i++) {
            received[i].msg_hdr.msg_namelen = sizeof peers[i];
            received[i].msg_hdr.msg_controllen = gro ? sizeof in_control[i] : 0;
        }
        int count = recvmmsg(handle, received, BURST, MSG_WAITFORONE, NULL);
        for (int i = 0; i < count; i++) {
            uint32_t left = received[i].msg_len;
            uint32_t segment = gro ? segment_bytes(&received[i].msg_hdr, left) : left;
            for (const uint8_t *at = in[i]; left > 0;) {
                uint32_t length = left < segment ? left : segment;
                if (is_question(at, length)) {
                    answer(at, &peers[i], gro);
                }
                at += length;
                left -= length;
            }
        }
        transmit(handle);
    }
}
