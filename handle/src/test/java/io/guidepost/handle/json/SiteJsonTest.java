package io.guidepost.handle.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.SiteServer;
import io.guidepost.web.JsonValue;
import io.guidepost.web.JsonWriter;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Sites, maps of sites and keys in JSON as people write them: what may be left out, and what is said of what is wrong. */
class SiteJsonTest {
    private static final String SERVER = "{\"serverId\":1,\"address\":\"192.0.2.1\"}";

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static SiteRecord site(String fields) throws Malformed {
        return SiteJson.read(bytes("{" + fields + "}"));
    }

    private static SiteServer server(String fields) throws Malformed {
        return site("\"servers\":[{\"serverId\":1,\"address\":\"192.0.2.1\"" + fields + "}]").servers().getFirst();
    }

    private static void refused(ThrowingCallable reading, String message) {
        assertThatThrownBy(reading).as(message).isInstanceOf(Malformed.class).hasMessageContaining(message);
    }

    @Test
    void allMayBeLeftOut() throws Malformed {
        SiteRecord site = site("");
        assertThat(site.majorVersion()).isEqualTo(2);
        assertThat(site.minorVersion()).isEqualTo(11);
        assertThat(site.serial()).isEqualTo(1);
        assertThat(site.hash()).isEqualTo(SiteRecord.Hash.HANDLE);
        assertThat(site.servers()).isEmpty();
        assertThat(site("\"version\":1,\"protocolVersion\":\"255.0\"").majorVersion()).isEqualTo(255);
    }

    @Test
    void aKeyIsWrittenInFourWays() throws Malformed {
        assertThat(server("").publicKey()).isEmpty();
        assertThat(server(",\"publicKey\":\"AQID\"").publicKey()).containsExactly(1, 2, 3);
        assertThat(server(",\"publicKey\":{}").publicKey()).isEmpty();
        assertThat(server(",\"publicKey\":{\"format\":\"base64\",\"value\":\"_w\"}").publicKey()).containsExactly(-1);
        byte[] key = new PublicKeyRecord.Rsa(BigInteger.valueOf(3), BigInteger.valueOf(40_001)).write();
        String json = "{\"kty\":\"RSA\",\"n\":\"nEE\",\"e\":\"Aw\"}";
        assertThat(server(",\"publicKey\":{\"format\":\"key\",\"value\":" + json + "}").publicKey()).isEqualTo(key);
    }

    @Test
    void aRefusalNamesTheField() {
        refused(() -> site("\"version\":2"), "version is an integer from 1 to 1");
        refused(() -> site("\"protocolVersion\":\"2\""), "protocolVersion is a version as 2.11 is");
        refused(() -> site("\"protocolVersion\":\"256.1\""), "protocolVersion has parts of at most 255");
        refused(() -> site("\"protocolVersion\":\"2.256\""), "protocolVersion has parts of at most 255");
        refused(() -> site("\"hashOption\":3"), "hashOption is an integer from 0 to 2");
        refused(() -> site("\"serialNumber\":65536"), "serialNumber is an integer from 0 to 65535");
        refused(() -> site("\"primarySite\":1"), "primarySite");
        refused(() -> site("\"servers\":[{\"serverId\":1,\"address\":\"a.host\"}]"), "servers[0].address is an IP address");
        refused(() -> server(",\"interfaces\":[{\"protocol\":\"SCTP\",\"port\":1}]"), "protocol is UDP, TCP, HTTP or HTTPS");
        refused(() -> server(",\"interfaces\":[{\"protocol\":\"udp\",\"port\":65536}]"), "port is an integer from 0 to 65535");
        refused(() -> server(",\"publicKey\":{\"format\":\"pem\",\"value\":\"\"}"), "publicKey.format is key or base64");
        refused(() -> server(",\"publicKey\":\"*\""), "publicKey is base64");
    }

    @Test
    void aMapSaysWhichPrefixHasWhichSites() throws Malformed {
        Map<String, List<SiteRecord>> map = SiteMapJson.read(bytes("[{\"nas\":[\"0.NA/1234\",\"77\"],\"site\":{\"serialNumber\":1}},"
                + "{\"nas\":[\"1234\"],\"site\":{\"serialNumber\":2,\"servers\":[" + SERVER + "]}}]"));
        assertThat(map).containsOnlyKeys("0.NA/1234", "0.NA/77");
        assertThat(map.get("0.NA/1234")).extracting(SiteRecord::serial).containsExactly(1, 2);
        refused(() -> SiteMapJson.read(bytes("[{\"nas\":[\"1234/abc\"],\"site\":{}}]")), "nas[0] is a prefix such as 0.NA/1234");
        refused(() -> SiteMapJson.read(bytes("[{\"nas\":[\"1234\"]}]")), "site is missing");
    }

    private static PublicKeyRecord key(String text) throws Malformed {
        return KeyJson.readPublic(JsonValue.read(bytes(text)).whole());
    }

    @Test
    void aKeyHasIntegersInBase64() throws Malformed {
        PublicKeyRecord brief = new PublicKeyRecord.Rsa(BigInteger.valueOf(300), BigInteger.valueOf(40_001));
        assertThat(key(new String(JsonWriter.bytes(KeyJson.of(brief)), UTF_8))).isEqualTo(brief);
        assertThat(key("{\"kty\":\"RSA\",\"n\":\"nEE\",\"e\":\"ASw\"}")).isEqualTo(brief);
        refused(() -> key("{\"kty\":\"RSA\",\"n\":\"nEE\"}"), "e is missing");
        refused(() -> key("{\"kty\":\"EC\"}"), "kty is RSA or DSA");
        refused(() -> key("{\"kty\":\"RSA\",\"n\":\"AA\",\"e\":\"ASw\"}"), "n has 1 to 16384 bits");
        refused(() -> key("{\"kty\":\"RSA\",\"n\":\"" + "_".repeat(2732) + "\",\"e\":\"ASw\"}"), "n has 1 to 16384 bits");
        refused(() -> key("{\"kty\":\"RSA\",\"n\":\"=\",\"e\":\"ASw\"}"), "n is an integer in base64url");
    }

    @Test
    void anAddressIsInShortForm() throws Malformed {
        for (String each : List.of("::", "::1", "1::", "1:0:2::3", "2001:db8::1:0:0:1", "1:2:3:4:5:6:7:8", "127.0.0.1")) {
            SiteRecord site = site("\"servers\":[" + SERVER.replace("192.0.2.1", each) + "]");
            assertThat(new String(SiteJson.write(site), UTF_8)).contains("\"" + each + "\"");
        }
    }

    @Test
    void timesAreThoseThatValuesHold() throws Malformed {
        String start = "{\"index\":1,\"type\":\"T\",\"data\":\"x\",\"timestamp\":\"";
        assertThat(ValueJson.read(JsonValue.read(bytes(start + "2106-02-07T06:28:15Z\"}")).whole()).changedSeconds())
                .isEqualTo(0xffff_ffffL);
        for (String each : List.of("2106-02-07T06:28:16Z", "1969-12-31T23:59:59Z")) {
            refused(() -> ValueJson.read(JsonValue.read(bytes(start + each + "\"}")).whole()), "timestamp is a time from 1970 to 2106");
        }
        String type = "T".repeat(20_000);
        refused(
                () -> ValueJson.read(JsonValue.read(bytes("{\"index\":1,\"type\":\"" + type + "\",\"data\":\"x\"}")).whole()),
                "type has at most");
    }
}
