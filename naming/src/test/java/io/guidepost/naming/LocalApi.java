package io.guidepost.naming;

import static java.util.Objects.requireNonNull;

import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import io.guidepost.web.DeferredReply;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The API over a store of its own, without sockets; time is moved by hand for leases. */
final class LocalApi implements AutoCloseable {
    final AtomicLong nanos = new AtomicLong();
    final NameDirectory service;
    final RecordStore store;
    final NamesApi api;
    private final List<Thread> threads;

    LocalApi(StoreOptions options, long historyBytesMax, WriterTokens tokens) throws IOException {
        service = new NameDirectory(settings(tokens, "127.0.0.0/8"), historyBytesMax, nanos::get);
        store = EmbeddedStore.open(service.store(options));
        service.open(store, SiteGateway.ALONE, () -> Ranking.EMPTY, InstantSource.system(), new SplittableRandom(7));
        api = new NamesApi(service);
        threads = List.of(Thread.ofVirtual().start(service::tell), Thread.ofVirtual().start(service::expire));
    }

    static LocalApi inMemory() throws IOException {
        return new LocalApi(StoreOptions.inMemory(), 1 << 20, WriterTokens.NONE);
    }

    static NameSettings settings(WriterTokens tokens, String writers) {
        try {
            List<Prefix> all = List.of(Prefix.parse("0.0.0.0/0"), Prefix.parse("::/0"));
            return new NameSettings(all, List.of(Prefix.parse(writers)), tokens, false);
        } catch (Malformed e) {
            throw new AssertionError(e);
        }
    }

    /** An answer, its body read. */
    record Answer(int status, Map<String, String> headers, String body) {
        Map<String, Object> json() {
            try {
                return JsonValue.read(body.getBytes(StandardCharsets.UTF_8)).whole().object();
            } catch (Malformed e) {
                throw new AssertionError(body, e);
            }
        }

        /** Returns a text that it has in its body, below these names. */
        String text(String... path) {
            Object at = json();
            for (String each : path) {
                at = requireNonNull(((Map<?, ?>) at).get(each), body);
            }
            return (String) at;
        }

        String tag() {
            return requireNonNull(headers.get("ETag"), "no ETag");
        }
    }

    static HttpRequest request(String method, String target, String body, String... headers) {
        Map<String, List<String>> lines = new HashMap<>();
        if (!body.isEmpty()) {
            lines.put("content-type", List.of("application/json"));
        }
        for (int i = 0; i < headers.length; i += 2) {
            lines.put(headers[i], List.of(headers[i + 1]));
        }
        return new HttpRequest(
                method,
                target,
                lines,
                body.getBytes(StandardCharsets.UTF_8),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711),
                false,
                Optional.empty());
    }

    Answer call(String method, String target, String body, String... headers) throws IOException {
        HttpRequest request = request(method, target, body, headers);
        Reply reply = new Reply();
        return read(api.begin(request, reply) ? reply.await() : api.answer(request));
    }

    /** One response that follows. */
    static final class Reply implements DeferredReply {
        private final CompletableFuture<HttpResponse> sent = new CompletableFuture<>();
        private @Nullable Supplier<HttpResponse> response;

        @Override
        public void ready(Supplier<HttpResponse> made) {
            response = made;
        }

        @Override
        public Runnable wake() {
            return () -> sent.complete(requireNonNull(response, "woken before the response is ready").get());
        }

        HttpResponse await() {
            return sent.join();
        }
    }

    static Answer read(HttpResponse response) throws IOException {
        Map<String, String> headers = new HashMap<>();
        response.headers().forEach(each -> headers.put(each.getKey(), each.getValue()));
        byte[] body = switch (response.body()) {
            case HttpResponse.Bytes(byte[] bytes) -> bytes;
            case HttpResponse.Stream(HttpResponse.Writing writing) -> {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                writing.write(out);
                yield out.toByteArray();
            }
            case HttpResponse.Unchunked _ -> throw new AssertionError("no answer here is for old clients");
        };
        return new Answer(response.status(), headers, new String(body, StandardCharsets.UTF_8));
    }

    /** Moves the clock of leases. */
    void pass(long seconds) {
        nanos.addAndGet(seconds * 1_000_000_000);
        service.ownLeases().wake();
    }

    /** Opens a watch. */
    Watcher watch(String parameters, String... headers) {
        HttpResponse response = api.answer(request("GET", "/v1/names?watch=1" + parameters, "", headers));
        if (!(response.body() instanceof HttpResponse.Stream(HttpResponse.Writing writing))) {
            throw new AssertionError("no stream: " + response.status());
        }
        return new Watcher(writing);
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        store.close();
    }
}
