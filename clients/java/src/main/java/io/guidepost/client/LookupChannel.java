package io.guidepost.client;

import io.guidepost.client.GuidepostException.Kind;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** GNRS look-ups over UDP, as hedged requests. Thread-safe; one thread receives for all. */
final class LookupChannel implements AutoCloseable {
    /** Bytes of a place in a response, with its times: a padded request of that length permits a response with all places. */
    private static final int PLACE_BYTES_USUAL = 64;

    private static final int ATTEMPTS_MAX = 16;

    private final NameClientSettings settings;
    private final Duration timeout;
    private final List<InetSocketAddress> servers;
    private final DatagramChannel[] channels;
    private final Selector selector = Selector.open();
    private final SecureRandom random = new SecureRandom();
    private final Map<Integer, CompletableFuture<LookupCodec.Found>> waiting = new ConcurrentHashMap<>();

    LookupChannel(NameClientSettings settings, Duration timeout, List<InetSocketAddress> servers) throws IOException {
        this.settings = settings;
        this.timeout = timeout;
        this.servers = servers;
        this.channels = new DatagramChannel[servers.size()];
        for (int i = 0; i < channels.length; i++) {
            // Connected: the kernel passes only datagrams of the server's address.
            channels[i] = DatagramChannel.open().connect(servers.get(i));
            channels[i].configureBlocking(false).register(selector, SelectionKey.OP_READ);
        }
        Thread receiver = new Thread(this::receive, "guidepost-lookups");
        receiver.setDaemon(true);
        receiver.start();
    }

    /** Looks a GUID up; the future fails with a {@link GuidepostException} if no server answers, or one answers FAILED. */
    CompletableFuture<List<NamePlace>> lookup(byte[] guid) {
        return ask(guid, 0)
                .thenCompose(found -> found.success() && found.total() > found.places().size()
                        // A longer request permits a longer response.
                        ? ask(guid, Math.min(PLACE_BYTES_USUAL * found.total(), LookupCodec.DATAGRAM_BYTES_MAX / 2))
                        : CompletableFuture.completedFuture(found))
                .thenApply(found -> {
                    if (!found.success() || found.total() > found.places().size()) {
                        throw new GuidepostException(Kind.OTHER, "the server answered FAILED over GNRS, or a part of the places");
                    }
                    return found.places();
                });
    }

    private CompletableFuture<LookupCodec.Found> ask(byte[] guid, int paddingBytes) {
        return HedgedRequest.send(settings, timeout, servers, ATTEMPTS_MAX, number -> {
            int id = random.nextInt();
            CompletableFuture<LookupCodec.Found> answer = new CompletableFuture<>();
            waiting.put(id, answer);
            CompletableFuture<?> unused = answer.whenComplete((found, failure) -> waiting.remove(id));
            try {
                channels[number % channels.length].write(ByteBuffer.wrap(LookupCodec.lookup(id, guid, paddingBytes)));
            } catch (IOException unreachable) {
                answer.completeExceptionally(unreachable);
            }
            return answer;
        });
    }

    private void receive() {
        ByteBuffer in = ByteBuffer.allocate(1 << 16);
        try {
            while (true) {
                selector.select(key -> read((DatagramChannel) key.channel(), in));
            }
        } catch (IOException | ClosedSelectorException closed) {
            // The end.
        }
    }

    private void read(DatagramChannel channel, ByteBuffer in) {
        try {
            while (channel.read(in.clear()) > 0) {
                LookupCodec.response(in.flip()).ifPresent(found -> {
                    CompletableFuture<LookupCodec.Found> answer = waiting.get(found.id());
                    if (answer != null) {
                        answer.complete(found);
                    }
                });
            }
        } catch (IOException unreachable) {
            // The server's host reports its port as unreachable: the next attempt goes to another server.
        }
    }

    @Override
    public void close() throws IOException {
        selector.close();
        for (DatagramChannel each : channels) {
            each.close();
        }
    }
}
