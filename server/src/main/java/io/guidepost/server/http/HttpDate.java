package io.guidepost.server.http;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The date of answers (RFC 9110 section 5.6.7), written once a second. */
final class HttpDate {
    private record Written(long second, String text) {}

    private static volatile Written last = new Written(Long.MIN_VALUE, "");

    private HttpDate() {}

    static String now() {
        long second = System.currentTimeMillis() / 1000;
        Written written = last;
        if (written.second != second) {
            String text = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                    Instant.ofEpochSecond(second).atOffset(ZoneOffset.UTC));
            written = new Written(second, text);
            last = written;
        }
        return written.text;
    }
}
