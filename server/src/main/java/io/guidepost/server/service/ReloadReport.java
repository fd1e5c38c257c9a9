package io.guidepost.server.service;

import io.guidepost.server.admin.AdminPort;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What a start or a reload found.
 *
 * @param done whether it is in force; if not, what was in force before goes on
 * @param at when
 * @param millis how long it took
 * @param placement what is in force now
 * @param faults what was wrong, one line each
 * @param restart keys that changed and take effect with the next start only
 */
public record ReloadReport(
        boolean done,
        Instant at,
        long millis,
        Map<String, Object> placement,
        List<String> faults,
        List<String> restart) {

    /** In one line. */
    public String text() {
        return done ? "done at " + at : "refused at " + at + ": " + faults.getFirst();
    }

    public HttpResponse answer() {
        return AdminPort.json(
                done ? 200 : 422,
                JsonWriter.object(
                        "done", done,
                        "millis", millis,
                        "placement", placement,
                        "faults", faults,
                        "needsRestart", restart));
    }
}
