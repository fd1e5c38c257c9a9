package io.guidepost.scaffold.stream;

import io.guidepost.base.Malformed;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.resume.DeliveredBytes;
import io.guidepost.scaffold.resume.HttpExchange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Streams of a program that speaks HTTP, one behind the other: where an instance is lost in the middle of a response to GET or HEAD, the
 * next one is asked for the rest by range, or for the whole, which is compared with what the program has. Bytes that are no such exchange
 * pass, and are lost with their instance. One thread may read while another writes.
 */
final class RepeatedStream implements ProgramStream {
    private static final long REPEATED_BYTES_MAX = 64 << 20;

    private final RouterLink link;
    private final String name;
    private final int port;
    private final List<Guid> lost = Collections.synchronizedList(new ArrayList<>());
    private final byte[] some = new byte[StreamLimits.DATA_BYTES_MAX];
    private volatile ServiceChannel channel;
    private HttpExchange exchange = new HttpExchange();
    private DeliveredBytes body = DeliveredBytes.ofBody();

    /** Bytes for the program: a head is kept back until it has come as a whole. */
    private byte[] ready = {};

    private byte[] head = {};
    private boolean asked;
    private boolean withoutRange;

    /** Opens the first stream, to an instance at a port where there is one, 0 for any. */
    RepeatedStream(RouterLink link, String name, int port) throws IOException {
        this.link = link;
        this.name = name;
        this.port = port;
        this.channel = ClientStream.connect(link, name, port, lost);
    }

    private long delivered() {
        return exchange.headBytes() + body.withoutGap();
    }

    private boolean isComplete() {
        return exchange.end() >= 0 && delivered() >= exchange.end();
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        synchronized (this) {
            if (isComplete()) {
                exchange = new HttpExchange();
                body = DeliveredBytes.ofBody();
                withoutRange = false;
            }
            byte[] bytes = new byte[from.remaining()];
            from.duplicate().get(bytes);
            exchange.request(bytes);
            asked |= bytes.length > 0;
            if (exchange.refusal().isEmpty()) {
                // A request of 64 KiB at most: this does not wait for the instance.
                try {
                    return channel.write(from);
                } catch (IOException e) {
                    // The reader asks the next instance.
                    return bytes.length;
                }
            }
        }
        return channel.write(from);
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        while (ready.length == 0) {
            int count;
            try {
                count = channel.read(ByteBuffer.wrap(some));
            } catch (IOException e) {
                if (!resume()) {
                    throw e;
                }
                continue;
            }
            synchronized (this) {
                if (count >= 0) {
                    take(Arrays.copyOf(some, count));
                } else if (!isCut()) {
                    ready = head;
                    head = new byte[0];
                    if (ready.length == 0) {
                        return -1;
                    }
                } else if (!resume()) {
                    throw new IOException("the message was cut");
                }
            }
        }
        int bytes = Math.min(to.remaining(), ready.length);
        to.put(ready, 0, bytes);
        ready = Arrays.copyOfRange(ready, bytes, ready.length);
        return bytes;
    }

    private boolean isCut() {
        return asked && exchange.refusal().isEmpty() && (!exchange.hasAnswer() || exchange.end() >= 0 && !isComplete());
    }

    /** Takes bytes of the response, in order. */
    private void take(byte[] bytes) {
        if (bytes.length > 0 && (!asked || isComplete())) {
            exchange.refuse("the instance speaks without being asked");
        }
        byte[] all = joined(head, bytes);
        head = new byte[0];
        if (exchange.refusal().isEmpty() && !exchange.hasAnswer()) {
            exchange.response(bytes);
            if (exchange.refusal().isEmpty() && !exchange.hasAnswer()) {
                head = all;
                return;
            }
            count(Arrays.copyOfRange(all, Math.min(exchange.headBytes(), all.length), all.length));
        } else {
            count(all);
        }
        ready = joined(ready, all);
    }

    private void count(byte[] ofBody) {
        if (exchange.refusal().isEmpty()) {
            body.take(body.withoutGap(), ofBody);
        }
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    /** Goes on at another instance; false if none can. */
    private synchronized boolean resume() {
        for (int changes = 0; changes < StreamLimits.CHANGES_MAX && isCut(); changes++) {
            boolean range = !withoutRange && exchange.resumption(delivered()) == HttpExchange.Resumption.RANGE;
            if (!range && body.withoutGap() > REPEATED_BYTES_MAX) {
                return false;
            }
            channel.reset();
            try {
                channel = ClientStream.connect(link, name, port, lost);
                channel.write(ByteBuffer.wrap(range ? exchange.rangeRequest(delivered()) : exchange.request()));
                head = new byte[0];
                if (exchange.hasAnswer()) {
                    count(range ? rest() : repeated());
                }
                link.counted(StreamCount.STREAMS_CONTINUED);
                return true;
            } catch (Malformed e) {
                if (!range) {
                    return false;
                }
                withoutRange = true;
            } catch (IOException e) {
                // The next one.
            }
        }
        return false;
    }

    private byte[] more(byte[] before) throws IOException {
        int count = channel.read(ByteBuffer.wrap(some));
        if (count < 0) {
            throw new IOException("the response is cut");
        }
        return joined(before, Arrays.copyOf(some, count));
    }

    /** Reads the response to a range, up to bytes that the program does not have. */
    private byte[] rest() throws IOException, Malformed {
        byte[] all = {};
        HttpExchange.Rest rest = null;
        while (rest == null || all.length < rest.skip()) {
            all = more(all);
            rest = rest == null ? exchange.rest(all, delivered()) : rest;
        }
        byte[] overlap = Arrays.copyOfRange(all, rest.skip() - rest.compare(), rest.skip());
        if (!Arrays.equals(overlap, body.tail(rest.compare()))) {
            throw new Malformed("the overlap differs", 0);
        }
        ready = Arrays.copyOfRange(all, rest.skip(), all.length);
        return ready;
    }

    /** Reads the response to the same request, up to bytes that the program does not have. */
    private byte[] repeated() throws IOException, Malformed {
        byte[] all = {};
        int bytes = 0;
        while (bytes == 0) {
            all = more(all);
            bytes = exchange.repeatedHead(all);
        }
        DeliveredBytes.Comparison comparison = body.compare();
        ready = comparison.take(Arrays.copyOfRange(all, bytes, all.length));
        while (comparison.left() > 0 && !comparison.differs()) {
            ready = comparison.take(more(new byte[0]));
        }
        if (comparison.differs()) {
            throw new Malformed("the body is another", 0);
        }
        return ready;
    }

    @Override
    public void shutdownOutput() {
        channel.shutdownOutput();
    }

    @Override
    public void reset() {
        channel.reset();
    }

    @Override
    public void close() {
        channel.close();
    }
}
