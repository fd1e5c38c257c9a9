package io.guidepost.lab.simulation;

import io.guidepost.names.Guid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All that clients asked of a deployment, and what they heard. */
final class RequestHistory {
    private final Map<Guid, List<ClientAttempt>> byGuid = new TreeMap<>();
    private final Map<Integer, ClientAttempt> byId = new HashMap<>();

    void add(ClientAttempt attempt) {
        byGuid.computeIfAbsent(attempt.guid, none -> new ArrayList<>()).add(attempt);
        byId.put(attempt.id, attempt);
    }

    /** The attempt with a request id, or null. */
    @Nullable ClientAttempt of(int id) {
        return byId.get(id);
    }

    /** Whether an id was used. */
    boolean has(int id) {
        return byId.containsKey(id);
    }

    /** The attempts for a GUID, in the order of their start. */
    List<ClientAttempt> of(Guid guid) {
        return byGuid.getOrDefault(guid, List.of());
    }

    Iterable<Guid> guids() {
        return byGuid.keySet();
    }

    /** The attempts for a GUID, for people. */
    List<String> lines(Guid guid) {
        List<String> lines = new ArrayList<>();
        lines.add("     start        end  (seconds)");
        of(guid).forEach(each -> lines.add(each.toString()));
        return lines;
    }
}
