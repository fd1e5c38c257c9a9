package io.guidepost.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.grpc.okhttp.OkHttpServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.guidepost.client.NameClient;
import io.guidepost.client.NamePlace;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Servers of gRPC behind a name, of which one follows the other while a channel to the name is under load. */
final class MovingEcho {
    private static final String NAME = "grpc-java.example";
    private static final int MOVES = 5;
    private static final int CALLERS = 4;
    private static final long CALLS_EACH = 100;
    private static final MethodDescriptor<byte[], byte[]> ECHO = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY).setFullMethodName("guidepost.Echo/Say")
            .setRequestMarshaller(new Bytes()).setResponseMarshaller(new Bytes()).build();

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try (stream) {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** A server of gRPC that counts its calls. */
    private record EchoPlace(Server server, AtomicLong calls) {
        static EchoPlace open() throws IOException {
            AtomicLong calls = new AtomicLong();
            InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            Server server = OkHttpServerBuilder.forPort(any, InsecureServerCredentials.create())
                    .addService(ServerServiceDefinition.builder("guidepost.Echo")
                            .addMethod(ECHO, ServerCalls.asyncUnaryCall((request, answer) -> {
                                calls.incrementAndGet();
                                answer.onNext(request);
                                answer.onCompleted();
                            }))
                            .build())
                    .build().start();
            return new EchoPlace(server, calls);
        }

        NamePlace place() {
            return NamePlace.of("127.0.0.1:" + server.getPort());
        }

        void awaitCalls(List<Throwable> lost) {
            long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (calls.get() < CALLS_EACH && lost.isEmpty()) {
                assertThat(System.nanoTime()).as("calls come to the next place").isLessThan(endNanos);
                LockSupport.parkNanos(1_000_000);
            }
        }

        void end() throws InterruptedException {
            server.shutdown();
            assertThat(server.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    private MovingEcho() {}

    /** Moves the server a few times; fails if a call is lost. */
    static void move(NameClient client) throws Exception {
        EchoPlace now = EchoPlace.open();
        client.put(NAME, now.place());
        ManagedChannel channel =
                OkHttpChannelBuilder.forTarget("guidepost:///" + NAME, InsecureChannelCredentials.create()).build();
        AtomicBoolean ended = new AtomicBoolean();
        List<Throwable> lost = Collections.synchronizedList(new ArrayList<>());
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            callers.add(Thread.ofVirtual().start(() -> {
                while (!ended.get()) {
                    try {
                        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS);
                        ClientCalls.blockingUnaryCall(channel, ECHO, options, new byte[1]);
                    } catch (RuntimeException e) {
                        lost.add(e);
                    }
                }
            }));
        }
        now.awaitCalls(lost);
        for (int i = 0; i < MOVES; i++) {
            EchoPlace next = EchoPlace.open();
            client.put(NAME, next.place());
            next.awaitCalls(lost);
            now.end();
            now = next;
        }
        ended.set(true);
        for (Thread each : callers) {
            each.join();
        }
        assertThat(lost).isEmpty();
        channel.shutdownNow();
        assertThat(channel.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        now.end();
    }
}
