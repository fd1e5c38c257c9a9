package io.guidepost.handle.json;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.location.HandleLocations;
import io.guidepost.handle.template.HandleNamespace;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.RandomValues;
import io.guidepost.web.JsonValue;
import io.guidepost.web.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Values and sites in JSON, locations and templates in XML, for {@code ./guidepost fuzz}. The first byte says what it is. */
public final class HandleTextFuzz {
    private static final Handle HANDLE = Handle.of("1234/1");

    private HandleTextFuzz() {}

    /** Reads one; values are written and read again. */
    public static void fuzz(byte[] input) {
        if (input.length == 0) {
            return;
        }
        byte[] text = Arrays.copyOfRange(input, 1, input.length);
        try {
            switch (input[0] & 3) {
                case 0 -> values(text);
                case 1 -> SiteJson.read(text);
                case 2 -> HandleLocations.read(text, HANDLE);
                default -> HandleNamespace.read(text);
            }
        } catch (Malformed e) {
            if (e.reason().isEmpty()) {
                throw new AssertionError("no reason", e);
            }
        }
    }

    private static void values(byte[] text) throws Malformed {
        List<HandleValue> values = ValueJson.readValues(JsonValue.read(text).whole());
        byte[] written = JsonWriter.bytes(out -> ValueJson.write(values, out));
        try {
            if (!ValueJson.readValues(JsonValue.read(written).whole()).equals(values)) {
                throw new AssertionError("written and read again there are other values");
            }
        } catch (Malformed e) {
            throw new AssertionError("what was read and written is refused", e);
        }
    }

    /** Some of each. */
    public static List<byte[]> seeds() {
        SplittableRandom random = new SplittableRandom(1);
        List<byte[]> seeds = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            List<HandleValue> values = RandomValues.list(random, 4, RandomValues::value);
            seeds.add(seed(0, new String(JsonWriter.bytes(out -> ValueJson.write(values, out)), StandardCharsets.UTF_8)));
            seeds.add(seed(1, new String(SiteJson.write(RandomValues.site(random)), StandardCharsets.UTF_8)));
        }
        seeds.add(seed(2, "<locations chooseby='locatt,country,nearest,weighted'>"
                + "<location id='0' href='http://uk.example.com/' country='gb' weight='0'/>"
                + "<location id='1' href='http://www1.example.com/' weight='1' http_sc='301'/></locations>"));
        seeds.add(seed(3, "<namespace><template delimiter='@'><foreach>"
                + "<if value='type' expression='URL'><value data='${data}?x=${extension}'/></if><else><value/></else>"
                + "</foreach></template></namespace>"));
        return seeds;
    }

    private static byte[] seed(int kind, String text) {
        return ((char) kind + text).getBytes(StandardCharsets.UTF_8);
    }
}
