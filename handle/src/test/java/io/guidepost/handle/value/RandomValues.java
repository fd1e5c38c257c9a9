package io.guidepost.handle.value;

import io.guidepost.handle.Handle;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;

/** Well-formed pieces of records of every kind, decided by a random generator. */
@SuppressWarnings("EnumOrdinal") // Any of the constants.
public final class RandomValues {
    private static final String[] WORDS = {"", "a", "1234/1", "10.1000/abc", "0.NA/1234", "URL", "HS_ADMIN", "über/ß", "x y"};

    private RandomValues() {}

    public static byte[] bytes(SplittableRandom random, int bytesMax) {
        byte[] bytes = new byte[random.nextInt(bytesMax + 1)];
        random.nextBytes(bytes);
        return bytes;
    }

    public static String text(SplittableRandom random) {
        return WORDS[random.nextInt(WORDS.length)];
    }

    public static Handle handle(SplittableRandom random) {
        return random.nextInt(8) == 0 ? Handle.of(bytes(random, 40)) : Handle.of(text(random));
    }

    public static ValueReference reference(SplittableRandom random) {
        return new ValueReference(handle(random), random.nextInt());
    }

    public static <T> List<T> list(SplittableRandom random, int sizeMax, Function<SplittableRandom, T> element) {
        List<T> list = new ArrayList<>();
        for (int i = random.nextInt(sizeMax + 1); i > 0; i--) {
            list.add(element.apply(random));
        }
        return list;
    }

    public static HandleValue value(SplittableRandom random) {
        long number = Integer.toUnsignedLong(random.nextInt());
        return new HandleValue(
                random.nextInt(),
                text(random),
                bytes(random, 60),
                new Permissions(random.nextInt(256)),
                random.nextBoolean() ? new Ttl.Relative(number) : new Ttl.Until(number),
                Integer.toUnsignedLong(random.nextInt()),
                list(random, 2, RandomValues::reference));
    }

    public static SiteRecord site(SplittableRandom random) {
        return new SiteRecord(
                random.nextInt(256),
                random.nextInt(256),
                random.nextInt(65536),
                random.nextBoolean(),
                random.nextBoolean(),
                SiteRecord.Hash.values()[random.nextInt(3)],
                bytes(random, 4),
                list(random, 3, each -> new SiteRecord.Attribute(text(each), text(each))),
                list(random, 3, RandomValues::server));
    }

    private static SiteServer server(SplittableRandom random) {
        byte[] address = new byte[SiteServer.ADDRESS_BYTES];
        random.nextBytes(address);
        return new SiteServer(
                random.nextInt(),
                address,
                bytes(random, 30),
                list(random, 4, each -> new SiteInterface(
                        each.nextBoolean(),
                        each.nextBoolean(),
                        SiteInterface.Transport.values()[each.nextInt(4)],
                        each.nextInt(65536))));
    }
}
