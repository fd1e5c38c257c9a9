/*
 * Asks for handles over connections in a closed loop: so many clients, each with one question at a time, on one thread
 * over epoll, so that as little as can be of the processors goes to whoever asks.
 *
 *   stream_generator --server 127.0.0.1:2641 --way tcp --clients 32 --warm 1000 --window 3000 --pid 0 --questions FILE
 *
 * The ways: "tcp" is a connection for each question, read to its end as the protocol's own clients do, which the server
 * makes; "tcp-keepalive", "http-json" and "http-native" keep theirs. FILE holds questions, each behind its length in four
 * bytes, big-endian, with room for the number of the question where messages have it; they are asked in turns. Every
 * answer is looked at: its length, its number, its status and code.
 *
 * "create" is as "tcp", and "create-kept" as "tcp-keepalive", for questions that cannot be asked twice, as each carries its place in
 * a session and a sum over all of it: of n clients the first asks questions 0, n, 2n, the second 1, n+1, and so on.
 *
 * Prints, for a window of milliseconds behind those to warm up, what generator.h says.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "generator.h"

enum {
    EVENTS = 256,
    BYTES = 16384,        /* of the longest answer */
    CLIENTS = 4096,
    QUESTIONS = 1 << 20,
    ENVELOPE = 20,
    REQUEST = 8,          /* where a message has its number */
    LENGTH = 16,          /* where an envelope has the bytes behind it */
    CODE = 24,            /* where a message has its code */
    SUCCESS = 1,
    NOT_FOUND = 100
};

enum way { TCP, TCP_KEEPALIVE, HTTP_JSON, HTTP_NATIVE, CREATE, CREATE_KEPT };

struct client {
    int handle;
    int answered; /* over "tcp": the answer is there, its end is not */
    enum verdict verdict;
    uint32_t number;
    uint32_t next; /* of the questions that are asked once */
    uint32_t have;
    uint64_t asked;
    uint8_t bytes[BYTES];
};

static const char *const WAYS[] = {"tcp", "tcp-keepalive", "http-json", "http-native", "create", "create-kept"};
static const char FOUND[] = "{\"responseCode\":1,";

static enum way way;
static uint8_t *questions[QUESTIONS];
static uint32_t lengths[QUESTIONS];
static uint32_t ids[QUESTIONS]; /* where a question has its number; 0 = nowhere */
static uint32_t question_count;
static uint32_t client_count = 1;
static struct client clients[CLIENTS];
static int poll_handle;
static uint32_t numbers;
static uint64_t begin, finish;

static void die(const char *what) {
    fprintf(stderr, "stream_generator: %s: %s\n", what, strerror(errno));
    exit(1);
}

static uint32_t big32(const uint8_t *at) {
    uint32_t value;
    memcpy(&value, at, 4);
    return __builtin_bswap32(value);
}

static int is_http(void) {
    return way == HTTP_JSON || way == HTTP_NATIVE;
}

static int asks_once(void) {
    return way == CREATE || way == CREATE_KEPT;
}

static void read_questions(const char *name) {
    FILE *file = fopen(name, "rb");
    uint8_t length[4];
    if (file == NULL) {
        die(name);
    }
    while (question_count < QUESTIONS && fread(length, 1, 4, file) == 4) {
        uint32_t bytes = big32(length);
        uint8_t *question = malloc(bytes);
        if (question == NULL || fread(question, 1, bytes, file) != bytes) {
            die(name);
        }
        uint32_t id = way == HTTP_JSON || asks_once() ? 0 : REQUEST;
        if (way == HTTP_NATIVE) {
            id += (uint32_t)((uint8_t *)memmem(question, bytes, "\r\n\r\n", 4) - question) + 4;
        }
        questions[question_count] = question;
        lengths[question_count] = bytes;
        ids[question_count++] = id;
    }
    fclose(file);
    if (question_count == 0) {
        die("there are no questions");
    }
}

static uint32_t next_question(struct client *client) {
    if (!asks_once()) {
        client->number = numbers++ & 0x7fffffff;
        return client->number % question_count;
    }
    uint32_t which = client->next;
    if (which >= question_count) {
        errno = 0;
        die("the questions ran out: the server is faster than was thought");
    }
    client->next += client_count;
    client->number = big32(questions[which] + REQUEST);
    return which;
}

static void ask(struct client *client) {
    client->have = 0;
    client->answered = 0;
    client->asked = clock_nanos(CLOCK_MONOTONIC);
    uint32_t which = next_question(client);
    if (ids[which] > 0) {
        uint32_t number = __builtin_bswap32(client->number);
        memcpy(questions[which] + ids[which], &number, 4);
    }
    if (client->handle < 0) {
        client->handle = socket(AF_INET, SOCK_STREAM, 0);
        int on = 1;
        if (client->handle < 0 || setsockopt(client->handle, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) < 0
                || connect(client->handle, (struct sockaddr *)&server, sizeof server) < 0) {
            die("cannot connect");
        }
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
        epoll_ctl(poll_handle, EPOLL_CTL_ADD, client->handle, &event);
    }
    if (send(client->handle, questions[which], lengths[which], MSG_NOSIGNAL) != (ssize_t)lengths[which]) {
        die("a question was not taken");
    }
}

static enum verdict verdict_of_code(uint32_t code) {
    return code == SUCCESS ? RIGHT : code == NOT_FOUND ? MISSING : FAILED;
}

static enum verdict verdict_of_message(const uint8_t *message, uint32_t length, uint32_t number) {
    return length >= CODE + 4 && big32(message + LENGTH) == length - ENVELOPE && big32(message + REQUEST) == number
            ? verdict_of_code(big32(message + CODE)) : WRONG;
}

/* The value of a header of HTTP, or NULL; the head ends in an empty line. */
static const char *header(const char *head, const char *name) {
    size_t length = strlen(name);
    for (const char *line = strstr(head, "\r\n"); line != NULL && line[2] != '\r'; line = strstr(line + 2, "\r\n")) {
        if (strncasecmp(line + 2, name, length) == 0 && line[2 + length] == ':') {
            return line + 2 + length + 1;
        }
    }
    return NULL;
}

/* Puts the chunks of a body together in its place; the bytes that they took, or 0 if some are still to come. */
static uint32_t join_chunks(uint8_t *body, uint32_t have, uint32_t *length) {
    uint32_t at = 0;
    *length = 0;
    for (;;) {
        const uint8_t *line = memmem(body + at, have - at, "\r\n", 2);
        if (line == NULL) {
            return 0;
        }
        uint32_t size = (uint32_t)strtoul((const char *)body + at, NULL, 16);
        uint32_t from = (uint32_t)(line - body) + 2;
        if (from + size + 2 > have) {
            return 0;
        }
        if (size == 0) {
            return from + 2;
        }
        at = from + size + 2;
        *length += size;
        if (at == have) {
            return 0;
        }
        /* The first chunk is moved to the start, so that its beginning can be looked at; others need not be. */
        if (*length == size) {
            memmove(body, body + from, size);
        }
    }
}

/* Whether an answer is there as a whole; if so, what it says. */
static int answered(struct client *client) {
    uint8_t *bytes = client->bytes;
    uint32_t have = client->have;
    if (!is_http()) {
        if (have < ENVELOPE || have < ENVELOPE + big32(bytes + LENGTH)) {
            return 0;
        }
        client->verdict = verdict_of_message(bytes, have, client->number);
        return 1;
    }
    const uint8_t *end = memmem(bytes, have, "\r\n\r\n", 4);
    if (end == NULL) {
        return 0;
    }
    uint32_t at = (uint32_t)(end - bytes) + 4;
    uint32_t length, took;
    const char *said = header((const char *)bytes, "content-length");
    if (said != NULL) {
        length = took = (uint32_t)strtoul(said, NULL, 10);
        if (have < at + length) {
            return 0;
        }
    } else {
        /* A look before chunks are joined: what is joined cannot be looked at again. */
        if (memcmp(bytes + have - 5, "0\r\n\r\n", 5) != 0 || (took = join_chunks(bytes + at, have - at, &length)) == 0) {
            return 0;
        }
    }
    int status = atoi((const char *)bytes + 9);
    if (have != at + took) {
        client->verdict = WRONG;
    } else if (way == HTTP_NATIVE) {
        client->verdict = status == 200 ? verdict_of_message(bytes + at, length, client->number) : FAILED;
    } else {
        int found = length > sizeof FOUND && memcmp(bytes + at, FOUND, sizeof FOUND - 1) == 0;
        client->verdict = status == 404 ? MISSING : status == 200 && found ? RIGHT : FAILED;
    }
    return 1;
}

static void note(struct client *client) {
    uint64_t now = clock_nanos(CLOCK_MONOTONIC);
    if (client->asked < begin || now >= finish) {
        return;
    }
    count(now - client->asked, client->verdict);
}

static void leave(struct client *client) {
    close(client->handle);
    client->handle = -1;
}

static void hear(struct client *client) {
    ssize_t got = recv(client->handle, client->bytes + client->have, BYTES - 1 - client->have, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (got <= 0) {
        if (got < 0 || !client->answered) {
            lost++;
        } else {
            note(client);
        }
        leave(client);
        ask(client);
        return;
    }
    if (client->answered) {
        client->verdict = WRONG; /* More than an answer came. */
        return;
    }
    client->have += (uint32_t)got;
    client->bytes[client->have] = 0;
    if (!answered(client)) {
        if (client->have == BYTES - 1) {
            lost++;
            leave(client);
            ask(client);
        }
        return;
    }
    if (way == TCP || way == CREATE) {
        client->answered = 1;
        hear(client); /* Most often its end came with it. */
    } else {
        note(client);
        ask(client);
    }
}

int main(int argc, char **argv) {
    const char *file = "";
    for (int i = 1; i + 1 < argc; i += 2) {
        char *value = argv[i + 1];
        if (common_option(argv[i], value)) {
            continue;
        }
        if (strcmp(argv[i], "--way") == 0) {
            for (int each = TCP; each <= CREATE_KEPT; each++) {
                way = strcmp(value, WAYS[each]) == 0 ? (enum way)each : way;
            }
        } else if (strcmp(argv[i], "--clients") == 0) {
            client_count = (uint32_t)atoi(value);
        } else if (strcmp(argv[i], "--questions") == 0) {
            file = value;
        }
    }
    read_questions(file);
    poll_handle = epoll_create1(0);
    begin = clock_nanos(CLOCK_MONOTONIC) + warm * 1000000;
    finish = begin + window * 1000000;
    for (uint32_t i = 0; i < client_count && i < CLIENTS; i++) {
        clients[i].handle = -1;
        clients[i].next = i;
        ask(&clients[i]);
    }
    for (int begun = 0;;) {
        static struct epoll_event events[EVENTS];
        uint64_t now = clock_nanos(CLOCK_MONOTONIC);
        if (!begun && now >= begin) {
            begun = 1;
            lost = 0;
            begin_accounts();
        }
        if (now >= finish) {
            break;
        }
        uint64_t next = begun ? finish : begin;
        int waiting = epoll_wait(poll_handle, events, EVENTS, (int)((next - now) / 1000000) + 1);
        for (int i = 0; i < waiting; i++) {
            hear(events[i].data.ptr);
        }
    }
    uint64_t own;
    int64_t its;
    end_accounts(&own, &its);
    tally(own, its);
    return 0;
}
