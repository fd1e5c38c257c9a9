/* What the baselines of questions for handles share: the answer that was prepared, and numbers in messages. */
#ifndef HANDLE_ANSWER_H
#define HANDLE_ANSWER_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ANSWER = 4096 }; /* bytes of the longest answer */

static uint8_t prepared[ANSWER];
static uint32_t prepared_length;

static int fail(const char *what) {
    perror(what);
    return 1;
}

static uint32_t big32(const uint8_t *at) {
    uint32_t value;
    memcpy(&value, at, 4);
    return __builtin_bswap32(value);
}

static int read_prepared(const char *hex, size_t least, size_t most) {
    size_t digits = strlen(hex);
    if (digits % 2 != 0 || digits / 2 > most || digits / 2 < least) {
        return 0;
    }
    for (size_t i = 0; i < digits / 2; i++) {
        unsigned byte;
        if (sscanf(hex + 2 * i, "%2x", &byte) != 1) {
            return 0;
        }
        prepared[i] = (uint8_t)byte;
    }
    prepared_length = (uint32_t)(digits / 2);
    return 1;
}

#endif
