package io.guidepost.handle.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Values and the records in them: golden bytes, round trips, and what is refused. */
class ValueRecordsTest {
    private static final String VALUE = "000000016553f10000000151800e0000000355524c0000000b687474703a2f2f652e782f00000000";
    private static final String ADMIN = "0fff0000000a313233342f41444d494e0000012c";
    private static final String GROUP = "000000020000000a313233342f41444d494e0000012c0000000a313233342f41444d494e0000012d";

    /** A site of a running server, its key shortened. */
    private static final String SITE = "0001020b00018002000000000000000100000004646573630000000a62656e6368207065657200000001"
            + "00000001" + "0000000000000000000000007f000001" + "00000003010203"
            + "000000030301" + "00000a51" + "0200" + "00000a51" + "0302" + "00001f40";

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static String hex(WireRecord record) {
        return HexFormat.of().formatHex(record.write());
    }

    @Test
    void aValueIsReadAndWritten() throws Malformed {
        HandleValue value = HandleValue.read(bytes(VALUE));
        assertThat(value).isEqualTo(HandleValue.of(1, "URL", "http://e.x/").changedAt(1_700_000_000L));
        assertThat(hex(value)).isEqualTo(VALUE);
        assertThat(value.is(ValueType.URL)).isTrue();
        assertThat(value.toString()).isEqualTo("1 URL 1110 (11 bytes)");
    }

    @Test
    void aValueThatIsNoneIsRefused() {
        assertThatThrownBy(() -> HandleValue.read(bytes(VALUE.replace("6553f10000", "6553f10002"))))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("kind of a TTL")
                .hasMessageContaining("offset 8");
        assertThatThrownBy(() -> HandleValue.read(bytes(VALUE.replace("55524c", "5552ff"))))
                .hasMessageContaining("UTF-8");
        assertThatThrownBy(() -> HandleValue.read(bytes(VALUE + "00"))).hasMessageContaining("follow");
        for (int length = 0; length < bytes(VALUE).length; length++) {
            byte[] cut = java.util.Arrays.copyOf(bytes(VALUE), length);
            assertThatThrownBy(() -> HandleValue.read(cut)).isInstanceOf(Malformed.class);
        }
    }

    @Test
    void anAdministratorIsReadAndWritten() throws Malformed {
        AdminRecord admin = AdminRecord.read(bytes(ADMIN));
        assertThat(admin).isEqualTo(new AdminRecord(0xfff, new ValueReference(Handle.of("1234/ADMIN"), 300)));
        assertThat(hex(admin)).isEqualTo(ADMIN);
        assertThat(AdminRecord.read(bytes(ADMIN + "0000"))).isEqualTo(admin);
        for (String tail : List.of("00", "0001", "000000")) {
            assertThatThrownBy(() -> AdminRecord.read(bytes(ADMIN + tail))).as(tail).isInstanceOf(Malformed.class);
        }
    }

    @Test
    void rightsHaveTwoOrdersOfDigits() throws Malformed {
        assertThat(AdminRight.digits(0xfff)).isEqualTo("111111111111");
        assertThat(AdminRight.digits(0x7f3)).isEqualTo("011111110011");
        assertThat(AdminRight.parse("011111110011")).isEqualTo(0x7f3);
        // Create, modify, add, remove admin: what a writer that sets every second right by name makes of it.
        assertThat(AdminRight.batchDigits(0x555)).isEqualTo("101010110100");
        assertThat(AdminRight.of(0x003)).containsExactly(AdminRight.DELETE_HANDLE, AdminRight.CREATE_HANDLE);
        for (int bits = 0; bits <= AdminRight.ALL; bits++) {
            assertThat(AdminRight.parse(AdminRight.digits(bits))).isEqualTo(bits);
            assertThat(AdminRight.parseBatch(AdminRight.batchDigits(bits))).isEqualTo(bits);
        }
        for (String each : List.of("", "11111111111", "1111111111111", "11111111111x")) {
            assertThatThrownBy(() -> AdminRight.parse(each)).isInstanceOf(Malformed.class);
            assertThatThrownBy(() -> AdminRight.parseBatch(each)).isInstanceOf(Malformed.class);
        }
    }

    @Test
    void aGroupIsReadAndWritten() throws Malformed {
        IdentityList group = IdentityList.read(bytes(GROUP));
        assertThat(group.members())
                .containsExactly(
                        new ValueReference(Handle.of("1234/ADMIN"), 300), new ValueReference(Handle.of("1234/ADMIN"), 301));
        assertThat(hex(group)).isEqualTo(GROUP);
        assertThatThrownBy(() -> IdentityList.read(bytes("7fffffff"))).hasMessageContaining("cannot hold");
    }

    @Test
    void aSiteIsReadAndWritten() throws Malformed {
        SiteRecord site = SiteRecord.read(bytes(SITE));
        assertThat(hex(site)).isEqualTo(SITE);
        assertThat(site.primary()).isTrue();
        assertThat(site.multiPrimary()).isFalse();
        assertThat(site.hash()).isEqualTo(SiteRecord.Hash.HANDLE);
        assertThat(site.attributes()).containsExactly(new SiteRecord.Attribute("desc", "bench peer"));
        SiteServer server = site.servers().getFirst();
        assertThat(server.inetAddress()).isEqualTo(InetAddress.ofLiteral("127.0.0.1"));
        assertThat(server.address()).isEqualTo(SiteServer.address(InetAddress.ofLiteral("127.0.0.1")));
        assertThat(server.interfaces())
                .containsExactly(
                        new SiteInterface(true, true, SiteInterface.Transport.TCP, 2641),
                        new SiteInterface(false, true, SiteInterface.Transport.UDP, 2641),
                        new SiteInterface(true, true, SiteInterface.Transport.HTTP, 8000));
        assertThat(site.toString()).isEqualTo("site 2.11 serial 1, 1 servers bench peer");
    }

    @Test
    void aSiteThatIsNoneIsRefused() {
        for (String wrong : List.of(
                SITE.replace("0001020b", "0002020b"),
                SITE.replace("00018002", "00018003"),
                SITE.replace("000000030301", "000000030401"),
                SITE.replace("000000030301", "000000030304"),
                SITE.replace("00001f40", "00010000"),
                SITE.replace("00001f40", "ffffffff"),
                SITE + "00")) {
            assertThatThrownBy(() -> SiteRecord.read(bytes(wrong))).as(wrong).isInstanceOf(Malformed.class);
        }
    }

    @Test
    void addressesOfSixIsAreKept() {
        for (String each : List.of("2001:db8::1", "::1", "::", "::ff", "1::1", "192.0.2.1", "0.0.1.0", "1.0.0.1")) {
            InetAddress address = InetAddress.ofLiteral(each);
            assertThat(new SiteServer(1, SiteServer.address(address), new byte[0], List.of()).inetAddress())
                    .as(each)
                    .isEqualTo(address);
        }
    }

    /** What the client library of the Handle system chooses for these handles among 2, 3, 5 and 7 servers. */
    @Test
    void theServerOfAHandleIsTheOneThatClientsChoose() throws Malformed {
        String[] handles = {"a/b", "1234/1", "10.1000/AbC", "0.NA/10.1000", "0.na/1234", "xyz"};
        String[][] chosen = {
            {"1 1 1 1 1 1", "1 1 0 1 1 0", "1 1 1 1 1 0"},
            {"2 2 1 2 2 2", "0 2 1 1 2 0", "0 2 1 1 2 0"},
            {"4 4 0 4 4 4", "1 0 3 0 4 3", "2 1 4 1 0 3"},
            {"1 5 0 4 4 4", "3 6 3 0 5 2", "3 3 4 4 2 2"}
        };
        int[] servers = {2, 3, 5, 7};
        for (int n = 0; n < servers.length; n++) {
            for (SiteRecord.Hash hash : SiteRecord.Hash.values()) {
                SiteRecord site = ofServers(servers[n], hash);
                StringBuilder found = new StringBuilder();
                for (String each : handles) {
                    found.append(found.isEmpty() ? "" : " ").append(site.serverOf(Handle.of(each)));
                }
                assertThat(found.toString()).as(servers[n] + " " + hash).isEqualTo(chosen[n][hash.code()]);
            }
        }
        SiteRecord none = ofServers(0, SiteRecord.Hash.HANDLE);
        assertThatThrownBy(() -> none.serverOf(Handle.of("a/b"))).isInstanceOf(IllegalStateException.class);
    }

    private static SiteRecord ofServers(int number, SiteRecord.Hash hash) {
        SiteServer server = new SiteServer(1, new byte[16], new byte[0], List.of());
        return new SiteRecord(
                2, 11, 1, true, false, hash, new byte[0], List.of(), java.util.Collections.nCopies(number, server));
    }

    @Test
    void typesAreFoundInAnyCase() {
        assertThat(ValueType.of("url")).contains(ValueType.URL);
        assertThat(ValueType.of("hs_site.prefix")).contains(ValueType.HS_SITE_PREFIX);
        assertThat(ValueType.of("NOSUCH")).isEmpty();
        for (ValueType each : ValueType.values()) {
            assertThat(ValueType.of(each.typeName())).contains(each);
        }
    }

    @Test
    void aTypeWithADotAsksForItsFamily() {
        assertThat(ValueType.matches("HS_SITE.", "HS_SITE")).isTrue();
        assertThat(ValueType.matches("hs_site.", "HS_SITE.PREFIX")).isTrue();
        assertThat(ValueType.matches("HS_SITE.", "HS_SITES")).isFalse();
        assertThat(ValueType.matches("HS_SITE", "HS_SITE.PREFIX")).isFalse();
        assertThat(ValueType.matches("url", "URL")).isTrue();
        assertThat(ValueType.matches("URL", "URLS")).isFalse();
    }

    @Test
    void dataIsCheckedByItsType() throws Malformed {
        ValueType.HS_ADMIN.check(bytes(ADMIN));
        ValueType.HS_VLIST.check(bytes(GROUP));
        ValueType.HS_SITE.check(bytes(SITE));
        ValueType.HS_ALIAS.check("1234/2".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        ValueType.HS_SECKEY.check(new byte[] {-1});
        ValueType.URL.check(new byte[0]);
        for (ValueType each : ValueType.values()) {
            if (each != ValueType.HS_SECKEY) {
                assertThatThrownBy(() -> each.check(new byte[] {-1})).as(each.typeName()).isInstanceOf(Malformed.class);
            }
        }
        assertThatThrownBy(() -> ValueType.HS_ALIAS.check(new byte[0])).isInstanceOf(Malformed.class);
        byte[] longest = "x".repeat(HandleLimits.HANDLE_BYTES_MAX).getBytes(java.nio.charset.StandardCharsets.UTF_8);
        ValueType.HS_ALIAS.check(longest);
        assertThatThrownBy(() -> ValueType.HS_ALIAS.check(Arrays.copyOf(longest, longest.length + 1)))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("a handle is UTF-8 of 1 to");
    }

    @Test
    void permissionsHaveFourDigits() throws Malformed {
        assertThat(Permissions.USUAL.toString()).isEqualTo("1110");
        assertThat(Permissions.SECRET.toString()).isEqualTo("1100");
        assertThat(Permissions.parse("0110")).isEqualTo(new Permissions(6));
        Permissions one = new Permissions(0xf5);
        assertThat(new boolean[] {one.adminRead(), one.adminWrite(), one.publicRead(), one.publicWrite()})
                .containsExactly(false, true, false, true);
        assertThatThrownBy(() -> Permissions.parse("111")).isInstanceOf(Malformed.class);
        assertThatThrownBy(() -> new Permissions(256)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsWrittenIsReadAgain() throws Malformed {
        SplittableRandom random = new SplittableRandom(51);
        for (int i = 0; i < 2000; i++) {
            HandleValue value = RandomValues.value(random);
            assertThat(HandleValue.read(value.write())).isEqualTo(value);
            SiteRecord site = RandomValues.site(random);
            SiteRecord again = SiteRecord.read(site.write());
            assertThat(again).isEqualTo(site).hasSameHashCodeAs(site);
            assertThat(again.servers()).isEqualTo(site.servers());
            assertThat(again.attributes()).isEqualTo(site.attributes());
            IdentityList group = new IdentityList(RandomValues.list(random, 5, RandomValues::reference));
            assertThat(IdentityList.read(group.write())).isEqualTo(group);
        }
    }

    @Test
    void aListIsComparedWithWhatIsLeftBeforeItIsMade() {
        WireReader in = new WireReader(bytes("000008000000000000000000"));
        assertThatThrownBy(() -> HandleValue.readList(in))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("2048 elements")
                .hasMessageContaining("offset 0");
        byte[] many = new byte[4 + 4 * 2049];
        System.arraycopy(new WireWriter().u32(2049).toBytes(), 0, many, 0, 4);
        assertThatThrownBy(() -> new WireReader(many).integers(2048)).hasMessageContaining("at most 2048");
    }
}
