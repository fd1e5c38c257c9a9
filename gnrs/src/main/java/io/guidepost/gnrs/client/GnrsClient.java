package io.guidepost.gnrs.client;

import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A client of one GNRS server over UDP: Guidepost, or an older server that speaks V1.0.
 *
 * <p>Each datagram has an unpredictable id. A response counts only if it comes from the server's address and carries
 * the id of a request in flight. The client retransmits an unanswered request under a new id; every request is
 * idempotent. When a response reports more bindings than it carries, the client repeats the request with padding,
 * because a longer request permits a longer response (amplification bound).
 *
 * <p>Thread-safe: calls of several threads take turns. A program with many requests puts them into one {@link #batch}.
 */
public final class GnrsClient implements AutoCloseable {
    private final ReentrantLock turn = new ReentrantLock();
    private final RequestWindow window;

    private GnrsClient(RequestWindow window) {
        this.window = window;
    }

    /** Opens a client of a server, with the default settings. */
    public static GnrsClient open(InetSocketAddress server) throws IOException {
        return open(server, GnrsClientSettings.DEFAULT);
    }

    /** Opens a client of a server, which need not be reachable yet. */
    public static GnrsClient open(InetSocketAddress server, GnrsClientSettings settings) throws IOException {
        return new GnrsClient(RequestWindow.open(server, settings));
    }

    /** Looks a name up; links are returned as they are. See {@link #lookup(Guid, boolean)}. */
    public GnrsResponse lookup(Guid guid) throws IOException {
        return lookup(guid, false);
    }

    /**
     * Looks a name up.
     *
     * @param recursive whether the server may follow links and ask other servers
     * @throws GnrsException if the server does not answer, or answers FAILED
     * @throws IOException if the network cannot be used
     */
    public GnrsResponse lookup(Guid guid, boolean recursive) throws IOException {
        return call(GnrsRequest.lookup(guid, recursive));
    }

    /**
     * Adds places to a name. On return they are as durable as the server promises.
     *
     * @throws GnrsException if the server does not answer, or answers FAILED
     * @throws IOException if the network cannot be used
     */
    public GnrsResponse insert(Guid guid, List<Binding> bindings) throws IOException {
        return call(GnrsRequest.insert(guid, bindings));
    }

    /** Replaces the places of a name; as {@link #insert} otherwise. */
    public GnrsResponse update(Guid guid, List<Binding> bindings) throws IOException {
        return call(GnrsRequest.update(guid, bindings));
    }

    /** Deletes the bindings of a name; as {@link #insert} otherwise. */
    public GnrsResponse delete(Guid guid) throws IOException {
        return call(GnrsRequest.delete(guid));
    }

    private GnrsResponse call(GnrsRequest request) throws IOException {
        AtomicReference<GnrsResponse> taken = new AtomicReference<>();
        batch(List.of(request).iterator(), taken::set);
        GnrsResponse answer = java.util.Objects.requireNonNull(taken.get(), "a batch answers each request");
        if (answer.outcome() != GnrsResponse.Outcome.SUCCESS) {
            throw new GnrsException(answer);
        }
        return answer;
    }

    /**
     * Sends all requests, with a window of many in flight, and delivers each outcome in the order of completion.
     * Requests for one name keep their order: a request behind a write of its name waits for the write. The calling
     * thread calls both the iterator and the consumer; neither may block for long, because nothing is received
     * meanwhile.
     *
     * @throws IOException if the network cannot be used, or the thread is interrupted; requests in flight are given up
     */
    public void batch(Iterator<GnrsRequest> requests, Consumer<GnrsResponse> answers) throws IOException {
        turn.lock();
        try {
            window.run(requests, answers);
        } finally {
            turn.unlock();
        }
    }

    /** Returns the number of datagrams that answered no request in flight. */
    public long ignored() {
        return window.ignored();
    }

    @Override
    public void close() throws IOException {
        window.close();
    }
}
