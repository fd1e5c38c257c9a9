package io.guidepost.server.admin;

import io.guidepost.base.DurableFiles;
import io.guidepost.base.TokenBucket;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.lang.System.Logger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Map;

/**
 * The audit log: one line of JSON for each request to the admin port that changed something or wanted to. The file is opened for
 * each line, so that programs which rotate logs may move it at any time.
 *
 * <pre>
 * {"time":"2026-11-23T22:33:54.123Z","from":"127.0.0.1:40112","by":"token","request":"POST /backup","body":"daily","status":200}
 * </pre>
 */
final class AuditLog {
    static final String NAME = "audit.log";

    private static final Logger LOG = System.getLogger(AuditLog.class.getName());

    /** Refusals per second, so that a stranger cannot fill the disk with them. */
    private static final double REFUSALS_PER_SECOND = 1;

    private static final double REFUSALS_AT_ONCE = 100;
    private static final int BODY_CHARS_MAX = 200;

    private final Path file;
    private final TokenBucket refusals = new TokenBucket(REFUSALS_PER_SECOND, REFUSALS_AT_ONCE);
    private long left;

    /** @param folder of the store, which is there when the first line is written */
    AuditLog(Path folder) {
        this.file = folder.resolve(NAME);
    }

    /**
     * Writes a line. Refusals beyond the rate are left out; the next line says how many.
     *
     * @param from where the request came from
     * @param by what it showed: {@code socket}, {@code token} or {@code none}
     * @param status of the response
     */
    synchronized void write(String from, String by, String request, String body, int status) {
        boolean refused = status == 401 || status == 403 || status == 421;
        refusals.refill(System.nanoTime());
        if (refused && !refusals.tryTake(1)) {
            left++;
            return;
        }
        Map<String, Object> line = JsonWriter.object(
                "time", Instant.now().toString(),
                "from", from,
                "by", by,
                "request", request,
                "body", body.length() > BODY_CHARS_MAX ? body.substring(0, BODY_CHARS_MAX) + "..." : body,
                "status", status);
        if (left > 0) {
            line.put("refusalsLeftOut", left);
            left = 0;
        }
        try {
            if (!Files.exists(file)) {
                Files.createFile(file, DurableFiles.OWNER_ONLY);
            }
            Files.writeString(file, JsonWriter.line(line) + "\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "the audit log {0} cannot be written ({1}); it would have said: {2}", file, e.getMessage(), line);
        }
    }
}
