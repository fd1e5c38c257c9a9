package io.guidepost.bench.scene;

import io.guidepost.bench.load.GnrsAnswerCheck;
import io.guidepost.bench.load.GnrsRequestTemplates;
import io.guidepost.bench.process.BenchFailure;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Polls a server for one record until it answers: how scenes learn that it is ready, and when. */
public final class ReadinessProbe implements AutoCloseable {
    /** Time between two requests to a server that does not answer yet: bounds the error of a measured start. */
    private static final int EVERY_MILLIS = 2;

    private final DatagramChannel channel;
    private final Selector selector;
    private final MemorySegment question;
    private final GnrsRequestTemplates questions;
    private int id;

    /** Creates a probe of a server on this host or another. */
    public ReadinessProbe(InetSocketAddress server) {
        try {
            boolean four = server.getAddress().getAddress().length == 4;
            channel = DatagramChannel.open(four ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
            channel.connect(server);
            channel.configureBlocking(false);
            selector = Selector.open();
            channel.register(selector, SelectionKey.OP_READ);
            questions = new GnrsRequestTemplates((InetSocketAddress) channel.getLocalAddress());
        } catch (IOException e) {
            throw new BenchFailure("cannot reach " + server + ": " + e.getMessage(), e);
        }
        question = Arena.ofAuto().allocate(GnrsRequestTemplates.BYTES_MAX);
    }

    /** Returns the local address of the route to a server. */
    public static InetAddress localAddressTo(InetSocketAddress server) {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.connect(server);
            return ((InetSocketAddress) channel.getLocalAddress()).getAddress();
        } catch (IOException e) {
            throw new BenchFailure("no way leads to " + server + ": " + e.getMessage(), e);
        }
    }

    /**
     * Sends requests until a response of any kind comes.
     *
     * @param record to look up
     * @param millisMax when to give up
     * @param hopeful whether to go on, such as whether the process lives
     * @return the outcome of the response, or null if there was none
     */
    public GnrsAnswerCheck.@Nullable Verdict ask(long record, long millisMax, BooleanSupplier hopeful) {
        long end = System.nanoTime() + millisMax * 1_000_000;
        ByteBuffer answer = ByteBuffer.allocateDirect(2048);
        try {
            while (System.nanoTime() - end < 0 && hopeful.getAsBoolean()) {
                int length = questions.lookup(question, 0, ++id, record);
                send(question.asSlice(0, length).asByteBuffer());
                selector.select(EVERY_MILLIS);
                selector.selectedKeys().clear();
                answer.clear();
                if (read(answer) && GnrsAnswerCheck.hasId(answer.position())) {
                    return GnrsAnswerCheck.ofLookup(MemorySegment.ofBuffer(answer.flip()), 0, answer.limit(), record);
                }
            }
        } catch (IOException e) {
            throw new BenchFailure("cannot ask the server: " + e.getMessage(), e);
        }
        return null;
    }

    private void send(ByteBuffer bytes) throws IOException {
        try {
            channel.write(bytes);
        } catch (PortUnreachableException e) {
            // The server does not listen yet: ICMP refused an earlier datagram.
            bytes.clear();
        }
    }

    private boolean read(ByteBuffer into) throws IOException {
        try {
            return channel.read(into) > 0;
        } catch (PortUnreachableException e) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            selector.close();
            channel.close();
        } catch (IOException e) {
            throw new BenchFailure("cannot close a socket: " + e.getMessage(), e);
        }
    }
}
