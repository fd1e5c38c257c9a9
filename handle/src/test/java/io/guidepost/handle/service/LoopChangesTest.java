package io.guidepost.handle.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.operation.RemoteResolver;
import io.guidepost.handle.operation.ResolveRequest;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.store.RecordStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Creations on an event loop that the test turns by hand: what they answer, in which turn, and what a thread must do instead. */
class LoopChangesTest {
    private static final InetSocketAddress CLIENT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711);
    private static final Handle ELSEWHERE = Handle.of("0.NA/5555");

    private final TestHandleServer server;
    private final TestHandleSession session;
    private final Loop loop = new Loop();
    private final LoopChanges changes;
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<ResolveRequest> asked = new ArrayList<>();
    private long nanos;

    LoopChangesTest() throws Exception {
        RemoteResolver others = new RemoteResolver() {
            @Override
            public Optional<HandleResult> resolve(ResolveRequest question) {
                asked.add(question);
                HandleValue admin = TestHandleServer.admin(100, TestHandleServer.RSA, AdminRight.ALL);
                return Optional.of(HandleResult.found(question.handle(), List.of(admin)));
            }

            @Override
            public Optional<Boolean> verify(ValueReference key, byte[] nonce, byte[] digest, byte[] answer) {
                return Optional.empty();
            }
        };
        server = new TestHandleServer(UnaryOperator.identity(), others);
        server.homes.home(ELSEWHERE);
        session = new TestHandleSession(server);
        session.bind();
        changes = new LoopChanges(server.service, server.administration, loop, () -> nanos);
    }

    @AfterEach
    void close() throws Exception {
        gate.countDown();
        server.close();
    }

    /** A loop whose tasks wait for the test. */
    private static final class Loop extends ScheduledThreadPoolExecutor {
        final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
        final List<Runnable> timers = new ArrayList<>();

        Loop() {
            super(0);
        }

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        @SuppressWarnings("NullAway") // What is returned is not looked at.
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            timers.add(task);
            return null;
        }

        /** Waits for the committer's call, and does what it wants. */
        void turn() throws InterruptedException {
            Runnable task = tasks.poll(60, TimeUnit.SECONDS);
            assertThat(task).as("the committer calls").isNotNull();
            task.run();
        }

        void ring() {
            List<Runnable> due = List.copyOf(timers);
            timers.clear();
            due.forEach(Runnable::run);
        }
    }

    /** What became of one request. */
    private static final class Replies implements LoopChanges.Replies {
        final List<byte[]> answers = new ArrayList<>();
        final List<Runnable> handedOver = new ArrayList<>();

        @Override
        public void message(byte[] message, boolean last) {
            assertThat(last).isTrue();
            answers.add(message);
        }

        @Override
        public void handOver(Runnable rest) {
            handedOver.add(rest);
        }

        ResponseCode code() throws Exception {
            return TestHandleServer.code(HandleMessage.read(TestHandleServer.only(answers)));
        }
    }

    private Replies begin(HandleMessage message) {
        Replies replies = new Replies();
        changes.begin(new HandleRequest(message.write(), HandleRequest.Transport.TCP, CLIENT, true), replies);
        return replies;
    }

    private static MessageBody values(String handle) {
        return new MessageBody.Values(Handle.of(handle), List.of(TestHandleServer.url(1, "http://e.x/")));
    }

    private Replies create(String handle, OpFlag... flags) {
        return begin(session.sealed(HandleOperation.CREATE, values(handle), flags));
    }

    /** Lets the committer wait in a group of its own, so that all that follows until the gate opens is one group. */
    private void closeGate() throws InterruptedException {
        CountDownLatch reached = new CountDownLatch(1);
        server.store.submit(
                new byte[] {1, 'g'},
                (_, _, _, _) -> {
                    reached.countDown();
                    try {
                        gate.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return RecordStore.Change.KEEP;
                },
                (_, _) -> {});
        reached.await();
    }

    @Test
    void aGroupIsToldByOneCallAndAnsweredInOneTurn() throws Exception {
        closeGate();
        List<Replies> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(create("1234/n" + i));
        }
        assertThat(all).allMatch(each -> each.answers.isEmpty() && each.handedOver.isEmpty());
        gate.countDown();
        loop.turn();
        for (Replies each : all) {
            assertThat(each.code()).isEqualTo(ResponseCode.SUCCESS);
        }
        assertThat(loop.tasks).isEmpty();
        assertThat(server.exists("1234/n99")).isTrue();
        assertThat(server.journal).hasSizeGreaterThan(100);
    }

    @Test
    void whatIsRefusedIsAnsweredAtOnceAndWhatIsNoCreationIsHandedOver() throws Exception {
        server.put(Handle.of("1234/there"), TestHandleServer.url(1, "http://e.x/"));
        assertThat(create("1234/there").code()).isEqualTo(ResponseCode.HANDLE_EXISTS);
        assertThat(create("4321/not-here").code()).isEqualTo(ResponseCode.NOT_RESPONSIBLE);
        HandleMessage forged = session.sealed(HandleOperation.CREATE, values("1234/forged"));
        assertThat(begin(forged.with(forged.envelope().withSession(session.id + 2))).code())
                .isEqualTo(ResponseCode.SESSION_TIMED_OUT);
        Replies deletion = begin(session.sealed(HandleOperation.DELETE, new MessageBody.Named(Handle.of("1234/there"))));
        assertThat(deletion.answers).isEmpty();
        deletion.handedOver.getFirst().run();
        assertThat(deletion.code()).isEqualTo(ResponseCode.SUCCESS);
        assertThat(server.exists("1234/there")).isFalse();
    }

    @Test
    void ofTwoCreationsOfOneHandleTheSecondSeesTheFirst() throws Exception {
        closeGate();
        Replies first = create("1234/one");
        Replies second = create("1234/one");
        Replies third = create("1234/one", OpFlag.OVRW);
        gate.countDown();
        loop.turn();
        assertThat(first.code()).isEqualTo(ResponseCode.SUCCESS);
        assertThat(second.code()).isEqualTo(ResponseCode.HANDLE_EXISTS);
        assertThat(third.answers).as("submitted anew").isEmpty();
        loop.turn();
        HandleMessage replaced = HandleMessage.read(TestHandleServer.only(third.answers));
        assertThat(TestHandleServer.code(replaced)).isEqualTo(ResponseCode.SUCCESS);
        assertThat(replaced.header().has(OpFlag.OVRW)).isTrue();
    }

    @Test
    void whereAnotherServerKnowsTheAdministratorsAThreadAsksIt() throws Exception {
        Replies replies = create("5555/a");
        assertThat(asked).isEmpty();
        assertThat(replies.answers).isEmpty();
        replies.handedOver.getFirst().run();
        assertThat(asked).hasSize(1);
        assertThat(replies.code()).isEqualTo(ResponseCode.SUCCESS);
        assertThat(server.exists("5555/a")).isTrue();
    }

    @Test
    void aDiskThatIsSilentIsTold() throws Exception {
        closeGate();
        Replies replies = create("1234/late");
        nanos += TimeUnit.SECONDS.toNanos(30);
        loop.ring();
        assertThat(replies.answers).isEmpty();
        nanos++;
        loop.ring();
        assertThat(replies.code()).isEqualTo(ResponseCode.ERROR);
        assertThat(loop.timers).isEmpty();
        gate.countDown();
        loop.turn();
        assertThat(replies.answers).hasSize(1);
        assertThat(server.exists("1234/late")).isTrue();
    }
}
