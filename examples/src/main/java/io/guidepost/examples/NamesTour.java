package io.guidepost.examples;

import io.guidepost.client.NameChange;
import io.guidepost.client.NameChange.Kind;
import io.guidepost.client.NameClient;
import io.guidepost.client.NameClientSettings;
import io.guidepost.client.NameLease;
import io.guidepost.client.NamePlace;
import io.guidepost.client.NameWatcher;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A name is put, resolved, held by a lease and watched, with the client for Java 17. */
final class NamesTour {
    private NamesTour() {}

    /** Returns what a program would print. */
    static List<String> run(String server, String gnrs, String token) throws IOException {
        List<String> told = new ArrayList<>();
        // snippet: names
        try (NameClient client = NameClient.open(NameClientSettings.of(server).withGnrs(gnrs).withToken(token))) {
            client.put("orders.example", NamePlace.of("192.0.2.10:8443"), NamePlace.of("[2001:db8::10]:8443"));
            client.resolve("orders.example").forEach(place -> told.add(place.address()));
            try (NameLease lease = client.lease(Duration.ofSeconds(30)); NameWatcher watcher = client.watch("workers.")) {
                lease.add("workers.example", NamePlace.of("192.0.2.7:9000")); // renewed until the lease or the process ends
                for (NameChange change = watcher.next(); change.kind() == Kind.PUT; change = watcher.next()) {
                    told.add("put " + change.name());
                }
            }
        }
        // end
        return told;
    }
}
