package io.guidepost.server.handle.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.service.HandleRequest;
import io.guidepost.handle.service.HandleRequestHandler;
import io.guidepost.handle.service.LoopChanges;
import io.guidepost.server.handle.HandleMessages;
import io.guidepost.server.handle.TestListeners;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several requests of one connection under way on the loop: which may begin, and in which order they are answered. */
class PipelinedCreationsTest {
    /** From this number on the loop begins a request, and the test completes it. */
    private static final int BEGUN = 1000;

    private final LinkedBlockingQueue<Begun> begun = new LinkedBlockingQueue<>();
    private final AtomicInteger byThread = new AtomicInteger();
    private TestListeners host;
    private Socket socket;

    private record Begun(HandleRequest call, LoopChanges.Replies replies, ScheduledExecutorService loop) {
        void complete() {
            loop.execute(() -> {
                try {
                    replies.message(HandleMessages.answer(call.message(), false, "created"), true);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
        }

        /** Asks something of the connection on its loop. */
        <T> T ask(Callable<T> question) throws Exception {
            return loop.submit(question).get(60, TimeUnit.SECONDS);
        }
    }

    private final class Quick implements ConnectionServices.Quick {
        @Override
        public byte @Nullable [] answer(byte[] message) {
            return null;
        }

        @Override
        public boolean begins(byte[] message) {
            return HandleMessages.requestId(message) >= BEGUN;
        }

        @Override
        public void begin(HandleRequest call, LoopChanges.Replies replies, ScheduledExecutorService loop) {
            begun.add(new Begun(call, replies, loop));
        }
    }

    @BeforeEach
    void connect() throws IOException {
        HandleRequestHandler thread = (call, replies) -> {
            byThread.incrementAndGet();
            TestListeners.echo().answer(call, replies);
        };
        host = TestListeners.start(thread, new Quick(), TestListeners.telling());
        socket = HandleMessages.connect(host.tcp());
    }

    @AfterEach
    void close() throws IOException {
        socket.close();
        host.close();
    }

    private void send(int... ids) throws IOException {
        for (int id : ids) {
            socket.getOutputStream().write(HandleMessages.resolve(id, "1234/" + id, OpFlag.KPAL));
        }
    }

    private Begun next() throws InterruptedException {
        Begun next = begun.poll(60, TimeUnit.SECONDS);
        assertThat(next).as("one more begins").isNotNull();
        return next;
    }

    private int answered() throws IOException {
        return HandleMessages.requestId(HandleMessages.next(socket.getInputStream()));
    }

    @Test
    void answersLeaveInTheOrderOfTheirRequests() throws Exception {
        send(BEGUN, BEGUN + 1, BEGUN + 2);
        List<Begun> all = List.of(next(), next(), next());
        all.reversed().forEach(Begun::complete);
        for (int i = 0; i < all.size(); i++) {
            assertThat(answered()).isEqualTo(BEGUN + i);
        }
    }

    @Test
    void anotherRequestWaitsForThemAndTheyForIt() throws Exception {
        send(BEGUN, 7, BEGUN + 1);
        Begun first = next();
        assertThat(first.<Boolean>ask(begun::isEmpty)).isTrue();
        assertThat(byThread).hasValue(0);
        first.complete();
        assertThat(answered()).isEqualTo(BEGUN);
        assertThat(answered()).isEqualTo(7);
        next().complete();
        assertThat(answered()).isEqualTo(BEGUN + 1);
        assertThat(byThread).hasValue(1);
    }

    @Test
    void whatDependsOnAnEarlierOneIsTriedAgainBehindIt() throws Exception {
        send(BEGUN, BEGUN + 1, BEGUN + 2);
        Begun first = next();
        Begun second = next();
        Begun third = next();
        first.ask(() -> {
            first.replies.creates(Handle.of("1234/One"));
            return true;
        });
        assertThat(second.<Boolean>ask(() -> second.replies.isUnsettled(Handle.of("1234/one")))).isTrue();
        assertThat(second.<Boolean>ask(() -> second.replies.isUnsettled(Handle.of("1234/two")))).isFalse();
        assertThat(first.<Boolean>ask(() -> first.replies.isUnsettled(Handle.of("1234/one")))).isFalse();
        assertThat(first.<Boolean>ask(() -> first.replies.afterEarlier(() -> {}))).isFalse();
        assertThat(second.<Boolean>ask(() -> second.replies.afterEarlier(second::complete))).isTrue();
        third.complete();
        send(BEGUN + 3);
        assertThat(first.<Boolean>ask(begun::isEmpty)).isTrue();
        first.complete();
        assertThat(answered()).isEqualTo(BEGUN);
        assertThat(answered()).isEqualTo(BEGUN + 1);
        assertThat(answered()).isEqualTo(BEGUN + 2);
        next().complete();
        assertThat(answered()).isEqualTo(BEGUN + 3);
    }

    @Test
    void oneThatIsHandedOverIsAnsweredInItsPlace() throws Exception {
        send(BEGUN, BEGUN + 1);
        Begun first = next();
        Begun second = next();
        second.complete();
        first.ask(() -> {
            first.replies.handOver(() -> TestListeners.echo().answer(first.call, first.replies));
            return true;
        });
        assertThat(answered()).isEqualTo(BEGUN);
        assertThat(answered()).isEqualTo(BEGUN + 1);
    }

    @Test
    void aBoundedNumberIsUnderWay() throws Exception {
        for (int i = 0; i < HandleLimits.CREATIONS_UNDER_WAY_MAX + 1; i++) {
            send(BEGUN + i);
        }
        List<Begun> all = new ArrayList<>();
        for (int i = 0; i < HandleLimits.CREATIONS_UNDER_WAY_MAX; i++) {
            all.add(next());
        }
        Begun last = all.getLast();
        assertThat(last.<Boolean>ask(begun::isEmpty)).isTrue();
        all.forEach(Begun::complete);
        next().complete();
        for (int i = 0; i < HandleLimits.CREATIONS_UNDER_WAY_MAX + 1; i++) {
            assertThat(answered()).isEqualTo(BEGUN + i);
        }
    }
}
