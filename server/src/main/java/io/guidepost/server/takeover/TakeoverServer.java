package io.guidepost.server.takeover;

import io.guidepost.packet.handover.DescriptorSocket;
import io.guidepost.packet.linux.SystemCall;
import io.guidepost.server.http.ParkedConnection;
import java.io.IOException;
import java.lang.System.Logger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The process that another one may take over from: it listens in the folder of its store, and hands over to one that asks. Thread-safe. */
public final class TakeoverServer implements AutoCloseable {
    private static final Logger LOG = System.getLogger(TakeoverServer.class.getName());

    /** For a process that this one did not start to become ready. */
    private static final Duration PREPARING = Duration.ofMinutes(1);

    /** Hears how it goes; on the thread that hands over. */
    public interface Listener {
        /** The server holds from now on. */
        void begins();

        /** It goes on as before. */
        void failed();

        /** Another process is the server from now on. */
        void replaced(long process);

        /** The other process answers, and this one ends. */
        void ended();
    }

    /**
     * How it went.
     *
     * @param done whether another process has taken over
     * @param process its number; 0 if there is none
     * @param heldMillis for how long no process answered
     * @param reason why it was not done
     */
    public record Outcome(boolean done, long process, long heldMillis, String reason) {}

    private final DescriptorSocket door;
    private final Supplier<Optional<String>> token;
    private final Handover handover;
    private final Listener listener;
    private final long user = userOfThisProcess();
    private volatile @Nullable Upgrade upgrade;
    private volatile String failure = "";
    private volatile boolean closed;

    /** A process that this one has started to take over. */
    private static final class Upgrade {
        final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        final long readyUntilNanos;
        private boolean ready;

        Upgrade(Duration within) {
            readyUntilNanos = System.nanoTime() + within.toNanos();
        }

        Duration left() {
            return Duration.ofNanos(Math.max(1, readyUntilNanos - System.nanoTime()));
        }

        /** Says that the new process is ready: from now on it has as long as it takes. False if it was given up before. */
        synchronized boolean becomesReady() {
            ready = !outcome.isDone();
            return ready;
        }

        synchronized boolean giveUp(Outcome reason) {
            return !ready && outcome.complete(reason);
        }
    }

    /**
     * Listens.
     *
     * @param token that the other must show; empty = none
     * @throws IOException in one line, if the socket cannot be had
     */
    public TakeoverServer(Path storeFolder, Supplier<Optional<String>> token, Handover handover, Listener listener) throws IOException {
        this.token = token;
        this.handover = handover;
        this.listener = listener;
        door = DescriptorSocket.listen(Takeover.file(storeFolder));
        Thread.ofPlatform().daemon(true).name("guidepost-takeover").start(this::run);
    }

    private static long userOfThisProcess() {
        try {
            return (int) java.nio.file.Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException | UnsupportedOperationException e) {
            return -1;
        }
    }

    private void run() {
        while (!closed) {
            try (DescriptorSocket other = door.accept()) {
                Upgrade asked = upgrade;
                Outcome outcome = handOver(other, asked);
                closed = outcome.done;
                boolean told = asked != null && !asked.outcome.complete(outcome);
                if (!outcome.done && !told) {
                    failed(outcome.reason);
                }
            } catch (IOException e) {
                if (!closed) {
                    LOG.log(Logger.Level.WARNING, "no process can take over: {0}", e.getMessage());
                }
                return;
            }
        }
        listener.ended();
    }

    private void failed(String reason) {
        failure = reason;
        LOG.log(Logger.Level.WARNING, "not handed over, this server goes on: {0}", reason);
    }

    private Outcome handOver(DescriptorSocket other, @Nullable Upgrade asked) {
        long process = 0;
        boolean begun = false;
        boolean held = false;
        try {
            process = other.peerProcess();
            greet(other);
            sendSockets(other);
            expect(other, Takeover.PREPARED, asked == null ? PREPARING : asked.left());
            if (asked != null && !asked.becomesReady()) {
                throw new IOException("the new process was not ready in its time");
            }
            begun = true;
            listener.begins();
            long since = System.nanoTime();
            handover.hold();
            held = true;
            other.send(Takeover.GO);
            expect(other, Takeover.OPENED, Takeover.OPENING);
            // From here on the other process is the server, whatever becomes of this one.
            handover.giveUp();
            listener.replaced(process);
            return new Outcome(true, process, pass(other, since), "");
        } catch (IOException | RuntimeException e) {
            stop(other, process, String.valueOf(e.getMessage()));
            if (held) {
                handover.resume();
            }
            if (begun) {
                listener.failed();
            }
            return new Outcome(false, process, 0, String.valueOf(e.getMessage()));
        }
    }

    /** The same user and the same token as at the admin port. */
    private void greet(DescriptorSocket other) throws IOException {
        String said = other.receive(Takeover.SOON).text();
        int peer = other.peerUser();
        if (peer != user && peer != 0) {
            throw new IOException("a process of user " + peer + " may not take over");
        }
        if (!said.startsWith(Takeover.HELLO + " ")) {
            throw new IOException("a process of another version asks in a way that this one does not know");
        }
        byte[] shown = said.substring(Takeover.HELLO.length() + 1).getBytes(StandardCharsets.UTF_8);
        Optional<String> wanted = token.get();
        if (wanted.isPresent() && !MessageDigest.isEqual(shown, wanted.get().getBytes(StandardCharsets.UTF_8))) {
            throw new IOException("the process does not show the token of admin.token-file");
        }
    }

    private void sendSockets(DescriptorSocket other) throws IOException {
        List<Handover.Socket> all = handover.sockets();
        for (int from = 0; from < all.size(); from += DescriptorSocket.DESCRIPTORS_MAX) {
            StringBuilder text = new StringBuilder(Takeover.SOCKETS);
            List<Integer> descriptors = new ArrayList<>();
            for (Handover.Socket each : all.subList(from, Math.min(all.size(), from + DescriptorSocket.DESCRIPTORS_MAX))) {
                text.append('\n').append(each.place());
                descriptors.add(each.descriptor());
            }
            other.send(text.toString().getBytes(StandardCharsets.UTF_8), descriptors);
        }
        other.send(Takeover.ALL);
    }

    /** Sends the connections; returns for how long no process answered. */
    private long pass(DescriptorSocket other, long since) {
        try {
            other.send(Takeover.SERVE);
            for (ParkedConnection each : handover.parked()) {
                byte[] line = (Takeover.CONNECTION + " " + Takeover.text(each.port()) + "\n").getBytes(StandardCharsets.UTF_8);
                byte[] message = java.util.Arrays.copyOf(line, line.length + each.received().length);
                System.arraycopy(each.received(), 0, message, line.length, each.received().length);
                other.send(message, List.of(each.descriptor()));
                SystemCall.close(each.descriptor());
            }
            other.send(Takeover.END);
            expect(other, Takeover.SERVING, Takeover.SOON);
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "the process that took over does not say that it answers: {0}", e.getMessage());
        }
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
    }

    private static void expect(DescriptorSocket other, String word, Duration patience) throws IOException {
        String heard = other.receive(patience).text();
        if (!heard.equals(word)) {
            throw new IOException("the process says '" + heard + "', not " + word);
        }
    }

    /** Ends a process that is not to take over: it may have the store open. */
    private static void stop(DescriptorSocket other, long process, String reason) {
        try {
            other.send(Takeover.STOP + " " + reason);
        } catch (IOException e) {
            // It has ended already.
        }
        ProcessHandle.of(process).filter(each -> each.pid() != ProcessHandle.current().pid()).ifPresent(each -> {
            each.destroyForcibly();
            each.onExit().orTimeout(Takeover.SOON.toSeconds(), TimeUnit.SECONDS).exceptionally(_ -> each).join();
        });
    }

    /**
     * Starts a process that takes over, and waits for what becomes of it.
     *
     * @param within the time that it has to become ready
     */
    @SuppressWarnings("FutureReturnValueIgnored") // Each completes the outcome, unless another was first.
    public Outcome upgrade(ProcessBuilder command, Duration within) throws IOException {
        Upgrade begun = new Upgrade(within);
        synchronized (this) {
            if (upgrade != null) {
                return new Outcome(false, 0, 0, "another upgrade is under way");
            }
            upgrade = begun;
        }
        try {
            Process started = command.start();
            started.onExit().thenAccept(ended -> giveUp(
                    begun, "the new process ended with code " + ended.exitValue() + " before it was ready; its log says why"));
            CompletableFuture.delayedExecutor(within.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> giveUp(begun, "the new process was not ready within " + within.toSeconds() + " s"));
            Outcome result = begun.outcome.join();
            if (!result.done) {
                started.destroyForcibly();
            }
            return result;
        } finally {
            upgrade = null;
        }
    }

    private void giveUp(Upgrade begun, String reason) {
        if (begun.giveUp(new Outcome(false, 0, 0, reason))) {
            failed(reason);
        }
    }

    /** Returns why the last process that was to take over did not; empty if there was none. */
    public String failure() {
        return failure;
    }

    /** Hands over no more. */
    @Override
    public void close() {
        closed = true;
        door.close();
    }
}
