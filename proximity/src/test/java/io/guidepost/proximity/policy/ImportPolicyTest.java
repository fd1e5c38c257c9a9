package io.guidepost.proximity.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.FaultyFile;
import io.guidepost.base.Prefix;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which routes are imported. */
class ImportPolicyTest {
    @ParameterizedTest
    @CsvSource({
        "0.0.0.0/0, DEFAULT_ROUTE", "::/0, DEFAULT_ROUTE", "127.0.0.0/8, MARTIAN", "127.1.2.3/32, MARTIAN", "0.1.0.0/16, MARTIAN",
        "169.254.0.0/16, MARTIAN", "224.0.0.0/4, MARTIAN", "255.255.255.255/32, MARTIAN", "128.0.0.0/1, MARTIAN", "96.0.0.0/7, MARTIAN",
        "::1/128, MARTIAN", "fe80::/64, MARTIAN", "ff02::/16, MARTIAN", "2000::/3, MARTIAN", "10.20.0.0/16, OWN_PREFIX",
        "10.20.128.0/17, OWN_PREFIX", "10.20.0.1/32, OWN_PREFIX", "2001:db8:1::/48, OWN_PREFIX", "10.0.0.0/8,", "10.21.0.0/16,",
        "2001:db8::/32,", "8.8.8.0/24,", "126.0.0.0/8,", "128.0.0.0/8,", "223.255.255.0/24,"})
    void whatNoPeerMayTell(String prefix, ImportRefusal refusal) throws Exception {
        PrefixList own = PrefixList.within(List.of(Prefix.parse("10.20.0.0/16"), Prefix.parse("2001:db8:1::/48")));
        assertThat(ImportPolicy.DEFAULT.refusal(Prefix.parse(prefix), true, own)).isEqualTo(refusal);
        assertThat(ImportPolicy.DEFAULT.refusal(Prefix.parse(prefix), false, own)).as("inside").isNull();
    }

    @Test
    void aListDecidesOnTheDefaultRouteAndNotOnMartians() throws Exception {
        ImportPolicy all = new ImportPolicy(Optional.of(PrefixList.of("0.0.0.0/0 le 32")), 0);
        assertThat(all.refusal(Prefix.parse("0.0.0.0/0"), true, PrefixList.NONE)).isNull();
        assertThat(all.refusal(Prefix.parse("127.0.0.0/8"), true, PrefixList.NONE)).isEqualTo(ImportRefusal.MARTIAN);
        assertThat(all.refusal(Prefix.parse("2001:db8::/32"), false, PrefixList.NONE)).isEqualTo(ImportRefusal.PREFIX_LIST);
    }

    /** Against a plain reading of the rules, one by one. */
    @Test
    void theFirstRuleThatMatchesDecides() throws Exception {
        SplittableRandom random = new SplittableRandom(8210);
        for (int run = 0; run < 200; run++) {
            StringBuilder text = new StringBuilder();
            List<long[]> rules = new ArrayList<>();
            for (int i = random.nextInt(8); i >= 0; i--) {
                int length = random.nextInt(5);
                int base = random.nextInt(1 << 4) << 28 & (length == 0 ? 0 : -1 << 32 - length);
                int least = random.nextInt(length, 6);
                int most = random.nextInt(least, 7);
                boolean permit = random.nextBoolean();
                text.append(permit ? "permit " : "deny ").append(Prefix.ofIpv4(base, length));
                text.append(" ge ").append(least).append(" le ").append(most).append('\n');
                rules.add(new long[] {base, length, least, most, permit ? 1 : 0});
            }
            PrefixList list = PrefixList.of(text.toString());
            for (int length = 0; length < 8; length++) {
                for (int high = 0; high < 1 << length; high++) {
                    int base = length == 0 ? 0 : high << 32 - length;
                    boolean expected = false;
                    for (long[] each : rules) {
                        boolean inside = each[1] == 0 || (base ^ (int) each[0]) >>> 32 - each[1] == 0;
                        if (inside && length >= each[1] && length >= each[2] && length <= each[3]) {
                            expected = each[4] == 1;
                            break;
                        }
                    }
                    Prefix prefix = Prefix.ofIpv4(base, length);
                    assertThat(list.permits(prefix)).as("%s of%n%s", prefix, text).isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void aWrongLineIsNamed(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("list"), "192.0.2.0/24\npermit\n10.0.0.0/33\n10.0.0.0/8 le\n10.0.0.0/8 lt 9\n");
        assertThatThrownBy(() -> PrefixList.read(file))
                .isInstanceOf(FaultyFile.class)
                .hasMessageContaining("list:2: the prefix is missing: write [permit|deny] PREFIX")
                .hasMessageContaining("list:3: ")
                .hasMessageContaining("list:4: ")
                .hasMessageContaining("list:5: 'lt' is neither ge nor le");
    }
}
