package io.guidepost.handle.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.value.AdminRecord;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.IdentityList;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.RandomValues;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.SiteServer;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Values, sites and keys in JSON: golden texts, round trips, and what is refused. */
class ValueJsonTest {
    private static final ValueReference ADMIN = new ValueReference(Handle.of("1234/ADMIN"), 300);

    private static String text(HandleValue value) {
        return new String(JsonWriter.bytes(out -> ValueJson.write(value, out)), StandardCharsets.UTF_8);
    }

    private static HandleValue read(String text) throws Malformed {
        return ValueJson.read(JsonValue.read(text.getBytes(StandardCharsets.UTF_8)).whole());
    }

    private static String data(String type, byte[] data) {
        String whole = text(HandleValue.of(5, type, data));
        return whole.substring(whole.indexOf("\"data\":") + 7, whole.indexOf(",\"ttl\""));
    }

    @Test
    void aValueHasTheFormOfExistingServers() throws Malformed {
        HandleValue value = HandleValue.of(1, "URL", "http://e.x/?a=b&c=<d>").changedAt(1_700_000_000L);
        String text = "{\"index\":1,\"type\":\"URL\",\"data\":{\"format\":\"string\",\"value\":\"http://e.x/?a=b&c=<d>\"},"
                + "\"ttl\":86400,\"timestamp\":\"2023-11-14T22:13:20Z\"}";
        assertThat(text(value)).isEqualTo(text);
        assertThat(read(text)).isEqualTo(value);
    }

    @Test
    void whatIsNotUsualIsSaid() throws Malformed {
        HandleValue value = new HandleValue(
                6,
                "BIN",
                new byte[] {-1, -1, 0, 1},
                Permissions.SECRET,
                new Ttl.Until(1_893_456_000L),
                0,
                List.of(new ValueReference(Handle.of("1/2"), 3)));
        String text = "{\"index\":6,\"type\":\"BIN\",\"data\":{\"format\":\"base64\",\"value\":\"//8AAQ==\"},"
                + "\"permissions\":\"1100\",\"ttl\":\"2030-01-01T00:00:00Z\","
                + "\"references\":[{\"handle\":\"1/2\",\"index\":3}]}";
        assertThat(text(value)).isEqualTo(text);
        assertThat(read(text)).isEqualTo(value);
    }

    @Test
    void dataIsTextIfItCanBeShown() {
        assertThat(data("D", "a\tb\r\n\f".getBytes(StandardCharsets.UTF_8))).contains("\"string\"", "a\\tb\\r\\n\\f");
        assertThat(data("D", "é😀".getBytes(StandardCharsets.UTF_8))).contains("\"string\",\"value\":\"é😀\"");
        assertThat(data("D", "a\u2028b".getBytes(StandardCharsets.UTF_8))).contains("a\\u2028b");
        assertThat(data("D", new byte[0])).isEqualTo("{\"format\":\"string\",\"value\":\"\"}");
        for (byte[] each : List.of(new byte[] {'a', 0}, new byte[] {8}, new byte[] {0x7f}, new byte[] {(byte) 0xc3})) {
            assertThat(data("D", each)).contains("\"base64\"");
        }
    }

    @Test
    void structuredDataIsReadAndWritten() throws Malformed {
        byte[] admin = new AdminRecord(0x7f3, ADMIN).write();
        assertStructured("HS_ADMIN", admin, """
                {"format":"admin","value":{"handle":"1234/ADMIN","index":300,"permissions":"011111110011"}}""");
        assertStructured("HS_ADMIN", Arrays.copyOf(admin, admin.length + 2), """
                {"format":"admin","value":{"handle":"1234/ADMIN","index":300,"permissions":"011111110011",\
                "legacyByteLength":true}}""");
        assertStructured("HS_VLIST", new IdentityList(List.of(ADMIN)).write(), """
                {"format":"vlist","value":[{"handle":"1234/ADMIN","index":300}]}""");
        for (String each : List.of("HS_ADMIN", "HS_VLIST", "HS_SITE", "HS_PUBKEY")) {
            assertThat(data(each, new byte[] {1, 2})).isEqualTo("{\"format\":\"base64\",\"value\":\"AQI=\"}");
        }
        assertThat(data("URL", admin)).contains("base64");
    }

    private static void assertStructured(String type, byte[] data, String json) throws Malformed {
        assertThat(data(type, data)).isEqualTo(json);
        assertThat(read("{\"index\":5,\"type\":\"" + type + "\",\"data\":" + json + "}").data()).isEqualTo(data);
    }

    @Test
    void dataComesInEveryFormatAndOrder() throws Malformed {
        assertThat(read("{\"index\":1,\"type\":\"T\",\"data\":\"x\"}").data()).containsExactly('x');
        assertThat(read("{\"data\":{\"value\":\"616263\",\"format\":\"hex\"},\"type\":\"T\",\"index\":1}").data())
                .containsExactly('a', 'b', 'c');
        assertThat(read("{\"index\":\"300\",\"type\":\"T\",\"data\":{\"format\":\"base64\",\"value\":\"_-8\"},\"ttl\":\"5\"}"))
                .isEqualTo(new HandleValue(
                        300, "T", new byte[] {-1, -17}, Permissions.USUAL, new Ttl.Relative(5), 0, List.of()));
    }

    @Test
    void aRequestHoldsValuesInThreeWays() throws Malformed {
        String one = "{\"index\":1,\"type\":\"T\",\"data\":\"x\"}";
        for (String each : List.of(one, "[" + one + "]", "{\"values\":[" + one + "]}")) {
            assertThat(ValueJson.readValues(
                            JsonValue.read(each.getBytes(StandardCharsets.UTF_8)).whole()))
                    .containsExactly(HandleValue.of(1, "T", "x"));
        }
    }

    @Test
    void aRefusalNamesTheField() {
        assertRefused("{\"type\":\"T\",\"data\":\"x\"}", "index is missing");
        assertRefused("{\"index\":1,\"data\":\"x\"}", "type is missing");
        assertRefused("{\"index\":1,\"type\":\"T\"}", "data is missing");
        assertRefused("{\"index\":1,\"type\":\"T\",\"data\":{\"value\":\"x\"}}", "data.format is missing");
        assertRefused("{\"index\":1,\"type\":\"T\",\"data\":{\"format\":\"x\",\"value\":\"\"}}", "data.format is string,");
        assertRefused("{\"index\":1,\"type\":\"T\",\"data\":{\"format\":\"hex\",\"value\":\"abc\"}}", "data.value is pairs");
        assertRefused("{\"index\":1,\"type\":\"T\",\"data\":{\"format\":\"base64\",\"value\":\"!\"}}", "data.value is base64");
        assertRefused("{\"index\":1,\"type\":\"T\",\"data\":{\"format\":\"vlist\",\"value\":[{\"handle\":\"1/2\"}]}}",
                "data.value[0].index is missing");
        assertRefused("{\"index\":1,\"type\":\"T\",\"data\":\"x\",\"permissions\":\"111\"}", "permissions is four");
        assertRefused("{\"index\":1,\"type\":\"T\",\"data\":\"x\",\"ttl\":-1}", "ttl is an integer from 0");
        assertRefused("{\"index\":1,\"type\":\"T\",\"data\":\"x\",\"timestamp\":\"now\"}", "timestamp is a time");
        assertRefused("{\"index\":1,\"type\":\"T\",\"data\":{\"format\":\"key\",\"value\":{\"kty\":\"EC\"}}}", "data.value.kty");
        assertRefused("[]", "should be an object, not an array");
    }

    private static void assertRefused(String text, String message) {
        assertThatThrownBy(() -> read(text)).as(text).isInstanceOf(Malformed.class).hasMessageContaining(message);
    }

    @Test
    void aSiteIsReadAndWritten() throws Malformed {
        SiteRecord site = new SiteRecord(
                2,
                11,
                3,
                true,
                false,
                SiteRecord.Hash.PREFIX,
                new byte[0],
                List.of(new SiteRecord.Attribute("desc", "x")),
                List.of(new SiteServer(
                        7,
                        SiteServer.address(InetAddress.ofLiteral("2001:db8::1:0:0:1")),
                        new byte[] {1, 2, 3},
                        List.of(new SiteInterface(true, false, SiteInterface.Transport.HTTPS, 8000)))));
        String text = """
                {"version":1,"protocolVersion":"2.11","serialNumber":3,"primarySite":true,"multiPrimary":false,\
                "hashOption":0,"attributes":[{"name":"desc","value":"x"}],"servers":[{"serverId":7,\
                "address":"2001:db8::1:0:0:1","publicKey":{"format":"base64","value":"AQID"},\
                "interfaces":[{"query":false,"admin":true,"protocol":"HTTPS","port":8000}]}]}""";
        assertThat(new String(JsonWriter.bytes(SiteJson.of(site)), StandardCharsets.UTF_8)).isEqualTo(text);
        assertThat(SiteJson.read(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(site);
        assertThat(SiteJson.read(SiteJson.write(site))).isEqualTo(site);
        assertStructured("HS_SITE.PREFIX", site.write(), "{\"format\":\"site\",\"value\":" + text + "}");
    }

    @Test
    void keysAreReadAndWritten() throws Malformed, NoSuchAlgorithmException {
        for (String algorithm : List.of("RSA", "DSA")) {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            generator.initialize(1024);
            KeyPair pair = generator.generateKeyPair();
            PublicKeyRecord open = PublicKeyRecord.of(pair.getPublic());
            byte[] openText = JsonWriter.bytes(KeyJson.of(open));
            assertThat(KeyJson.readPublic(JsonValue.read(openText).whole())).isEqualTo(open);
            assertThat(data("HS_PUBKEY", open.write()))
                    .isEqualTo("{\"format\":\"key\",\"value\":" + new String(openText, StandardCharsets.UTF_8) + "}");
        }
    }

    @Test
    void anyValueSurvivesTheWayThroughJson() throws Malformed {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 2000; i++) {
            HandleValue any = RandomValues.value(random);
            HandleValue value = new HandleValue(
                    any.index(),
                    any.type(),
                    any.data(),
                    new Permissions(any.permissions().bits() & 0xf),
                    any.ttl(),
                    any.changedSeconds(),
                    List.of(ADMIN, new ValueReference(Handle.of("über/ß"), random.nextInt())));
            assertThat(read(text(value))).isEqualTo(value);
        }
    }

    @Test
    void whatWasCapturedReadsAndIsWrittenTheSame() throws IOException, Malformed {
        int seen = 0;
        for (String line : Files.readAllLines(Path.of("src/test/resources/exchanges/http-9.2.txt"))) {
            if (line.startsWith("< {\"responseCode\":1,\"handle\"") && line.contains("\"values\"") && !line.contains("*")) {
                JsonField body = JsonValue.read(line.substring(2).getBytes(StandardCharsets.UTF_8)).whole();
                List<HandleValue> values = ValueJson.readValues(body);
                String again = new String(JsonWriter.bytes(out -> ValueJson.write(values, out)), StandardCharsets.UTF_8);
                assertThat(line).endsWith("\"values\":" + again + "}");
                seen++;
            }
        }
        assertThat(seen).isGreaterThan(5);
    }
}
