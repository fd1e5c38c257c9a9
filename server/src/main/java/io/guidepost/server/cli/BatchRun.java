package io.guidepost.server.cli;

import io.guidepost.handle.Handle;
import io.guidepost.handle.client.ClientSettings;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.client.Identity;
import io.guidepost.handle.service.Outcome;
import io.guidepost.handle.transfer.Item;
import io.guidepost.handle.transfer.Source;
import io.guidepost.handle.transfer.Step;
import io.guidepost.names.FaultyFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Has a server do the steps of a source. Each handle belongs to one of several lanes, which do their steps one after the
 * other; so those of one handle keep their order. Steps that are for all that follows wait until the lanes are empty.
 */
final class BatchRun implements AutoCloseable {
    private static final int LANE_MAX = 4;

    /** Requests in a row without any answer after which nobody believes that there is a server. */
    private static final int UNANSWERED_MAX = 20;

    private final HandleOptions options;
    private final boolean overwrite;
    private final Consumer<String> told;
    private final List<BlockingQueue<Runnable>> lanes = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final LongAdder done = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final AtomicInteger unanswered = new AtomicInteger();
    private ClientSettings settings;
    private HandleClient client;

    BatchRun(
            HandleOptions options, ClientSettings settings, boolean overwrite, int parallel, Consumer<String> told)
            throws IOException, FaultyFile {
        this.options = options;
        this.overwrite = overwrite;
        this.told = told;
        this.settings = settings.withSession(settings.identity().isPresent());
        this.client = options.open(this.settings);
        for (int i = 0; i < parallel; i++) {
            BlockingQueue<Runnable> lane = new ArrayBlockingQueue<>(LANE_MAX);
            lanes.add(lane);
            threads.add(Thread.ofVirtual().name("batch-" + i).start(() -> work(lane)));
        }
    }

    private static void work(BlockingQueue<Runnable> lane) {
        try {
            while (true) {
                lane.take().run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    long done() {
        return done.sum();
    }

    long failed() {
        return failed.sum();
    }

    /** Does all steps, and returns when all are done. */
    void run(Source source, LongConsumer progress) throws IOException, FaultyFile, InterruptedException {
        long count = 0;
        for (Optional<Item> each = source.next(); each.isPresent(); each = source.next()) {
            switch (each.get()) {
                case Item.Faulty faulty -> fail(faulty.where(), faulty.reason());
                case Item.Of of -> take(of);
            }
            progress.accept(++count);
            if (unanswered.get() >= UNANSWERED_MAX) {
                throw new IOException("given up at " + each.get().where() + ": the server does not answer any more; "
                        + done() + " were done");
            }
        }
        awaitLanes();
    }

    private void take(Item.Of of) throws IOException, FaultyFile, InterruptedException {
        switch (of.step()) {
            case Step.OfRecord step -> {
                int lane = Math.floorMod(Arrays.hashCode(step.handle().folded()), lanes.size());
                lanes.get(lane).put(() -> perform(of.where(), step));
            }
            case Step.Home home -> {
                awaitLanes();
                perform(of.where(), home);
            }
            case Step.Unhome unhome -> {
                awaitLanes();
                perform(of.where(), unhome);
            }
            case Step.BySecret it ->
                reopen(settings.withIdentity(
                                new Identity.SecretHolder(it.who(), it.secret().getBytes(StandardCharsets.UTF_8)))
                        .withSession(true));
            case Step.ByKey it -> {
                char[] passphrase = it.passphrase().isEmpty() ? null : it.passphrase().toCharArray();
                reopen(settings.withIdentity(
                                new Identity.KeyHolder(it.who(), HandleOptions.readKey(it.file(), passphrase)))
                        .withSession(true));
            }
            case Step.Session it ->
                reopen(settings.withEncrypted(settings.encrypted() || it.used() && it.encrypted()).withSession(it.used()));
        }
    }

    private void reopen(ClientSettings other) throws IOException, FaultyFile, InterruptedException {
        awaitLanes();
        client.close();
        settings = other;
        client = options.open(other);
    }

    private void awaitLanes() throws InterruptedException {
        CountDownLatch empty = new CountDownLatch(lanes.size());
        for (BlockingQueue<Runnable> each : lanes) {
            each.put(empty::countDown);
        }
        empty.await();
    }

    private void perform(String where, Step step) {
        try {
            Outcome outcome = ask(step);
            unanswered.set(0);
            if (outcome.success()) {
                done.increment();
            } else {
                fail(where, outcome.handle() + ": " + HandleOutcomes.reason(outcome));
            }
        } catch (IOException e) {
            unanswered.incrementAndGet();
            fail(where, Wording.of(e));
        } catch (IllegalArgumentException e) {
            // Longer than a message may be.
            fail(where, String.valueOf(e.getMessage()));
        }
    }

    private Outcome ask(Step step) throws IOException {
        HandleClient now = client;
        return switch (step) {
            case Step.Put it -> now.create(it.handle(), it.record().values(), true, false);
            case Step.Create it -> now.create(it.handle(), it.record().values(), overwrite, false);
            case Step.Delete(Handle handle) -> now.delete(handle);
            case Step.Add it -> now.add(it.handle(), it.values(), overwrite);
            case Step.Remove it -> now.remove(it.handle(), it.indexes());
            case Step.Modify it -> now.modify(it.handle(), it.values());
            case Step.Home(Handle prefix) -> now.home(prefix);
            case Step.Unhome(Handle prefix) -> now.unhome(prefix);
            case Step.BySecret _, Step.ByKey _, Step.Session _ ->
                throw new IllegalStateException("this is done before the lanes");
        };
    }

    private void fail(String where, String why) {
        failed.increment();
        told.accept(where + ": " + why);
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        client.close();
    }
}
