package io.guidepost.client;

import io.guidepost.client.GuidepostException.Kind;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client of the names of a deployment: where is it? Blocks, but for {@link #resolveAsync}. Thread-safe. Every method throws
 * {@link GuidepostException} if no server answers, or one refuses.
 */
public final class NameClient implements AutoCloseable {
    private static final int PAGE = 1000;
    private static final int GNRS_PORT = 5001;

    /** How many times as long as one attempt GNRS may take before HTTP is asked. */
    private static final int GNRS_PATIENCE = 5;

    /** How long GNRS is left alone when it was silent: UDP may be blocked on the way. */
    private static final long GNRS_PAUSE_NANOS = 5_000_000_000L;

    private final NameClientSettings settings;
    private final HttpServers servers;
    private final @Nullable LookupChannel lookups;
    private volatile long gnrsFromNanos = System.nanoTime();

    private NameClient(NameClientSettings settings, @Nullable LookupChannel lookups) {
        this.settings = settings;
        this.servers = new HttpServers(settings);
        this.lookups = lookups;
    }

    /**
     * Returns a client; the servers need not be reachable yet.
     *
     * @throws IOException if there is no socket for GNRS
     */
    public static NameClient open(NameClientSettings settings) throws IOException {
        List<InetSocketAddress> gnrs = new ArrayList<>();
        for (String each : settings.gnrs()) {
            URI parts = URI.create("gnrs://" + each);
            if (parts.getHost() == null) {
                throw new IllegalArgumentException("'" + each + "' is no GNRS server: write HOST:PORT");
            }
            gnrs.add(new InetSocketAddress(parts.getHost(), parts.getPort() < 0 ? GNRS_PORT : parts.getPort()));
        }
        Duration patience = settings.hedgeAfter().multipliedBy(GNRS_PATIENCE);
        Duration timeout = patience.compareTo(settings.timeout()) < 0 ? patience : settings.timeout();
        return new NameClient(settings, gnrs.isEmpty() ? null : new LookupChannel(settings, timeout, gnrs));
    }

    /** Returns the places of a name, links to other names followed; none if it has none. See {@link #resolveAsync}. */
    public List<NamePlace> resolve(String name) {
        return await(resolveAsync(name));
    }

    /**
     * Returns the places of a name, links to other names followed. Over GNRS, if the client has a server of it: such places have
     * neither weight nor labels. The future fails with a {@link GuidepostException}.
     */
    public CompletableFuture<List<NamePlace>> resolveAsync(String name) {
        String target = path(name) + "?recursive=1";
        if (lookups == null || System.nanoTime() - gnrsFromNanos < 0) {
            return record(target).thenApply(NameClient::places);
        }
        // No places may also mean that the server folds handles otherwise, or keeps the name elsewhere: it is asked by the text too.
        return lookups.lookup(NameGuid.of(name)).exceptionally(failure -> {
            if (HedgedRequest.error(failure).kind() == Kind.TIMEOUT) {
                gnrsFromNanos = System.nanoTime() + GNRS_PAUSE_NANOS;
            }
            return List.of();
        }).thenCompose(found -> found.isEmpty()
                ? record(target).thenApply(NameClient::places) : CompletableFuture.completedFuture(found));
    }

    /** Returns the places of a name, those first that are nearest to an address by the operator's topology. */
    public List<NamePlace> resolveNearest(String name, String address) {
        return places(await(record(path(name) + "?recursive=1&nearest=" + encode(address))));
    }

    /** Returns the record of a name as it is kept: with version, weights and labels, and links not followed. */
    public Optional<NameRecord> get(String name) {
        return await(record(path(name)));
    }

    private static List<NamePlace> places(Optional<NameRecord> record) {
        return record.map(NameRecord::places).orElse(List.of());
    }

    private CompletableFuture<Optional<NameRecord>> record(String target) {
        return servers.read(target, true).thenApply(
                answer -> answer.statusCode() == 200 ? Optional.of(NameRecord.read(json(answer))) : Optional.empty());
    }

    /** Replaces all places of a name, durably. */
    public NameRecord put(String name, NamePlace... places) {
        return put(name, Map.of(), places);
    }

    /** Replaces all places of a name if its record has a version, and throws a {@code CONFLICT} otherwise. */
    public NameRecord putIfVersion(String name, String version, NamePlace... places) {
        return put(name, Map.of("If-Match", '"' + version + '"'), places);
    }

    /** Writes places of a name if it has none, and throws a {@code CONFLICT} otherwise. */
    public NameRecord putIfAbsent(String name, NamePlace... places) {
        return put(name, Map.of("If-None-Match", "*"), places);
    }

    private NameRecord put(String name, Map<String, String> condition, NamePlace... places) {
        return NameRecord.read(json(servers.write("PUT", path(name), Map.of("places", write(places)), condition, false)));
    }

    /** Adds places to a name, which keeps those that it has; a place that is there takes the new lifetime, weight and labels. */
    public NameRecord add(String name, NamePlace... places) {
        return NameRecord.read(json(servers.write("PATCH", path(name), Map.of("add", write(places)), Map.of(), false)));
    }

    /** Removes some places of a name. */
    public void remove(String name, List<String> addresses) {
        servers.write("PATCH", path(name), Map.of("remove", addresses), Map.of(), false);
    }

    /** Removes all places of a name; returns false if it had none. */
    public boolean remove(String name) {
        return servers.write("DELETE", path(name), null, Map.of(), true).statusCode() != HttpServers.NOT_FOUND;
    }

    /** Gives the records of all names that begin with a text, sorted by their bytes; fetched in pages. */
    public void list(String prefix, Consumer<NameRecord> records) {
        String target = "/v1/names?limit=" + PAGE + "&prefix=" + encode(prefix);
        Object next = "";
        while (next != null) {
            String after = next.equals("") ? "" : "&after=" + encode(next.toString());
            Map<String, Object> page = json(await(servers.read(target + after, false)));
            JsonText.list(page.get("names")).forEach(each -> records.accept(NameRecord.read(JsonText.object(each))));
            next = page.get("next");
        }
    }

    /** Watches the names that begin with a text. */
    public NameWatcher watch(String prefix) {
        return new NameWatcher(servers, "/v1/names?watch=1&prefix=" + encode(prefix));
    }

    /** Returns a lease: places that it adds go when this process ends, that much later at the latest. */
    public NameLease lease(Duration length) {
        return new NameLease(servers, length);
    }

    /**
     * Returns addresses, nearest first by the operator's topology; those that the server does not know come last.
     *
     * @param source the address that they are to be near to; the client's own if empty, which a server may demand
     */
    public List<String> rank(List<String> addresses, Optional<String> source) {
        URI directory = settings.alto();
        if (directory == null) {
            throw new GuidepostException(Kind.INVALID, "rank needs the directory of ALTO: withAlto(\"http://HOST:5082/directory\")");
        }
        String costs = "application/alto-endpointcost";
        Map<String, Object> resources = JsonText.object(alto(HttpRequest.newBuilder(directory)).get("resources"));
        URI uri = resources.values().stream().map(JsonText::object).filter(each -> (costs + "+json").equals(each.get("media-type")))
                .findFirst().map(each -> directory.resolve(JsonText.of(String.class, each.get("uri"))))
                .orElseThrow(() -> new GuidepostException(Kind.OTHER, "the server publishes no costs between addresses"));
        Map<String, Object> endpoints = new HashMap<>(Map.of("dsts", addresses.stream().map(NameClient::endpoint).toList()));
        source.ifPresent(each -> endpoints.put("srcs", List.of(endpoint(each))));
        String question = JsonText.write(Map.of(
                "cost-type", Map.of("cost-mode", "numerical", "cost-metric", "routingcost"), "endpoints", endpoints));
        Map<String, Object> byAddress = new HashMap<>();
        JsonText.object(alto(HttpRequest.newBuilder(uri).header("Content-Type", costs + "params+json")
                .POST(HttpRequest.BodyPublishers.ofString(question))).get("endpoint-cost-map"))
                .values().forEach(row -> byAddress.putAll(JsonText.object(row)));
        return addresses.stream().sorted(Comparator.comparingDouble(each ->
                byAddress.get(endpoint(each)) instanceof Number cost ? cost.doubleValue() : Double.POSITIVE_INFINITY)).toList();
    }

    private Map<String, Object> alto(HttpRequest.Builder request) {
        HttpRequest built = request.timeout(settings.timeout()).build();
        return json(HttpServers.checked(await(servers.http().sendAsync(built, HttpResponse.BodyHandlers.ofString())), false));
    }

    private static String endpoint(String address) {
        return (address.contains(":") ? "ipv6:" : "ipv4:") + address;
    }

    static String path(String name) {
        return "/v1/names/" + encode(name);
    }

    static List<Map<String, Object>> write(NamePlace... places) {
        return List.of(places).stream().map(NamePlace::write).toList();
    }

    static Map<String, Object> json(HttpResponse<String> answer) {
        return JsonText.object(JsonText.parse(answer.body()));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get();
        } catch (ExecutionException failure) {
            throw HedgedRequest.error(failure).here();
        } catch (InterruptedException e) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            throw new GuidepostException(Kind.OTHER, "interrupted");
        }
    }

    /** Closes the sockets of GNRS; connections of HTTP are closed when they are idle. Leases and watches are closed by themselves. */
    @Override
    public void close() throws IOException {
        if (lookups != null) {
            lookups.close();
        }
    }
}
