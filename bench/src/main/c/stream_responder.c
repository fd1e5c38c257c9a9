/*
 * The baseline of questions for handles over connections: answers every question with one answer that was prepared, in
 * which it writes the number of the question. It does not look what is asked for: what it costs is what the kernel costs
 * for connections, and a copy.
 *
 * One thread over epoll, which accepts, reads and writes; without work it sleeps in the kernel. A question is answered by
 * the read that ends it.
 *
 *   stream_responder --way tcp --port 0 --answer 020b020b...
 *
 * The ways: "tcp" closes the connection behind an answer, "tcp-keepalive" does not; "http-json" and "http-native" speak
 * HTTP/1.1, and the answer is that of HTTP as a whole. Prints "ready PORT" when it answers, and runs until it is killed.
 *
 * With --log FILE --bytes N it is the baseline of a store too: so many bytes are appended for each question, all questions of a turn
 * are synced once (fdatasync), and answered behind that. The ways "create" and "create-kept" are "tcp" and "tcp-keepalive".
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "handle_answer.h"

enum {
    EVENTS = 256,
    BYTES = 4096,         /* of the longest question */
    CONNECTIONS = 65536,  /* file numbers that are known */
    ENVELOPE = 20,
    REQUEST = 8,          /* where a message has its number */
    LENGTH = 16,          /* where an envelope has the bytes behind it */
    LOGGED = 65536        /* bytes of the most that is appended for one question */
};

struct connection {
    uint32_t have;
    uint8_t bytes[BYTES];
};

static uint32_t prepared_request; /* where the answer has the number of the question; 0 = nowhere */
static int http;
static int closing;
static struct connection *connections[CONNECTIONS];

/* Questions of this turn that are answered when the log is synced: of which connection, with which number. */
static int log_handle = -1;
static uint32_t log_bytes;
static int unsynced[CONNECTIONS];
static uint8_t unsynced_numbers[CONNECTIONS][4];
static uint32_t unsynced_count;

/* Bytes of the question at the beginning, and where its message is; 0 if it is not there as a whole. */
static uint32_t question(const uint8_t *bytes, uint32_t have, uint32_t *message) {
    *message = 0;
    if (!http) {
        uint32_t whole = have < ENVELOPE ? ENVELOPE : ENVELOPE + big32(bytes + LENGTH);
        return have < whole ? 0 : whole;
    }
    const uint8_t *end = memmem(bytes, have, "\r\n\r\n", 4);
    if (end == NULL) {
        return 0;
    }
    *message = (uint32_t)(end - bytes) + 4;
    const uint8_t *said = memmem(bytes, *message, "\r\nContent-Length: ", 18);
    uint32_t whole = *message + (said == NULL ? 0 : (uint32_t)strtoul((const char *)said + 18, NULL, 10));
    return have < whole ? 0 : whole;
}

static void end(int handle) {
    for (uint32_t i = 0; i < unsynced_count; i++) {
        unsynced[i] = unsynced[i] == handle ? -1 : unsynced[i];
    }
    close(handle);
    free(connections[handle]);
    connections[handle] = NULL;
}

static int answer(int handle, const uint8_t *number) {
    if (!http || prepared_request > 0) {
        memcpy(prepared + prepared_request + REQUEST, number, 4);
    }
    return write(handle, prepared, prepared_length) == (ssize_t)prepared_length && !closing;
}

/* Makes the questions of this turn durable, and answers them. */
static int sync_log(void) {
    static uint8_t group[EVENTS * LOGGED];
    if (unsynced_count == 0) {
        return 1;
    }
    size_t bytes = (size_t)unsynced_count * log_bytes;
    if (write(log_handle, group, bytes) != (ssize_t)bytes || fdatasync(log_handle) < 0) {
        return 0;
    }
    uint32_t count = unsynced_count;
    unsynced_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (unsynced[i] >= 0 && !answer(unsynced[i], unsynced_numbers[i])) {
            end(unsynced[i]);
        }
    }
    return 1;
}

static void serve(int handle) {
    struct connection *from = connections[handle];
    ssize_t got = read(handle, from->bytes + from->have, BYTES - from->have);
    if (got <= 0) {
        if (got == 0 || errno != EAGAIN) {
            end(handle);
        }
        return;
    }
    from->have += (uint32_t)got;
    uint32_t message;
    for (uint32_t whole; (whole = question(from->bytes, from->have, &message)) > 0;) {
        const uint8_t *number = from->bytes + message + REQUEST;
        if (log_handle >= 0 && unsynced_count < EVENTS) {
            unsynced[unsynced_count] = handle;
            memcpy(unsynced_numbers[unsynced_count++], number, 4);
        } else if (!answer(handle, number)) {
            end(handle);
            return;
        }
        from->have -= whole;
        memmove(from->bytes, from->bytes + whole, from->have);
    }
    if (from->have == BYTES) {
        end(handle);
    }
}

static void take(int poll, int listener) {
    int handle;
    while ((handle = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        if (handle >= CONNECTIONS || (connections[handle] = malloc(sizeof(struct connection))) == NULL) {
            close(handle);
            continue;
        }
        connections[handle]->have = 0;
        struct epoll_event event = {.events = EPOLLIN, .data.fd = handle};
        epoll_ctl(poll, EPOLL_CTL_ADD, handle, &event);
    }
}

int main(int argc, char **argv) {
    uint16_t port = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--port") == 0) {
            port = (uint16_t)atoi(argv[i + 1]);
        } else if (strcmp(argv[i], "--way") == 0) {
            closing = strcmp(argv[i + 1], "tcp") == 0 || strcmp(argv[i + 1], "create") == 0;
            http = strncmp(argv[i + 1], "http", 4) == 0;
            prepared_request = strcmp(argv[i + 1], "http-native") == 0;
        } else if (strcmp(argv[i], "--log") == 0) {
            log_handle = open(argv[i + 1], O_WRONLY | O_CREAT | O_APPEND, 0600);
            if (log_handle < 0) {
                return fail("stream_responder: log");
            }
        } else if (strcmp(argv[i], "--bytes") == 0) {
            log_bytes = (uint32_t)atoi(argv[i + 1]);
            if (log_bytes > LOGGED) {
                fprintf(stderr, "stream_responder: at most %d bytes are logged for a question\n", LOGGED);
                return 2;
            }
        } else if (strcmp(argv[i], "--answer") == 0 && !read_prepared(argv[i + 1], ENVELOPE, ANSWER)) {
            fprintf(stderr, "stream_responder: the answer is not hex of %d to %d bytes\n", ENVELOPE, ANSWER);
            return 2;
        }
    }
    if (prepared_request > 0) {
        const uint8_t *head = memmem(prepared, prepared_length, "\r\n\r\n", 4);
        if (head == NULL || head + 4 + ENVELOPE > prepared + prepared_length) {
            fprintf(stderr, "stream_responder: the answer is none of HTTP with a message\n");
            return 2;
        }
        prepared_request = (uint32_t)(head - prepared) + 4;
    }
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    int on = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); /* connections inherit it */
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = htons(port)};
    own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof own;
    if (listener < 0 || bind(listener, (struct sockaddr *)&own, size) < 0 || listen(listener, 1024) < 0
            || getsockname(listener, (struct sockaddr *)&own, &size) < 0) {
        return fail("stream_responder: socket");
    }
    int poll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
    if (poll < 0 || epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event) < 0) {
        return fail("stream_responder: epoll");
    }
    printf("ready %d\n", ntohs(own.sin_port));
    fflush(stdout);
    for (;;) {
        static struct epoll_event events[EVENTS];
        int count = epoll_wait(poll, events, EVENTS, -1);
        for (int i = 0; i < count; i++) {
            if (events[i].data.fd == listener) {
                take(poll, listener);
            } else {
                serve(events[i].data.fd);
            }
        }
        if (!sync_log()) {
            return fail("stream_responder: log");
        }
    }
}
