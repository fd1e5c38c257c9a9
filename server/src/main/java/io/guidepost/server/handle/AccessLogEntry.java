package io.guidepost.server.handle;

import io.guidepost.web.JsonWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * One access, as the log tells it.
 *
 * <pre>
 *  127.0.0.1 TCP:HDL(2.11) "2026-11-21 10:20:30.400+0100" 100 1 12ms adm=300:1234/ADMIN 1234/5
 *  127.0.0.1 HTTPS:PUT "2026-11-21 10:20:30.400+0100" 100 1 7ms adm=300:1234/ADMIN 1234/5
 *  127.0.0.1 HTTP:GET "2026-11-21 10:20:30.400+0100" - 200 3ms /api/handles/1234/5
 * </pre>
 *
 * @param peer numeric address of who asked
 * @param transport UDP, TCP, HTTP, HTTPS
 * @param protocol {@code HDL(version)}, or the method of HTTP
 * @param time when it was answered
 * @param operation its number, 0 if the request does not say; -1 for pages
 * @param code response code, for pages the status of HTTP
 * @param millis how long it took
 * @param identity who asked, or empty
 * @param about the handle, for pages the target of HTTP
 */
record AccessLogEntry(
        String peer,
        String transport,
        String protocol,
        Instant time,
        int operation,
        int code,
        long millis,
        String identity,
        String about) {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSZ", Locale.ROOT).withZone(ZoneId.systemDefault());

    String text() {
        return peer + " " + transport + ":" + protocol + " \"" + TIME.format(time) + "\" "
                + (operation < 0 ? "-" : Integer.toString(operation)) + " " + code + " " + millis + "ms "
                + (identity.isEmpty() ? "" : "adm=" + plain(identity) + " ") + plain(about);
    }

    String json() {
        return JsonWriter.line(JsonWriter.object(
                "peer", peer,
                "transport", transport,
                "protocol", protocol,
                "time", time.toString(),
                "operation", operation,
                "code", code,
                "millis", millis,
                "identity", identity,
                "about", about));
    }

    /** What came by wire must not end the line. */
    private static String plain(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        text.codePoints().forEach(each -> {
            if (Character.isISOControl(each) || each == 0x2028 || each == 0x2029) {
                plain.append(String.format(Locale.ROOT, "\\u%04x", each));
            } else {
                plain.appendCodePoint(each);
            }
        });
        return plain.toString();
    }
}
