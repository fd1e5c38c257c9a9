package io.guidepost.store;

import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Records for tests: a number names them, and a number says what they hold. */
public final class TestImages {
    private TestImages() {}

    public static Name name(long number) {
        return Name.of(new Guid(mix(number), mix(number + 1), (int) number));
    }

    public static byte[] key(long number) {
        return name(number).key();
    }

    /** An image whose places tell the content: one place of ten bytes and up to {@code content % 4} more. */
    public static byte[] image(byte[] key, long version, long content) {
        List<Binding> bindings = new ArrayList<>();
        for (int i = 0; i <= (content & 3); i++) {
            bindings.add(Binding.of(place(content + i)));
        }
        return RecordImage.write(key, version, bindings, List.of());
    }

    /** An image with one place that ends at a time, 0 = never. */
    public static byte[] imageUntil(byte[] key, long version, long expiryMillis) {
        return RecordImage.write(key, version, List.of(new Binding(place(version), 0, expiryMillis)), List.of());
    }

    public static Locator place(long content) {
        return new Locator(
                Locator.Type.NETWORK_ADDRESS.code(),
                ByteBuffer.allocate(20).putLong(content).putLong(mix(content)).putInt(0).array());
    }

    public static long content(Record record) {
        return ByteBuffer.wrap(record.bindings().getFirst().locator().data()).getLong();
    }

    /** A change that writes an image of some content. */
    public static RecordStore.Replace write(long content) {
        return (key, current, version, nowMillis) -> image(key, version, content);
    }

    private static long mix(long z) {
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
