package io.guidepost.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.server.RunningServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Inserts of ever new names, and look-ups of names whose inserts were acknowledged, in turns and at a rate, whether or not they are
 * answered (an open loop). What is not answered is sent again, as by any client.
 */
final class PacedRequests implements Iterator<GnrsRequest>, AutoCloseable {
    /** Nothing is given up: a transmission follows after 50 ms, 100 ms, and so on, in all for more than a minute. */
    private static final GnrsClientSettings PATIENT = new GnrsClientSettings(50, 11, 1 << 16);

    private static final int MORE = 50;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final GnrsClient client;
    private final long intervalNanos;
    private final FutureTask<Void> load = new FutureTask<>(this::load);
    private final List<Integer> acknowledged = new ArrayList<>();
    private final List<GnrsResponse> wrong = new ArrayList<>();
    private long nextNanos = System.nanoTime();
    private long answerNanos = nextNanos;
    private long longestGapNanos;
    private int sent;
    private int sentAgain;
    private final AtomicInteger answers = new AtomicInteger();
    private volatile boolean running = true;

    private PacedRequests(GnrsClient client, int perSecond) {
        this.client = client;
        this.intervalNanos = NANOS_PER_SECOND / perSecond;
    }

    static PacedRequests start(InetSocketAddress server, int perSecond) throws IOException {
        PacedRequests requests = new PacedRequests(GnrsClient.open(server, PATIENT), perSecond);
        Thread.ofPlatform().name("paced-requests").start(requests.load);
        return requests;
    }

    private Void load() throws IOException {
        client.batch(this, this::take);
        return null;
    }

    @Override
    public boolean hasNext() {
        return running;
    }

    @Override
    public GnrsRequest next() {
        for (long wait = nextNanos - System.nanoTime(); wait > 0; wait = nextNanos - System.nanoTime()) {
            LockSupport.parkNanos(wait);
        }
        nextNanos += intervalNanos;
        int number = sent++;
        return number % 2 == 0 || acknowledged.isEmpty()
                ? GnrsRequest.insert(name(number), List.of(place(number)))
                : GnrsRequest.lookup(name(acknowledged.get(number * 31 % acknowledged.size())), false);
    }

    private static Guid name(int number) {
        return new Guid(0, 0, number);
    }

    private static Binding place(int number) {
        return Binding.of(Locator.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1 + number % 0xffff)));
    }

    private void take(GnrsResponse answer) {
        long now = System.nanoTime();
        longestGapNanos = Math.max(longestGapNanos, now - answerNanos);
        answerNanos = now;
        sentAgain += answer.datagrams() > 1 ? 1 : 0;
        boolean insert = answer.request().kind() == GnrsRequest.Kind.INSERT;
        if (answer.outcome() != GnrsResponse.Outcome.SUCCESS
                || !insert && !answer.bindings().equals(List.of(place(answer.request().guid().low())))) {
            wrong.add(answer);
        } else if (insert) {
            acknowledged.add(answer.request().guid().low());
        }
        answers.incrementAndGet();
    }

    /** Waits until some more have been answered. */
    void awaitMore() {
        int enough = answers.get() + MORE;
        assertThat(RunningServer.eventually(() -> load.isDone() || answers.get() >= enough)).isTrue();
        assertThat(load.isDone()).as("the load goes on").isFalse();
    }

    /** Sends no more; expects that all is answered, and right, and that each acknowledged name is there. */
    void finish() throws Exception {
        running = false;
        load.get();
        assertThat(wrong).as("wrong answers").isEmpty();
        assertThat(answers.get()).isEqualTo(sent);
        Iterator<GnrsRequest> all = acknowledged.stream().map(each -> GnrsRequest.lookup(name(each), false)).toList().iterator();
        client.batch(all, answer -> assertThat(answer.bindings()).as("%s", answer).containsExactly(place(answer.request().guid().low())));
        System.out.printf("an upgrade: %,d requests answered, %,d of them sent again, longest gap %,d ms%n",
                sent, sentAgain, longestGapNanos / 1_000_000);
    }

    @Override
    public void close() throws IOException {
        running = false;
        client.close();
    }
}
