package io.guidepost.server.cli.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.fleet.ModelFleet;
import io.guidepost.names.Binding;
import io.guidepost.names.Record;
import io.guidepost.server.cli.CommandRun;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.TestImages;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names move from a store in files into a cluster, and back. */
final class FleetMoveTest {
    private static final int NAMES = 700;
    private static final long LATE = 4_000_000_000_000L;

    @TempDir
    private Path folder;

    private Path file;
    private String from;

    private static List<Binding> places(int name) {
        return List.of(Binding.of(TestImages.place(name)), new Binding(TestImages.place(name + 5000), 7, LATE + name));
    }

    @BeforeEach
    void fillAStore() throws IOException {
        file = folder.resolve("names.gpn");
        from = "store.folder=" + folder.resolve("from");
        List<CompletableFuture<?>> told = new ArrayList<>();
        try (RecordStore store = EmbeddedStore.open(StoreOptions.in(folder.resolve("from")).withIndexBytesMax(16 << 20))) {
            for (int i = 0; i <= NAMES; i++) {
                int number = i;
                CompletableFuture<RecordStore.Outcome> done = new CompletableFuture<>();
                told.add(done);
                RecordStore.Replace write = (key, _, version, _) -> number == NAMES
                        ? RecordImage.writeDerived(key, version, places(number))
                        : RecordImage.write(key, version, places(number), List.of());
                store.submit(TestImages.key(i), write, (outcome, _) -> done.complete(outcome));
            }
            told.forEach(CompletableFuture::join);
        }
    }

    private static CommandRun run(String... words) {
        return CommandRun.of(words);
    }

    private static void allAreIn(RecordStore store) throws IOException {
        for (int i = 0; i < NAMES; i++) {
            Record there = store.get(TestImages.name(i)).orElseThrow();
            assertThat(there.bindings()).as("name %d", i).containsExactlyInAnyOrderElementsOf(places(i));
        }
        assertThat(store.get(TestImages.name(NAMES))).as("what follows from a handle").isEmpty();
    }

    @Test
    void namesMoveIntoAClusterAndBack() throws IOException {
        assertThat(run("fleet", "export", file.toString(), "--set", from).out())
                .isEqualTo("wrote " + NAMES + " names to " + file + "; 1 follow from handles\n");
        assertThat(run("fleet", "export", file.toString(), "--set", from).err()).contains("is there already");
        assertThat(run("fleet", "export", folder.resolve("x").toString(), "--set", "store.folder=" + folder.resolve("y")).err())
                .contains("there is no store in");
        ModelFleet cluster = new ModelFleet();
        Path back = folder.resolve("back.gpn");
        try (RecordStore fleet = cluster.open()) {
            assertThat(imported(fleet, 0)).isEqualTo(NAMES + " made, 0 kept");
            assertThat(imported(fleet, 0)).as("again").isEqualTo("0 made, " + NAMES + " kept");
            assertThat(imported(fleet, NAMES - 10)).isEqualTo("0 made, 10 kept");
            allAreIn(fleet);
            try (NameFileWriter out = NameFileWriter.create(back)) {
                fleet.images(null, (_, image) -> {
                    try {
                        out.write(image);
                        return true;
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
                out.end();
            }
        }
        String to = "store.folder=" + folder.resolve("to");
        assertThat(run("fleet", "import", back.toString(), "--set", to).out())
                .isEqualTo("imported " + NAMES + " names; 0 were there already, or belong to handles\n");
        try (RecordStore store = EmbeddedStore.open(StoreOptions.in(folder.resolve("to")).withIndexBytesMax(16 << 20))) {
            allAreIn(store);
        }
    }

    private String imported(RecordStore store, long first) throws IOException {
        try (NameFileReader in = NameFileReader.open(file)) {
            NameImport names = new NameImport(store, 1, _ -> {});
            names.run(in, first);
            return names.made() + " made, " + names.kept() + " kept";
        }
    }

    /** A busy cluster would let some of more time out. */
    @Test
    void anImportHasABoundedNumberOfNamesUnderWayInACluster() throws IOException {
        assertThat(run("fleet", "export", file.toString(), "--set", from).code()).isZero();
        Queue<RecordStore.Completion> underWay = new ConcurrentLinkedQueue<>();
        InvocationHandler cluster = (_, method, arguments) -> switch (method.getName()) {
            case "isShared" -> true;
            case "submit" -> underWay.add((RecordStore.Completion) arguments[2]);
            default -> throw new AssertionError(method.getName());
        };
        RecordStore shared = (RecordStore)
                Proxy.newProxyInstance(RecordStore.class.getClassLoader(), new Class<?>[] {RecordStore.class}, cluster);
        CompletableFuture<String> done = new CompletableFuture<>();
        Thread importing = Thread.ofPlatform().start(() -> {
            try {
                done.complete(imported(shared, 0));
            } catch (IOException | RuntimeException | Error e) {
                done.completeExceptionally(e);
            }
        });
        int most = 0;
        while (importing.isAlive()) {
            if (importing.getState() == Thread.State.WAITING) {
                most = Math.max(most, underWay.size());
                RecordStore.Completion next = underWay.poll();
                if (next != null) {
                    next.complete(RecordStore.Outcome.DONE, 1);
                }
            }
            Thread.onSpinWait();
        }
        assertThat(done.join()).isEqualTo(NAMES + " made, 0 kept");
        assertThat(most).isEqualTo(128);
    }

    @Test
    void anImportThatIsBrokenOffTellsHowFarItCameAndWhatIsDamagedIsCounted() throws IOException {
        assertThat(run("fleet", "export", file.toString(), "--set", from).code()).isZero();
        ModelFleet cluster = new ModelFleet();
        try (RecordStore fleet = cluster.open();
                NameFileReader in = NameFileReader.open(file)) {
            NameImport names = new NameImport(fleet, 1, done -> cluster.away(true));
            assertThatThrownBy(() -> names.run(in, 0))
                    .hasMessageContaining("the store did not take 188 names")
                    .hasMessageEndingWith("512 names of the file are done: the same with --from 512 goes on");
            cluster.away(false);
        }
        byte[] bytes = Files.readAllBytes(file);
        bytes[8 + 8 + 30] ^= 1;
        Files.write(file, bytes);
        String to = "store.folder=" + folder.resolve("to");
        CommandRun damaged = run("fleet", "import", file.toString(), "--set", to);
        assertThat(damaged.err()).contains("1 names of the file are damaged");
        assertThat(damaged.out()).contains("imported " + (NAMES - 1) + " names");
        assertThat(damaged.code()).isEqualTo(1);
        Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
        assertThat(run("fleet", "import", file.toString(), "--set", to).err())
                .contains("was not written to its end; ", " names of the file are done");
        Files.writeString(file, "something else");
        assertThat(run("fleet", "import", file.toString(), "--set", to).err()).contains("is not a file that guidepost fleet export wrote");
    }
}
