package io.guidepost.handle.door;

import io.guidepost.handle.service.HandleRequest;
import io.guidepost.handle.service.HandleRequestHandler;
import io.guidepost.handle.service.ResponseSink;
import io.guidepost.names.Exchange;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The pending requests of one worker: a bounded number of messages in the service, which may wait for the disk, each on
 * a thread of the executor. Responses return to the worker through a bounded queue, which applies backpressure to the
 * service. A retransmission of a pending request is dropped.
 *
 * <p>The worker calls {@link #submit} and {@link #next}; the executor's threads run the requests.
 */
final class PendingRequests {
    private static final Logger LOGGER = System.getLogger(PendingRequests.class.getName());

    /** Responses queued for the worker: a few bursts. */
    private static final int ANSWERS_MAX = 256;

    /** Offset of the request id in an envelope. */
    private static final int REQUEST_ID = 8;

    /** The result of submitting a message. */
    enum Submitted {
        /** The service has it. */
        YES,
        /** It is a retransmission of a pending one. */
        REPEATED,
        /** The table is full, or the server is closing. */
        TOO_MANY
    }

    private record Key(long high, long low, int port, int requestId, int hash) {}

    private final HandleRequestHandler service;
    private final Executor executor;
    private final Runnable wake;
    private final int callsMax;
    private final boolean administration;
    private final Set<Key> underWay = new HashSet<>();
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final Semaphore room = new Semaphore(ANSWERS_MAX);

    PendingRequests(HandleRequestHandler service, Executor executor, Runnable wake, HandleDoorSettings settings) {
        this.service = service;
        this.executor = executor;
        this.wake = wake;
        this.callsMax = settings.callsMax();
        this.administration = settings.administration();
    }

    Submitted submit(Exchange from, byte[] message) {
        int requestId = MemorySegment.ofArray(message).get(ValueLayout.JAVA_INT_UNALIGNED, REQUEST_ID);
        Key key = new Key(
                from.peerHigh(), from.peerLow(), from.peerPort(), requestId, Arrays.hashCode(message));
        if (underWay.contains(key)) {
            return Submitted.REPEATED;
        }
        if (underWay.size() >= callsMax) {
            return Submitted.TOO_MANY;
        }
        try {
            executor.execute(new UnderWay(key, from, message));
        } catch (RejectedExecutionException closing) {
            return Submitted.TOO_MANY;
        }
        underWay.add(key);
        return Submitted.YES;
    }

    /** Returns the next response, failure or end of a request without a response; null if there is none. */
    @Nullable Answer next() {
        for (Answer answer = answers.poll(); answer != null; answer = answers.poll()) {
            if (!answer.ends()) {
                room.release();
                return answer;
            }
            underWay.remove(answer.of.key);
            if (answer.failed() || !answer.of.answered) {
                return answer;
            }
        }
        return null;
    }

    boolean ready() {
        return !answers.isEmpty();
    }

    /** A message of the service, or the end of a request. */
    @SuppressWarnings("ArrayRecordComponent") // One message, handed on.
    record Answer(UnderWay of, byte @Nullable [] bytes, boolean failed) {
        /** Returns whether the request has ended; then there is no message. */
        boolean ends() {
            return bytes == null;
        }

        byte[] message() {
            return bytes == null ? new byte[0] : bytes;
        }

        void address(Exchange exchange) {
            exchange.peer(of.key.high, of.key.low, of.key.port);
            exchange.local(of.localHigh, of.localLow, of.localPort);
        }
    }

    final class UnderWay implements Runnable, ResponseSink {
        private final Key key;
        private final long localHigh;
        private final long localLow;
        private final int localPort;
        private final byte[] request;

        /** Whether there was a message; written before the end is queued. */
        private boolean answered;

        private UnderWay(Key key, Exchange from, byte[] request) {
            this.key = key;
            this.localHigh = from.localHigh();
            this.localLow = from.localLow();
            this.localPort = from.localPort();
            this.request = request;
        }

        @Override
        @SuppressWarnings("PMD.AvoidCatchingThrowable") // A failed request must release its slot too.
        public void run() {
            boolean failed = true;
            try {
                service.answer(new HandleRequest(request, HandleRequest.Transport.UDP, peer(), administration), this);
                failed = false;
            } catch (RuntimeException e) {
                LOGGER.log(Level.ERROR, "a message over UDP could not be answered", e);
            } finally {
                put(new Answer(this, null, failed));
            }
        }

        private InetSocketAddress peer() {
            byte[] address = ByteBuffer.allocate(16).putLong(key.high).putLong(key.low).array();
            try {
                return new InetSocketAddress(InetAddress.getByAddress(address), key.port);
            } catch (UnknownHostException e) {
                throw new AssertionError("sixteen bytes are an address", e);
            }
        }

        @Override
        public void message(byte[] message, boolean last) throws IOException {
            try {
                room.acquire();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("the server is closing");
            }
            answered = true;
            put(new Answer(this, message, false));
        }

        private void put(Answer answer) {
            answers.add(answer);
            wake.run();
        }
    }
}
