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
 * Asks one server of GNRS over UDP, on any system: ours, or the older ones that speak V1.0.
 *
 * <p>Each datagram has an id that cannot be guessed; an answer counts only if it comes from the address that was asked
 * and carries the id of a request that is under way. A request that is not answered is sent again under a new id: all
 * of them may be repeated without harm. An answer that says that there is more is asked for again with a longer
 * question, which is what entitles to a longer answer.
 *
 * <p>Thread-safe: calls of several threads take turns. A program with much to ask puts it into one {@link #batch}.
 */
public final class GnrsClient implements AutoCloseable {
    private final ReentrantLock turn = new ReentrantLock();
    private final RequestWindow window;

    private GnrsClient(RequestWindow window) {
        this.window = window;
    }

    /** Opens a client of a server, with the usual settings. */
    public static GnrsClient open(InetSocketAddress server) throws IOException {
        return open(server, GnrsClientSettings.DEFAULT);
    }

    /** Opens a client of a server, which need not be there yet. */
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

    /** Forgets a name; as {@link #insert} otherwise. */
    public GnrsResponse delete(Guid guid) throws IOException {
        return call(GnrsRequest.delete(guid));
    }

    /** Does what is asked, and throws unless it worked. */
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
     * Does all that is asked, with many requests under way at a time, and hands over what became of each, in the order
     * in which that is known. Requests for one name keep their order: what comes after a write of it waits for the
     * write. Both the iterator and the consumer are called by the calling thread and must not wait for
     * long: meanwhile nothing is received.
     *
     * @throws IOException if the network cannot be used, or the thread is interrupted; requests that were under way are
     *     given up
     */
    public void batch(Iterator<GnrsRequest> requests, Consumer<GnrsResponse> answers) throws IOException {
        turn.lock();
        try {
            window.run(requests, answers);
        } finally {
            turn.unlock();
        }
    }

    /** How many datagrams came that were no answer to anything under way. */
    public long ignored() {
        return window.ignored();
    }

    @Override
    public void close() throws IOException {
        window.close();
    }
}
