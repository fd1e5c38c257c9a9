package io.guidepost.lab.trace;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.gnrs.client.GnrsRequest.Kind;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a server has acknowledged: the places that each GUID must have. A GUID whose replacement was not answered may
 * have the old places or the new, and is left out from then on. Thread-safe.
 *
 * <p>As a file it has one line for each GUID: its 40 digits, and its places with blanks between.
 */
public final class AcknowledgedBindings {
    private final Map<Guid, Set<Locator>> places = new LinkedHashMap<>();
    private final Set<Guid> uncertain = new HashSet<>();

    /** Notes what became of a request. */
    public synchronized void note(GnrsResponse answer) {
        GnrsRequest request = answer.request();
        if (request.kind() == Kind.LOOKUP) {
            return;
        }
        boolean done = answer.outcome() == GnrsResponse.Outcome.SUCCESS;
        boolean replaces = request.kind() == Kind.UPDATE;
        if (!done && replaces) {
            uncertain.add(request.guid());
            places.remove(request.guid());
        }
        if (!done || uncertain.contains(request.guid())) {
            return;
        }
        if (replaces) {
            places.remove(request.guid());
        }
        Set<Locator> of = places.computeIfAbsent(request.guid(), each -> new HashSet<>());
        request.bindings().stream().map(Binding::locator).forEach(of::add);
    }

    /** A copy as it is now. */
    public synchronized AcknowledgedBindings copy() {
        AcknowledgedBindings copy = new AcknowledgedBindings();
        places.forEach((guid, of) -> copy.places.put(guid, Set.copyOf(of)));
        return copy;
    }

    /** How many GUIDs it has. */
    public synchronized int size() {
        return places.size();
    }

    /**
     * Asks a server for every GUID.
     *
     * @return those that lack a place that was acknowledged, or could not be asked
     */
    public synchronized List<Guid> missing(GnrsClient client) throws IOException {
        List<Guid> missing = new ArrayList<>();
        Iterator<GnrsRequest> requests =
                places.keySet().stream().map(each -> GnrsRequest.lookup(each, false)).iterator();
        client.batch(requests, answer -> {
            Set<Locator> found = new HashSet<>();
            answer.bindings().forEach(each -> found.add(each.locator()));
            Guid guid = answer.request().guid();
            if (!found.containsAll(places.getOrDefault(guid, Set.of()))) {
                missing.add(guid);
            }
        });
        return missing;
    }

    synchronized void write(Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.US_ASCII)) {
            for (Map.Entry<Guid, Set<Locator>> each : places.entrySet()) {
                out.write(each.getKey().toString());
                for (Locator locator : each.getValue()) {
                    out.write(" " + locator);
                }
                out.write("\n");
            }
        }
    }

    /** Reads a file that {@link #write} wrote. */
    static AcknowledgedBindings read(Path file) throws IOException {
        AcknowledgedBindings ledger = new AcknowledgedBindings();
        int number = 0;
        for (String line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
            number++;
            String[] fields = line.split(" ", -1);
            try {
                Set<Locator> of = new HashSet<>();
                for (int i = 1; i < fields.length; i++) {
                    of.add(Locator.parse(fields[i]));
                }
                ledger.places.put(Guid.parse(fields[0]), of);
            } catch (Malformed e) {
                throw new IOException(file + ":" + number + ": " + e.getMessage(), e);
            }
        }
        return ledger;
    }
}
