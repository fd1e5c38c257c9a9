package io.guidepost.bench.names;

import io.guidepost.bench.load.GnrsAnswerCheck.Verdict;
import io.guidepost.bench.load.StreamClient;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.ServerUnderTest;
import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** The product, with names over HTTP and as a zone of DNS. */
final class GuidepostNames implements NamesTarget {
    static final String ZONE = "names.example";

    /** A server that shares its processor may be slow to sync: names are not given up for half a minute. */
    private static final GnrsClientSettings LOADING = new GnrsClientSettings(500, 6, 1024);

    private final ServerUnderTest server;
    private final InetSocketAddress http;
    private final InetSocketAddress dns;
    private final AtomicLong changes = new AtomicLong();

    private GuidepostNames(ServerUnderTest server, InetSocketAddress http, InetSocketAddress dns) {
        this.server = server;
        this.http = http;
        this.dns = dns;
    }

    static GuidepostNames start(BenchStage stage, int cpu) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        InetSocketAddress http = new InetSocketAddress(loopback, ServerUnderTest.freeTcpPort());
        InetSocketAddress dns = new InetSocketAddress(loopback, ServerUnderTest.freeUdpPort());
        ServerUnderTest server = stage.server("guidepost", cpu, Map.of(
                "store.durability", "fsync",
                "names.enabled", "true",
                "names.listen", "127.0.0.1",
                "names.http-port", Integer.toString(http.getPort()),
                "names.folder", stage.folder().resolve("names").toString(),
                "http.requests-max", "16384",
                "dns.enabled", "true",
                "dns.zone", ZONE,
                "dns.listen", "127.0.0.1",
                "dns.port", Integer.toString(dns.getPort())));
        return new GuidepostNames(server, http, dns);
    }

    ServerUnderTest server() {
        return server;
    }

    /** Returns where it answers DNS. */
    InetSocketAddress dns() {
        return dns;
    }

    @Override
    public void load(int from, int to) throws IOException {
        AtomicInteger done = new AtomicInteger();
        try (GnrsClient client = GnrsClient.open(server.address(), LOADING)) {
            client.batch(
                    IntStream.range(from, to)
                            .mapToObj(each -> GnrsRequest.insert(Guid.ofAscii(NumberedNames.name(each)), List.of(binding(each))))
                            .iterator(),
                    answer -> done.addAndGet(answer.outcome() == GnrsResponse.Outcome.SUCCESS ? 1 : 0));
        }
        if (done.get() != to - from) {
            throw new BenchFailure("of " + (to - from) + " names " + done.get() + " were bound");
        }
    }

    private static Binding binding(int number) {
        String place = NumberedNames.place(number, 0);
        int colon = place.indexOf(':');
        return Binding.of(Locator.of(new InetSocketAddress(place.substring(0, colon), Integer.parseInt(place.substring(colon + 1)))));
    }

    @Override
    public StreamClient reader(int names) {
        return new ConnectionClient<>(() -> new HttpConnection(http)) {
            @Override
            public Verdict ask(long unused) throws IOException {
                int number = ThreadLocalRandom.current().nextInt(names);
                String answer = connection.call(HttpConnection.get(path(number)));
                return NumberedNames.isPlaceIn(answer, number) ? Verdict.RIGHT : Verdict.WRONG;
            }
        };
    }

    @Override
    public StreamClient writer(int names) {
        return new ConnectionClient<>(() -> new HttpConnection(http)) {
            @Override
            public Verdict ask(long unused) throws IOException {
                long change = changes.incrementAndGet();
                String answer = connection.call(change(change % names, change));
                return answer.startsWith("HTTP/1.1 20") ? Verdict.RIGHT : Verdict.FAILED;
            }
        };
    }

    private static String path(long number) {
        return "/v1/names/" + NumberedNames.name(number);
    }

    /** Returns the request that gives a name another place. */
    static byte[] change(long number, long change) {
        return HttpConnection.put(path(number), "{\"places\":[{\"place\":\"" + NumberedNames.place(number, change) + "\"}]}");
    }

    @Override
    public byte[] watchRequest(String prefix) {
        return HttpConnection.get("/v1/names?watch=1&prefix=" + prefix);
    }

    @Override
    public EventDecoder decoder() {
        return new EventStreamDecoder();
    }

    @Override
    public String name() {
        return server.name();
    }

    @Override
    public InetSocketAddress address() {
        return http;
    }

    @Override
    public long cpuNanos() {
        return server.cpuNanos();
    }

    @Override
    public long residentBytes() {
        // The heap keeps what loading has left until it is collected.
        server.liveBytes();
        return server.residentBytes();
    }

    @Override
    public void close() {
        server.close();
    }
}
