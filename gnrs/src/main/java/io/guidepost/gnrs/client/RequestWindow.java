package io.guidepost.gnrs.client;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.client.GnrsRequest.Kind;
import io.guidepost.gnrs.client.GnrsResponse.Outcome;
import io.guidepost.gnrs.wire.GnrsLimits;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.gnrs.wire.GnrsOption;
import io.guidepost.gnrs.wire.GnrsOptionType;
import io.guidepost.gnrs.wire.RefusalReason;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The window of a client's requests in flight, and the channel they travel on: retransmission with backoff, matching of
 * responses. Run by one thread at a time.
 *
 * <p>The channel is connected, so the kernel passes only datagrams from the server's address.
 */
final class RequestWindow implements AutoCloseable {
    /** Twice: once for the length that the total suggests, once more for places that are longer than usual. */
    private static final int ENLARGED_MAX = 2;

    /** Bindings up to which a response carries times: old receivers read the length of that option as signed. */
    private static final int TIMED_IN_ANSWERS_MAX = 127 / 8;

    /** Bytes of a binding in a response, with its times: more than an address needs, less than most URLs do. */
    private static final int BINDING_BYTES_USUAL = 48;

    /** Stale deadlines of answered datagrams that the queue may hold: enough that purging them is rare. */
    private static final int STALE_MAX = 4096;

    private static final int RECEIVE_BUFFER_BYTES = 1 << 20;
    private static final int DATAGRAM_BYTES_MAX = 65_507;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final InetSocketAddress server;
    private final GnrsClientSettings settings;
    private final DatagramChannel channel;
    private final Selector selector;
    private final ByteBuffer received = ByteBuffer.allocateDirect(1 << 16);
    private final SecureRandom random = new SecureRandom();

    /** Every datagram sent for a request that is still open, by id. */
    private final Map<Integer, Sent> underWay = new HashMap<>();

    /** Datagrams by deadline; those of completed requests are skipped. */
    private final PriorityQueue<Sent> waiting =
            new PriorityQueue<>((left, right) -> Long.signum(left.deadlineNanos - right.deadlineNanos));

    private final PerKeyOrdering<Guid, Pending> lanes = new PerKeyOrdering<>();
    private final Locator ownAddress;

    /** Old servers answer to the address in the message; behind address translation only an absent one is right. */
    private boolean saysOwnAddress = true;

    private int open;

    /** The number of times that the server's host reported the port as unreachable. */
    private long refusals;

    private volatile long ignored;

    private RequestWindow(
            InetSocketAddress server, GnrsClientSettings settings, DatagramChannel channel, Selector selector)
            throws IOException {
        this.server = server;
        this.settings = settings;
        this.channel = channel;
        this.selector = selector;
        this.ownAddress = Locator.of((InetSocketAddress) channel.getLocalAddress());
    }

    private static final class Pending {
        final GnrsRequest request;
        final List<Integer> ids = new ArrayList<>();
        int attempts;
        int enlarged;
        int paddingBytes;
        GnrsMessage.@Nullable LookupResponse part;
        final long refusalsBefore;
        long startNanos;

        Pending(GnrsRequest request, long refusals) {
            this.request = request;
            this.refusalsBefore = refusals;
        }
    }

    private record Sent(Pending pending, int id, boolean saidOwnAddress, long sentNanos, long deadlineNanos) {}

    static RequestWindow open(InetSocketAddress server, GnrsClientSettings settings) throws IOException {
        if (server.isUnresolved()) {
            throw new IOException("the address of '" + server.getHostString() + "' is not known");
        }
        DatagramChannel channel = DatagramChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER_BYTES);
            channel.connect(server);
            channel.configureBlocking(false);
            Selector selector = Selector.open();
            channel.register(selector, SelectionKey.OP_READ);
            return new RequestWindow(server, settings, channel, selector);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    void run(Iterator<GnrsRequest> requests, Consumer<GnrsResponse> answers) throws IOException {
        try {
            while (open > 0 || requests.hasNext()) {
                while (open < settings.window() && requests.hasNext()) {
                    open++;
                    Pending pending = new Pending(requests.next(), refusals);
                    if (lanes.enter(pending.request.guid(), pending, pending.request.kind() != Kind.LOOKUP)) {
                        start(pending);
                    }
                    receive(answers);
                    // Requests may come more slowly than answers: the window is then never full, and what was lost waits no less.
                    expire(System.nanoTime(), answers);
                }
                long now = System.nanoTime();
                expire(now, answers);
                if (open > 0 && !receive(answers)) {
                    await(now);
                }
            }
        } finally {
            underWay.clear();
            waiting.clear();
            lanes.clear();
            open = 0;
        }
    }

    private void start(Pending pending) throws IOException {
        pending.startNanos = System.nanoTime();
        send(pending);
    }

    /** Completes a request; requests that waited for it may start. */
    private void done(Pending pending) throws IOException {
        forget(pending);
        open--;
        for (Pending next : lanes.leave(pending.request.guid())) {
            start(next);
        }
    }

    private void send(Pending pending) throws IOException {
        // Every other transmission, from the second on, is told the opposite of what the first was told.
        boolean own = saysOwnAddress == (pending.attempts % 2 == 0);
        int id = freshId();
        byte[] bytes = message(pending, id, own ? ownAddress : GnrsMessage.noOrigin()).write();
        if (bytes.length > DATAGRAM_BYTES_MAX) {
            throw new IllegalArgumentException("the request has " + bytes.length + " bytes, more than the "
                    + DATAGRAM_BYTES_MAX + " of a datagram: split its bindings");
        }
        long now = System.nanoTime();
        long patience = NANOS_PER_MILLI * settings.timeoutMillis() << Math.min(pending.attempts, 16);
        Sent sent = new Sent(pending, id, own, now, now + patience);
        pending.attempts++;
        pending.ids.add(id);
        underWay.put(id, sent);
        waiting.add(sent);
        if (waiting.size() > 2 * underWay.size() + STALE_MAX) {
            waiting.removeIf(each -> !each.equals(underWay.get(each.id)));
        }
        try {
            // A full send buffer is a lost datagram, and is treated as one.
            channel.write(ByteBuffer.wrap(bytes));
        } catch (PortUnreachableException e) {
            // Nothing listens there now, but something may before the last transmission: a restart looks like this.
            refusals++;
        }
    }

    private int freshId() {
        int id = random.nextInt();
        while (underWay.containsKey(id)) {
            id = random.nextInt();
        }
        return id;
    }

    private GnrsMessage message(Pending pending, int id, Locator origin) {
        GnrsRequest request = pending.request;
        GnrsOption recursion = GnrsOption.recursion(request.recursive());
        return switch (request.kind()) {
            case INSERT -> GnrsMessage.Insert.of(id, origin, request.guid(), request.bindings(), recursion, GnrsOption.accept());
            case UPDATE -> GnrsMessage.Update.of(id, origin, request.guid(), request.bindings(), recursion, GnrsOption.accept());
            case LOOKUP -> {
                List<GnrsOption> options = new ArrayList<>(List.of(recursion, GnrsOption.accept(DATAGRAM_BYTES_MAX)));
                options.addAll(GnrsOption.padding(pending.paddingBytes));
                yield new GnrsMessage.Lookup(id, origin, request.guid(), options);
            }
        };
    }

    /** Takes all datagrams that are there; returns false if there was none. */
    private boolean receive(Consumer<GnrsResponse> answers) throws IOException {
        boolean any = false;
        while (true) {
            received.clear();
            try {
                if (channel.read(received) < 0 || received.position() == 0) {
                    return any;
                }
            } catch (PortUnreachableException e) {
                refusals++;
                continue;
            }
            any = true;
            byte[] bytes = new byte[received.flip().remaining()];
            received.get(bytes);
            take(bytes, System.nanoTime(), answers);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One thread at a time writes: the one that has its turn.
    private void take(byte[] bytes, long now, Consumer<GnrsResponse> answers) throws IOException {
        GnrsMessage message;
        try {
            message = GnrsMessage.read(bytes);
        } catch (Malformed e) {
            ignored++;
            return;
        }
        Sent sent = underWay.get(message.id());
        if (sent == null || !(message instanceof GnrsMessage.Response response) || !fits(sent.pending.request, response)) {
            ignored++;
            return;
        }
        saysOwnAddress = sent.saidOwnAddress;
        if (response instanceof GnrsMessage.LookupResponse found && wantsMore(found, sent.pending)) {
            enlarge(sent.pending, found);
            return;
        }
        finish(sent, response, now, answers);
    }

    private static boolean fits(GnrsRequest request, GnrsMessage.Response response) {
        return switch (response) {
            case GnrsMessage.LookupResponse found -> request.kind() == Kind.LOOKUP;
            case GnrsMessage.UpdateResponse updated -> request.kind() == Kind.UPDATE;
            // Old servers answer an update in this way too.
            case GnrsMessage.InsertResponse inserted -> request.kind() != Kind.LOOKUP;
        };
    }

    /** Returns whether something was omitted that a longer request would bring. */
    private static boolean wantsMore(GnrsMessage.LookupResponse found, Pending pending) {
        if (found.code() != GnrsMessage.Code.SUCCESS || found.total().isEmpty() || pending.enlarged == ENLARGED_MAX) {
            return false;
        }
        // Times are omitted from every response with that many bindings, however long the request.
        boolean untimed = found.locators().size() > TIMED_IN_ANSWERS_MAX;
        return found.locators().size() < found.total().getAsInt() || !untimed;
    }

    private void enlarge(Pending pending, GnrsMessage.LookupResponse found) throws IOException {
        long answerBytes = GnrsLimits.ANSWER_BYTES_MIN + (long) BINDING_BYTES_USUAL * found.total().orElse(0);
        // Servers send up to three times the request by default, so a third suffices; a second retry is as long as the
        // response.
        long padding = pending.enlarged == 0 ? answerBytes / 3 : answerBytes;
        pending.paddingBytes = (int) Math.min(DATAGRAM_BYTES_MAX / 2, padding);
        pending.enlarged++;
        pending.part = found;
        forget(pending);
        pending.attempts = 0;
        send(pending);
    }

    private void finish(Sent sent, GnrsMessage.Response response, long now, Consumer<GnrsResponse> answers)
            throws IOException {
        Pending pending = sent.pending;
        done(pending);
        boolean success = response.code() == GnrsMessage.Code.SUCCESS;
        GnrsResponse answer = response instanceof GnrsMessage.LookupResponse found
                ? answer(pending, success ? Outcome.SUCCESS : Outcome.FAILED, found, now - sent.sentNanos)
                : answer(
                        pending,
                        success ? Outcome.SUCCESS : Outcome.FAILED,
                        now - sent.sentNanos,
                        copies(response),
                        reason(response));
        answers.accept(answer);
    }

    private GnrsResponse answer(Pending pending, Outcome outcome, GnrsMessage.LookupResponse found, long nanos) {
        int total = found.total().orElse(found.locators().size());
        return new GnrsResponse(
                pending.request,
                outcome,
                found.bindings(),
                total,
                nanos,
                pending.ids.size(),
                server,
                Optional.empty(),
                Optional.empty());
    }

    private static Optional<GnrsResponse.Copies> copies(GnrsMessage.Response response) {
        return response.option(GnrsOptionType.COPIES)
                .map(GnrsOption::number32)
                .map(both -> new GnrsResponse.Copies(both >>> 16, both & 0xffff));
    }

    private static Optional<RefusalReason> reason(GnrsMessage.Response response) {
        return response.option(GnrsOptionType.REASON).map(GnrsOption::number8).map(RefusalReason::ofCode);
    }

    private GnrsResponse answer(
            Pending pending,
            Outcome outcome,
            long nanos,
            Optional<GnrsResponse.Copies> copies,
            Optional<RefusalReason> reason) {
        return new GnrsResponse(
                pending.request, outcome, List.of(), 0, nanos, pending.ids.size(), server, copies, reason);
    }

    /**
     * Returns the outcome of a request that is given up: perhaps a partial one, where only the padded retry was lost.
     */
    private GnrsResponse givenUp(Pending pending, long nanos) {
        if (pending.part != null) {
            return answer(pending, Outcome.SUCCESS, pending.part, nanos);
        }
        boolean unreachable = refusals > pending.refusalsBefore;
        return answer(pending, unreachable ? Outcome.UNREACHABLE : Outcome.TIMEOUT, nanos, Optional.empty(), Optional.empty());
    }

    private void forget(Pending pending) {
        pending.ids.forEach(underWay::remove);
    }

    private void expire(long now, Consumer<GnrsResponse> answers) throws IOException {
        for (Sent first = waiting.peek(); first != null && first.deadlineNanos - now <= 0; first = waiting.peek()) {
            waiting.remove();
            Pending pending = first.pending;
            if (!first.equals(underWay.get(first.id))) {
                continue;
            }
            if (pending.attempts < settings.attempts()) {
                send(pending);
            } else {
                done(pending);
                answers.accept(givenUp(pending, now - pending.startNanos));
            }
        }
    }

    private void await(long now) throws IOException {
        Sent first = waiting.peek();
        long nanos = first == null ? NANOS_PER_MILLI : first.deadlineNanos - now;
        selector.select(Math.max(1, Math.ceilDiv(nanos, NANOS_PER_MILLI)));
        selector.selectedKeys().clear();
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("interrupted while " + open + " requests were under way");
        }
    }

    long ignored() {
        return ignored;
    }

    @Override
    public void close() throws IOException {
        selector.close();
        channel.close();
    }
}
