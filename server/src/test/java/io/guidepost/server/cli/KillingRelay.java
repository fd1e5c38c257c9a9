package io.guidepost.server.cli;

import io.guidepost.packet.handover.DescriptorSocket;
import io.guidepost.packet.linux.SystemCall;
import io.guidepost.server.RunningServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Stands between two processes of which one takes over from the other, and hands on what they say. At one word it kills the process
 * that serves, and lets the other see its end.
 *
 * <pre>
 *  WORD     the old process has said it, and is killed before the new one hears it
 *  WORD!    either has said it and the other hears it; the old process is killed at once
 *  WORD!!   the same, but the new process sees the end before the old one is killed: the lock of its store outlives its connection
 * </pre>
 */
final class KillingRelay {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String FILE = "guidepost-store.socket";

    private final DescriptorSocket old;
    private final DescriptorSocket next;
    private final ProcessHandle server;
    private final String when;

    private KillingRelay(DescriptorSocket old, DescriptorSocket next, String when) throws IOException {
        this.old = old;
        this.next = next;
        this.server = ProcessHandle.of(old.peerProcess()).orElseThrow();
        this.when = when;
    }

    /** Stands in a folder of its own in front of the server that has a store. */
    static void start(Path store, Path own, String when) throws IOException {
        DescriptorSocket door = DescriptorSocket.listen(own.resolve(FILE));
        Thread.ofPlatform().daemon(true).name("relay").start(() -> {
            try {
                KillingRelay relay = new KillingRelay(DescriptorSocket.connect(store.resolve(FILE)), door.accept(), when);
                Thread.ofPlatform().daemon(true).name("relay-back").start(() -> relay.handOn(relay.old, relay.next));
                relay.handOn(relay.next, relay.old);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
    }

    private void handOn(DescriptorSocket from, DescriptorSocket to) {
        try {
            while (true) {
                DescriptorSocket.Message message = from.receive(PATIENCE);
                String word = message.text().lines().findFirst().orElse("");
                if (word.equals(when)) {
                    kill();
                    next.close();
                    return;
                }
                to.send(message.bytes(), message.descriptors());
                message.descriptors().forEach(SystemCall::close);
                if ((word + "!").equals(when)) {
                    kill();
                    next.close();
                } else if ((word + "!!").equals(when)) {
                    next.close();
                    kill();
                }
            }
        } catch (IOException e) {
            next.close();
        }
    }

    private void kill() {
        server.destroyForcibly();
        if (!RunningServer.eventually(() -> !server.isAlive())) {
            throw new IllegalStateException("the server does not die");
        }
    }
}
