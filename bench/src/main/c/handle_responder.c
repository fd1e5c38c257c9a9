/*
 * The baseline of questions for handles over UDP: answers every question with one answer that was prepared, in which it
 * writes the number of the question and how many servers it went through. It does not look which handle is asked for:
 * what it costs is what the kernel costs, and a copy.
 *
 * Bursts of up to 64 through recvmmsg and sendmmsg; without work it sleeps in the kernel.
 *
 *   handle_responder --port 0 --answer 020b020b...
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

enum {
    BURST = 64,
    PACKET = 512,      /* bytes of the longest packet */
    LEAST = 48,        /* envelope 20, header 24, length of a handle 4 */
    REQUEST = 8,       /* where the number of the question is */
    OPCODE = 20,
    RECURSION = 34,
    RESOLVE = 1
};

static uint8_t in[BURST][PACKET + 64];
static uint8_t out[BURST][PACKET + 64];
static struct sockaddr_in peers[BURST];
static struct iovec in_vectors[BURST];
static struct iovec out_vectors[BURST];
static struct mmsghdr received[BURST];
static struct mmsghdr sent[BURST];

static int is_question(const uint8_t *message, uint32_t length) {
    return length >= LEAST && big32(message + 16) == length - 20 && big32(message + OPCODE) == RESOLVE
            && big32(message + OPCODE + 4) == 0;
}

int main(int argc, char **argv) {
    uint16_t port = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--port") == 0) {
            port = (uint16_t)atoi(argv[i + 1]);
        } else if (strcmp(argv[i], "--answer") == 0 && !read_prepared(argv[i + 1], LEAST, PACKET)) {
            fprintf(stderr, "handle_responder: the answer is not hex of %d to %d bytes\n", LEAST, PACKET);
            return 2;
        }
    }
    int handle = socket(AF_INET, SOCK_DGRAM, 0);
    int buffer = 8 << 20;
    setsockopt(handle, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
    setsockopt(handle, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
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
        in_vectors[i] = (struct iovec){in[i], PACKET};
        received[i].msg_hdr = (struct msghdr){
                .msg_name = &peers[i], .msg_namelen = sizeof peers[i], .msg_iov = &in_vectors[i], .msg_iovlen = 1};
        sent[i].msg_hdr.msg_iov = &out_vectors[i];
        sent[i].msg_hdr.msg_iovlen = 1;
        sent[i].msg_hdr.msg_namelen = sizeof peers[i];
    }
    for (;;) {
        for (int i = 0; i < BURST; i++) {
            received[i].msg_hdr.msg_namelen = sizeof peers[i];
        }
        int count = recvmmsg(handle, received, BURST, MSG_WAITFORONE, NULL);
        int answers = 0;
        for (int i = 0; i < count; i++) {
            if (is_question(in[i], received[i].msg_len)) {
                memcpy(out[answers], prepared, prepared_length);
                memcpy(out[answers] + REQUEST, in[i] + REQUEST, 4);
                out[answers][RECURSION] = in[i][RECURSION];
                out_vectors[answers] = (struct iovec){out[answers], prepared_length};
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
    }
}
