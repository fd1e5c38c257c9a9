package io.guidepost.store.index;

import io.guidepost.base.Memory;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.store.IndexMemory;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * The shard index: a record that is replaced is found throughout, in one of its two versions, whole. All states share one
 * index, as they would each want megabytes; each has a key of its own at a time.
 */
@JCStressTest
@Outcome(id = {"1", "2"}, expect = Expect.ACCEPTABLE, desc = "The old image or the new one.")
@Outcome(id = "0", expect = Expect.FORBIDDEN, desc = "The record was missing for a moment.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An image that is not whole.")
@State
public class ReadIndexStress {
    private static final int KEYS = 1 << 16;
    private static final ReadIndex INDEX =
            new ReadIndex(64 << 20, new SplittableRandom(1)::nextLong, IndexMemory.ofRuntime());
    private static final RecordReader READER = INDEX.reader();
    private static final AtomicInteger NEXT = new AtomicInteger();

    private final byte[] key;

    /** Puts the first version of the record. */
    public ReadIndexStress() {
        int number = NEXT.getAndIncrement() & KEYS - 1;
        key = Name.of(new Guid(number, ~number, number)).key();
        put(1);
    }

    /** The index has one writer: states are made by several threads, one after the other. */
    private void put(long version) {
        byte[] image = image(key, version);
        synchronized (INDEX) {
            INDEX.put(key, INDEX.hash(key), image);
            INDEX.tidy();
        }
    }

    private static byte[] image(byte[] key, long version) {
        byte[] place = ByteBuffer.allocate(20).putLong(version).putLong(version).putInt((int) version).array();
        return RecordImage.write(
                key, version, List.of(Binding.of(new Locator(Locator.Type.NETWORK_ADDRESS.code(), place))), List.of());
    }

    @Actor
    public void writer() {
        put(2);
    }

    @Actor
    public void reader(I_Result result) {
        READER.enter();
        if (READER.find(key[0], MemorySegment.ofArray(key), 1, 20) == RecordReader.Found.YES) {
            int length = Math.clamp(RecordImage.length(Memory.ALL, READER.offset()), 0, 1024);
            byte[] image = Memory.read(READER.offset(), length);
            int version = length < 16 ? 9 : (int) Memory.longAt(image, 8);
            result.r1 = Arrays.equals(image, image(key, version)) ? version : 9;
        }
        READER.exit();
    }
}
