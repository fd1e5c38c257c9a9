package io.guidepost.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.CommonLimits;
import io.guidepost.base.Malformed;
import io.guidepost.names.Binding;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What other servers send is checked before anything depends on it. */
final class ImageValidatorTest {
    private static final byte[] KEY = TestImages.key(1);

    private static byte[] good() {
        return RecordImage.write(
                KEY,
                7,
                List.of(new Binding(TestImages.place(1), 30, 5000), Binding.of(TestImages.place(2))),
                new RecordImage.Stamps(5, 9000, new long[] {5, 6}),
                List.of());
    }

    private static byte[] with(int offset, int... bytes) {
        byte[] image = good();
        for (int i = 0; i < bytes.length; i++) {
            image[offset + i] = (byte) bytes[i];
        }
        return image;
    }

    private static void refused(byte[] image, String reason) {
        assertThatThrownBy(() -> RecordImage.check(image)).isInstanceOf(Malformed.class).hasMessageContaining(reason);
    }

    @Test
    void aGoodOneIsTaken() {
        assertThatCode(() -> RecordImage.check(good())).doesNotThrowAnyException();
        byte[] datagram = new byte[500];
        System.arraycopy(good(), 0, datagram, 20, good().length);
        assertThatCode(() -> RecordImage.check(MemorySegment.ofArray(datagram), 20, good().length))
                .doesNotThrowAnyException();
    }

    @Test
    void eachPartIsChecked() throws Malformed {
        refused(new byte[10], "too few");
        refused(new byte[CommonLimits.SHARED_RECORD_BYTES_MAX + 1], "too many");
        refused(with(0, 2), "format 2");
        refused(with(1, 0), "no stamps");
        refused(with(1, RecordImage.STAMPED | RecordImage.VALUES), "values");
        refused(with(1, RecordImage.STAMPED | RecordImage.CHAINED), "flags");
        refused(with(2, 0, 20), "key");
        refused(with(4, 0, 1), "length");
        refused(with(40, 9), "key");
        refused(with(32, 0xff), "bindings");
        refused(with(35, 3), "the parts do not fill");
        refused(with(36, 0x7f), "addresses");
        refused(with(61, 1), "counts");
        refused(with(67, 0, 21), "too long");
        refused(with(67, 0, 60), "longer than its part");
        refused(with(67, 0, 19), "longer than its part");
        refused(with(16, 1), "plain");
        refused(with(24, 1), "next expiry");
        refused(Arrays.copyOf(good(), good().length - 1), "length");
        int ttls = 40 + 21 + 4 + 48;
        refused(with(ttls, 9), "header");
        refused(with(ttls + 2, 0x80), "negative");
        refused(with(good().length - 8, 0x80), "before");
        byte[] twice = RecordImage.write(
                KEY,
                7,
                List.of(Binding.of(TestImages.place(1)), Binding.of(TestImages.place(1))),
                new RecordImage.Stamps(0, 0, new long[] {5, 6}),
                List.of());
        refused(twice, "twice");
        byte[] unsorted = RecordImage.write(
                KEY,
                7,
                List.of(Binding.of(TestImages.place(1)), Binding.of(TestImages.place(2))),
                new RecordImage.Stamps(0, 0, new long[] {6, 5}),
                List.of());
        refused(unsorted, "before");
        byte[] handle = Name.ofKey(new byte[] {Name.Namespace.HANDLE.code(), 'a'}).key();
        RecordImage.Stamps stamps = new RecordImage.Stamps(0, 0, new long[] {1});
        refused(RecordImage.write(handle, 1, List.of(Binding.of(TestImages.place(1))), stamps, List.of()), "key");
    }

    @Test
    void whateverPassesCanBeMergedReadAndSummedUp() throws Malformed {
        SplittableRandom random = new SplittableRandom(5);
        byte[] current = good();
        int passed = 0;
        for (int i = 0; i < 300_000; i++) {
            byte[] image = random.nextBoolean() ? good() : chained();
            int flips = random.nextInt(1, 4);
            for (int f = 0; f < flips; f++) {
                image[random.nextInt(image.length)] ^= (byte) (1 << random.nextInt(8));
            }
            if (random.nextInt(10) == 0) {
                image = Arrays.copyOf(image, random.nextInt(2 * image.length));
            }
            try {
                RecordImage.check(image);
            } catch (Malformed e) {
                continue;
            }
            passed++;
            byte[] key = Arrays.copyOfRange(image, 40, 61);
            byte[] merged = RecordMerge.merge(Arrays.equals(key, KEY) ? current : null, image, 1, 1000, 5000);
            if (merged.length > 0) {
                RecordImage.check(merged);
                assertThat(StoredForm.wrong(key, merged)).isNull();
            }
            assertThat(RecordImage.read(image).name().key()).isEqualTo(key);
            assertThat(RecordImage.digest(MemorySegment.ofArray(image), 0)).isNotZero();
        }
        assertThat(passed).isGreaterThan(1000);
    }

    private static byte[] chained() {
        return RecordImage.write(
                KEY,
                7,
                List.of(Binding.of(new Locator(Locator.Type.GUID.code(), new byte[20]))),
                new RecordImage.Stamps(0, 0, new long[] {6}),
                List.of());
    }
}
