package io.guidepost.lab.trace;

import io.guidepost.base.FaultyFile;
import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.gnrs.client.GnrsRequest.Kind;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.gnrs.client.GnrsResponse.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Replays a trace against a server, as fast as it answers, with a full window of requests in flight. Belongs to one
 * thread; its counters may be read between responses.
 */
public final class TraceReplay {
    private long writes;
    private long found;
    private long missing;
    private long partial;
    private long failed;
    private long silent;

    /**
     * The results so far.
     *
     * @param writes inserts and updates that were acknowledged
     * @param found look-ups that returned places
     * @param missing look-ups of names without bindings
     * @param partial look-ups, counted as found, that did not return all places
     * @param failed requests that the server refused
     * @param silent requests that timed out
     */
    public record Counts(long writes, long found, long missing, long partial, long failed, long silent) {
        /** Returns the number of completed requests. */
        public long total() {
            return writes + found + missing + failed + silent;
        }
    }

    /** Carries a fault of the trace out of the batch that was reading it. */
    private static final class Fault extends RuntimeException {
        private final FaultyFile fault;

        Fault(FaultyFile fault) {
            super(fault);
            this.fault = fault;
        }
    }

    /**
     * Replays a trace from its current position to its end.
     *
     * @param each receives every response once it is counted
     * @throws FaultyFile if a line is bad: the events before it have been sent
     * @throws IOException if the trace cannot be read or the network cannot be used
     */
    public void run(GnrsTrace trace, GnrsClient client, Consumer<GnrsResponse> each) throws IOException, FaultyFile {
        try {
            client.batch(requests(trace), answer -> {
                count(answer);
                each.accept(answer);
            });
        } catch (Fault e) {
            throw e.fault;
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e.getCause());
        }
    }

    private static Iterator<GnrsRequest> requests(GnrsTrace trace) {
        return new Iterator<>() {
            private Optional<TraceEvent> next = read();

            private Optional<TraceEvent> read() {
                try {
                    return trace.next();
                } catch (FaultyFile e) {
                    throw new Fault(e);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public boolean hasNext() {
                return next.isPresent();
            }

            @Override
            public GnrsRequest next() {
                TraceEvent event = next.orElseThrow(NoSuchElementException::new);
                next = read();
                return event.request();
            }
        };
    }

    private void count(GnrsResponse answer) {
        if (answer.outcome() == Outcome.FAILED) {
            failed++;
        } else if (answer.outcome() != Outcome.SUCCESS) {
            silent++;
        } else if (answer.request().kind() != Kind.LOOKUP) {
            writes++;
        } else if (answer.bindings().isEmpty() && answer.total() == 0) {
            missing++;
        } else {
            found++;
            partial += answer.complete() ? 0 : 1;
        }
    }

    /** Returns the results so far. */
    public Counts counts() {
        return new Counts(writes, found, missing, partial, failed, silent);
    }
}
