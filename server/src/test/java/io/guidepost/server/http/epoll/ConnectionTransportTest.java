package io.guidepost.server.http.epoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.server.RunningServer;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a connection does at its edges, the same over each transport. */
@SuppressWarnings("FutureReturnValueIgnored") // The channel tells of its faults itself.
@Timeout(120)
class ConnectionTransportTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final byte[] END = {0};
    private static final long SEED = 20261122;

    /** What happened to the connections of a port, in their order. */
    private static final class Connections extends ChannelInboundHandlerAdapter {
        final LinkedBlockingQueue<Channel> come = new LinkedBlockingQueue<>();
        final LinkedBlockingQueue<byte[]> read = new LinkedBlockingQueue<>();
        final AtomicInteger faults = new AtomicInteger();
        final boolean echo;

        Connections(boolean echo) {
            this.echo = echo;
        }

        @Override
        public boolean isSharable() {
            return true;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            come.add(context.channel());
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            byte[] copy = new byte[bytes.readableBytes()];
            bytes.readBytes(copy);
            bytes.release();
            read.add(copy);
            if (echo) {
                context.writeAndFlush(Unpooled.wrappedBuffer(copy));
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof ChannelInputShutdownEvent) {
                read.add(END);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            faults.incrementAndGet();
            context.close();
        }

        Channel next() throws InterruptedException {
            Channel next = come.poll(60, TimeUnit.SECONDS);
            assertThat(next).as("a connection").isNotNull();
            return next;
        }

        /** So many bytes, in as many pieces as they come in. */
        byte[] bytes(int count) throws InterruptedException {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            while (out.size() < count) {
                byte[] piece = read.poll(60, TimeUnit.SECONDS);
                assertThat(piece).as("more than " + out.size() + " bytes").isNotNull();
                out.writeBytes(piece);
            }
            return out.toByteArray();
        }
    }

    /** A port of one loop. */
    private static final class Port implements AutoCloseable {
        final MultiThreadIoEventLoopGroup loops;
        final InetSocketAddress address;

        Port(ConnectionTransport transport, Connections connections, boolean reads) {
            boolean linux = System.getProperty("os.name").equals("Linux");
            assumeTrue(transport == ConnectionTransport.NIO || linux, "calls of the Linux kernel are needed");
            loops = new MultiThreadIoEventLoopGroup(1, transport.loops());
            ServerBootstrap bootstrap = new ServerBootstrap();
            transport.prepare(bootstrap, 128);
            Channel port = bootstrap.group(loops)
                    .childOption(ChannelOption.AUTO_READ, reads)
                    .childHandler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            channel.pipeline().addLast(connections);
                        }
                    })
                    .bind(new InetSocketAddress(LOOPBACK, 0))
                    .syncUninterruptibly()
                    .channel();
            address = (InetSocketAddress) port.localAddress();
        }

        Socket connect() throws IOException {
            return new Socket(address.getAddress(), address.getPort());
        }

        @Override
        public void close() {
            loops.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] noise(int bytes) {
        byte[] noise = new byte[bytes];
        new Random(SEED).nextBytes(noise);
        return noise;
    }

    @ParameterizedTest
    @EnumSource
    void whoEndsItsDirectionStillGetsTheAnswer(ConnectionTransport transport) throws Exception {
        Connections connections = new Connections(false);
        try (Port port = new Port(transport, connections, true);
                Socket client = port.connect()) {
            client.getOutputStream().write(text("question"));
            client.shutdownOutput();
            Channel channel = connections.next();
            assertThat(connections.bytes(9)).isEqualTo(text("question\0"));
            assertThat(channel.isActive()).isTrue();
            assertThat(((InetSocketAddress) channel.remoteAddress()).getPort()).isEqualTo(client.getLocalPort());
            assertThat(channel.localAddress()).isEqualTo(port.address);
            channel.writeAndFlush(Unpooled.wrappedBuffer(text("answer"))).addListener(ChannelFutureListener.CLOSE);
            assertThat(client.getInputStream().readAllBytes()).isEqualTo(text("answer"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatCameWhileNobodyReadIsReadLater(ConnectionTransport transport) throws Exception {
        Connections connections = new Connections(false);
        try (Port port = new Port(transport, connections, false);
                Socket client = port.connect()) {
            byte[] sent = noise(200_000);
            client.getOutputStream().write(sent);
            client.shutdownOutput();
            Channel channel = connections.next();
            // A turn of the loop in which what came is told, and nobody wants it.
            channel.eventLoop().submit(() -> {}).sync();
            assertThat(connections.read).isEmpty();
            // One read brings one piece.
            channel.read();
            byte[] first = connections.bytes(1);
            channel.eventLoop().submit(() -> {}).sync();
            assertThat(connections.read).isEmpty();
            channel.config().setAutoRead(true);
            byte[] rest = connections.bytes(sent.length + 1 - first.length);
            assertThat(first).isEqualTo(Arrays.copyOf(sent, first.length));
            assertThat(rest).isEqualTo(Arrays.copyOfRange(sent, first.length, sent.length + 1));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aResetConnectionIsClosed(ConnectionTransport transport) throws Exception {
        Connections connections = new Connections(true);
        try (Port port = new Port(transport, connections, true)) {
            Socket client = port.connect();
            client.getOutputStream().write(1);
            Channel channel = connections.next();
            assertThat(client.getInputStream().read()).isEqualTo(1);
            client.setSoLinger(true, 0);
            client.close();
            assertThat(channel.closeFuture().await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(connections.faults).hasValue(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSlowReaderGetsAllThatWasSent(ConnectionTransport transport) throws Exception {
        Connections connections = new Connections(false);
        byte[] sent = noise(64 << 20);
        try (Port port = new Port(transport, connections, true);
                Socket client = port.connect()) {
            Channel channel = connections.next();
            // Small ones and large ones, in arrays and outside of them, and empty ones between.
            Random sizes = new Random(SEED);
            int at = 0;
            while (at < sent.length) {
                int bytes = Math.min(sent.length - at, 1 + sizes.nextInt(sizes.nextBoolean() ? 500 : 200_000));
                ByteBuf piece = Unpooled.wrappedBuffer(sent, at, bytes);
                channel.write(sizes.nextBoolean() ? piece : Unpooled.directBuffer(bytes).writeBytes(piece));
                channel.write(Unpooled.EMPTY_BUFFER);
                at += bytes;
            }
            ChannelFuture last = channel.writeAndFlush(Unpooled.EMPTY_BUFFER);
            InputStream in = client.getInputStream();
            assertThat(in.readNBytes(1000)).isEqualTo(Arrays.copyOf(sent, 1000));
            channel.eventLoop().submit(() -> {}).sync();
            assertThat(last.isDone()).as("all was sent to one who does not read").isFalse();
            assertThat(channel.isWritable()).isFalse();
            byte[] rest = in.readNBytes(sent.length - 1000);
            assertThat(Arrays.equals(sent, 1000, sent.length, rest, 0, rest.length)).isTrue();
            assertThat(last.await(60, TimeUnit.SECONDS) && last.isSuccess()).isTrue();
            assertThat(channel.isWritable()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatWaitsFailsWhenItsConnectionIsClosed(ConnectionTransport transport) throws Exception {
        Connections connections = new Connections(false);
        try (Port port = new Port(transport, connections, true);
                Socket ours = port.connect();
                Socket theirs = port.connect()) {
            Channel first = connections.next();
            Channel second = connections.next();
            ChannelFuture ofFirst = first.writeAndFlush(Unpooled.wrappedBuffer(new byte[32 << 20]));
            ChannelFuture ofSecond = second.writeAndFlush(Unpooled.wrappedBuffer(new byte[32 << 20]));
            second.eventLoop().submit(() -> {}).sync();
            assertThat(ofFirst.isDone() || ofSecond.isDone()).isFalse();
            first.close();
            (second.remoteAddress().equals(ours.getLocalSocketAddress()) ? ours : theirs).close();
            assertThat(ofFirst.await(60, TimeUnit.SECONDS) && ofSecond.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(ofFirst.isSuccess() || ofSecond.isSuccess()).isFalse();
            assertThat(second.closeFuture().await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void manyConnectionsComeAndGo(ConnectionTransport transport) throws Exception {
        Connections connections = new Connections(true);
        try (Port port = new Port(transport, connections, true)) {
            for (int round = 0; round < 20; round++) {
                Socket[] clients = new Socket[100];
                for (int i = 0; i < clients.length; i++) {
                    clients[i] = port.connect();
                    clients[i].getOutputStream().write(round + i);
                }
                for (int i = 0; i < clients.length; i++) {
                    assertThat(clients[i].getInputStream().read()).isEqualTo(round + i & 0xff);
                }
                // Numbers of sockets are given to others while events of those that had them may be on their way.
                for (int i = 0; i < clients.length; i++) {
                    Channel channel = connections.next();
                    if ((i + round) % 2 == 0) {
                        channel.close();
                    }
                    clients[i].close();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void othersWakeALoopThatSleeps(ConnectionTransport transport) throws Exception {
        Connections connections = new Connections(false);
        try (Port port = new Port(transport, connections, true);
                Socket client = port.connect()) {
            Channel channel = connections.next();
            InputStream in = client.getInputStream();
            for (int i = 0; i < 2000; i++) {
                channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {(byte) i}));
                assertThat(in.read()).isEqualTo(i & 0xff);
            }
            CountDownLatch late = new CountDownLatch(1);
            channel.eventLoop().schedule(late::countDown, 5, TimeUnit.MILLISECONDS);
            assertThat(late.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoeverFloodsDoesNotKeepOthersWaiting(ConnectionTransport transport) throws Exception {
        Connections connections = new Connections(true);
        try (Port port = new Port(transport, connections, true);
                Socket flooder = port.connect();
                Socket honest = port.connect()) {
            Thread flood = Thread.ofVirtual().start(() -> {
                byte[] much = new byte[1 << 20];
                try {
                    while (true) {
                        flooder.getOutputStream().write(much);
                    }
                } catch (SocketException e) {
                    // The test has what it wants.
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            Thread.ofVirtual().start(() -> {
                try {
                    flooder.getInputStream().transferTo(OutputStream.nullOutputStream());
                } catch (IOException e) {
                    // As above.
                }
            });
            for (int i = 0; i < 50; i++) {
                honest.getOutputStream().write(i);
                assertThat(honest.getInputStream().read()).isEqualTo(i);
                connections.read.clear();
            }
            assertThat(RunningServer.eventually(flood::isAlive)).isTrue();
            flooder.shutdownOutput();
            flood.join();
        }
    }
}
