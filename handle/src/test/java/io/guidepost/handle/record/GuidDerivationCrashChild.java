package io.guidepost.handle.record;

import io.guidepost.handle.Handle;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/** The process that is killed: threads that create, change and delete handles, and say on standard output that they did. */
final class GuidDerivationCrashChild {
    static final int THREADS = 8;
    static final int HANDLES = 400;

    private GuidDerivationCrashChild() {}

    public static void main(String[] args) throws IOException {
        HandleRecords records = new HandleRecords(open(Path.of(args[0]), new GuidDerivation(false)), false);
        long seed = Long.parseLong(args[1]);
        for (int thread = 0; thread < THREADS; thread++) {
            int own = thread;
            Thread.ofPlatform().start(() -> write(records, own, new SplittableRandom(seed + own)));
        }
    }

    static EmbeddedStore open(Path folder, RecordStore.Derivation derivation) throws IOException {
        return EmbeddedStore.open(StoreOptions.in(folder)
                .withMemtableBytes(512 << 10)
                .withIndexBytesMax(16 << 20)
                .withDerivation(derivation));
    }

    private static void write(HandleRecords records, int own, SplittableRandom random) {
        try {
            while (true) {
                int number = random.nextInt(HANDLES / THREADS) * THREADS + own;
                Handle handle = Handle.of("10.5/" + number);
                RecordEdit.Next next = random.nextInt(4) == 0
                        ? new RecordEdit.Next.Deleted()
                        : new RecordEdit.Next.Written(new HandleRecord(handle, values(random)), true);
                records.change(handle, (current, now) -> next);
                System.out.println(number);
            }
        } catch (IOException e) {
            throw new AssertionError("a change was refused", e);
        }
    }

    private static List<HandleValue> values(SplittableRandom random) {
        HandleValue mail = HandleValue.of(2, "EMAIL", "me@a.example");
        HandleValue url = HandleValue.of(1, "URL", "https://a.example/" + random.nextInt());
        return random.nextInt(4) == 0 ? List.of(mail) : List.of(url, mail);
    }
}
