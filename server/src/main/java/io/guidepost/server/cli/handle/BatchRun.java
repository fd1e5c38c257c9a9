package io.guidepost.server.cli.handle;

import io.guidepost.base.FaultyFile;
import io.guidepost.handle.Handle;
import io.guidepost.handle.client.ClientIdentity;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.client.HandleClientSettings;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.transfer.ImportItem;
import io.guidepost.handle.transfer.ImportSource;
import io.guidepost.handle.transfer.ImportStep;
import io.guidepost.server.cli.support.ExceptionText;
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

    /** Requests in a row without any answer after which the batch gives up the server. */
    private static final int UNANSWERED_MAX = 20;

    private final HandleOptions options;
    private final boolean overwrite;
    private final Consumer<String> told;
    private final List<BlockingQueue<Runnable>> lanes = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final LongAdder done = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final AtomicInteger unanswered = new AtomicInteger();
    private HandleClientSettings settings;
    private HandleClient client;

    BatchRun(
            HandleOptions options, HandleClientSettings settings, boolean overwrite, int parallel, Consumer<String> told)
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
    void run(ImportSource source, LongConsumer progress) throws IOException, FaultyFile, InterruptedException {
        long count = 0;
        for (Optional<ImportItem> each = source.next(); each.isPresent(); each = source.next()) {
            switch (each.get()) {
                case ImportItem.Faulty faulty -> fail(faulty.where(), faulty.reason());
                case ImportItem.Of of -> take(of);
            }
            progress.accept(++count);
            if (unanswered.get() >= UNANSWERED_MAX) {
                throw new IOException("given up at " + each.get().where() + ": the server does not answer any more; "
                        + done() + " were done");
            }
        }
        awaitKeys();
    }

    private void take(ImportItem.Of of) throws IOException, FaultyFile, InterruptedException {
        switch (of.step()) {
            case ImportStep.OfRecord step -> {
                int lane = Math.floorMod(Arrays.hashCode(step.handle().folded()), lanes.size());
                lanes.get(lane).put(() -> perform(of.where(), step));
            }
            case ImportStep.Home _, ImportStep.Unhome _ -> {
                awaitKeys();
                perform(of.where(), of.step());
            }
            case ImportStep.BySecret it ->
                reopen(settings.withIdentity(
                                new ClientIdentity.SecretHolder(it.who(), it.secret().getBytes(StandardCharsets.UTF_8)))
                        .withSession(true));
            case ImportStep.ByKey it -> {
                char[] passphrase = it.passphrase().isEmpty() ? null : it.passphrase().toCharArray();
                reopen(settings.withIdentity(
                                new ClientIdentity.KeyHolder(it.who(), HandleOptions.readKey(it.file(), passphrase)))
                        .withSession(true));
            }
            case ImportStep.Session it ->
                reopen(settings.withEncrypted(settings.encrypted() || it.used() && it.encrypted()).withSession(it.used()));
        }
    }

    private void reopen(HandleClientSettings other) throws IOException, FaultyFile, InterruptedException {
        awaitKeys();
        client.close();
        settings = other;
        client = options.open(other);
    }

    private void awaitKeys() throws InterruptedException {
        CountDownLatch empty = new CountDownLatch(lanes.size());
        for (BlockingQueue<Runnable> each : lanes) {
            each.put(empty::countDown);
        }
        empty.await();
    }

    private void perform(String where, ImportStep step) {
        try {
            HandleResult outcome = ask(step);
            unanswered.set(0);
            if (outcome.success()) {
                done.increment();
            } else {
                fail(where, outcome.handle() + ": " + HandleOutcomeText.reason(outcome));
            }
        } catch (IOException e) {
            unanswered.incrementAndGet();
            fail(where, ExceptionText.of(e));
        } catch (IllegalArgumentException e) {
            // Longer than a message may be.
            fail(where, String.valueOf(e.getMessage()));
        }
    }

    private HandleResult ask(ImportStep step) throws IOException {
        HandleClient now = client;
        return switch (step) {
            case ImportStep.Put it -> now.create(it.handle(), it.record().values(), true, false);
            case ImportStep.Create it -> now.create(it.handle(), it.record().values(), overwrite, false);
            case ImportStep.Delete(Handle handle) -> now.delete(handle);
            case ImportStep.Add it -> now.add(it.handle(), it.values(), overwrite);
            case ImportStep.Remove it -> now.remove(it.handle(), it.indexes());
            case ImportStep.Modify it -> now.modify(it.handle(), it.values());
            case ImportStep.Home(Handle prefix) -> now.home(prefix);
            case ImportStep.Unhome(Handle prefix) -> now.unhome(prefix);
            case ImportStep.BySecret _, ImportStep.ByKey _, ImportStep.Session _ ->
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
