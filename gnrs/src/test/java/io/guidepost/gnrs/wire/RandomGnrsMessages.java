package io.guidepost.gnrs.wire;

import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Well-formed messages of every kind, decided by a random generator. */
public final class RandomGnrsMessages {
    private static final List<Locator.Type> TYPES = List.of(Locator.Type.values());

    private RandomGnrsMessages() {}

    public static GnrsMessage any(SplittableRandom random) {
        int id = random.nextInt();
        Locator origin = random.nextInt(4) == 0 ? GnrsMessage.noOrigin() : locator(random);
        GnrsMessage.Code code = random.nextBoolean() ? GnrsMessage.Code.SUCCESS : GnrsMessage.Code.FAILED;
        List<Locator> locators = locators(random);
        return switch (random.nextInt(6)) {
            case 0 -> new GnrsMessage.Lookup(id, origin, guid(random), options(random, 0));
            case 1 -> new GnrsMessage.Insert(id, origin, guid(random), locators, options(random, locators.size()));
            case 2 -> new GnrsMessage.Update(id, origin, guid(random), locators, options(random, locators.size()));
            case 3 -> new GnrsMessage.InsertResponse(id, origin, code, options(random, 0));
            case 4 -> new GnrsMessage.UpdateResponse(id, origin, code, options(random, 0));
            default -> new GnrsMessage.LookupResponse(id, origin, code, locators, options(random, locators.size()));
        };
    }

    static Guid guid(SplittableRandom random) {
        return new Guid(random.nextLong(), random.nextLong(), random.nextInt());
    }

    static List<Locator> locators(SplittableRandom random) {
        List<Locator> locators = new ArrayList<>();
        int count = random.nextInt(8) == 0 ? random.nextInt(60) : random.nextInt(4);
        for (int i = 0; i < count; i++) {
            locators.add(locator(random));
        }
        return locators;
    }

    static Locator locator(SplittableRandom random) {
        Locator.Type type = TYPES.get(random.nextInt(TYPES.size()));
        boolean text = type == Locator.Type.URL || Locator.isAnnotation(type.code());
        int length = text ? random.nextInt(60) : type.bytesMax();
        if (type.original() && random.nextInt(10) == 0) {
            length = random.nextInt(length + 1);
        }
        byte[] data = new byte[length];
        random.nextBytes(data);
        return new Locator(type.code(), data);
    }

    private static List<GnrsOption> options(SplittableRandom random, int bindings) {
        List<GnrsOption> options = new ArrayList<>();
        if (random.nextBoolean() && bindings <= GnrsLimits.TIMED_BINDINGS_MAX) {
            options.add(GnrsOption.ttls(random.longs(bindings).toArray()));
        }
        if (random.nextBoolean() && bindings <= GnrsLimits.TIMED_BINDINGS_MAX) {
            options.add(GnrsOption.expiries(random.longs(bindings).toArray()));
        }
        if (random.nextBoolean()) {
            options.add(GnrsOption.recursion(random.nextBoolean()));
        }
        if (random.nextInt(4) == 0) {
            options.add(random.nextBoolean() ? GnrsOption.accept() : GnrsOption.accept(random.nextInt(0x10000)));
        }
        if (random.nextInt(4) == 0) {
            options.addAll(GnrsOption.padding(random.nextInt(400)));
        }
        if (random.nextInt(4) == 0) {
            options.add(new GnrsOption(3 + random.nextInt(0x50), new byte[random.nextInt(256)]));
        }
        if (random.nextInt(8) == 0) {
            options.add(GnrsOption.partial(random.nextInt(1 << 20)));
        }
        return options;
    }
}
