package io.guidepost.lab.simulation;

import io.guidepost.names.Guid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All requests of clients, and their outcomes. */
final class RequestHistory {
    private final Map<Guid, List<ClientAttempt>> byGuid = new TreeMap<>();
    private final Map<Integer, ClientAttempt> byId = new HashMap<>();

    void add(ClientAttempt attempt) {
        byGuid.computeIfAbsent(attempt.guid, none -> new ArrayList<>()).add(attempt);
        byId.put(attempt.id, attempt);
    }

    /** Returns the attempt with a request id, or null. */
    @Nullable ClientAttempt of(int id) {
        return byId.get(id);
    }

    /** Returns whether an id was used. */
    boolean has(int id) {
        return byId.containsKey(id);
    }

    /** Returns the attempts for a GUID, in the order of their start. */
    List<ClientAttempt> of(Guid guid) {
        return byGuid.getOrDefault(guid, List.of());
    }

    Iterable<Guid> guids() {
        return byGuid.keySet();
    }

    /** Returns the attempts for a GUID as text. */
    List<String> lines(Guid guid) {
        List<String> lines = new ArrayList<>();
        lines.add("     start        end  (seconds)");
        of(guid).forEach(each -> lines.add(each.toString()));
        return lines;
    }
}
