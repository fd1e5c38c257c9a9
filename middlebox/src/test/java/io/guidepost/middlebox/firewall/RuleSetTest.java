package io.guidepost.middlebox.firewall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.guidepost.base.FaultyFile;
import io.guidepost.base.Prefix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleSetTest {
    @Test
    void aRuleHasAllThatCanBeWritten() throws Exception {
        RuleSet set = RuleSet.parse("f", """
                # the office
                DENY in tcp from 10.0.0.0/8,192.0.2.7 port 1024-65535 to any port 80,443 log   # no web

                allow from 2001:db8::/32
                allow established
                deny 47 out
                """.replace("deny 47 out\n", "deny out 47\n"), RuleAction.DENY);
        assertThat(set.rules()).hasSize(4);
        FirewallRule first = set.rules().getFirst();
        assertThat(first.line()).isEqualTo(2);
        assertThat(first.action()).isEqualTo(RuleAction.DENY);
        assertThat(first.direction()).isEqualTo(RuleDirection.IN);
        assertThat(first.protocol()).isEqualTo(6);
        assertThat(first.from()).containsExactly(Prefix.parse("10.0.0.0/8"), Prefix.parse("192.0.2.7/32"));
        assertThat(first.fromPorts()).containsExactly(new PortRange(1024, 65535));
        assertThat(first.to()).isEmpty();
        assertThat(first.toPorts()).containsExactly(new PortRange(80, 80), new PortRange(443, 443));
        assertThat(first.log()).isTrue();
        assertThat(first.boxes()).isEqualTo(4);
        assertThat(set.rules().get(1).from()).containsExactly(Prefix.parse("2001:db8::/32"));
        assertThat(set.rules().get(2).protocol()).isEqualTo(6);
        assertThat(set.rules().get(3).protocol()).isEqualTo(47);
        assertThat(set.rules().get(3).direction()).isEqualTo(RuleDirection.OUT);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            permit tcp                                      | 1  | begins with allow or deny
            allow tpc                                       | 7  | is no protocol
            allow 256                                       | 7  | is no protocol
            deny tcp from 10.0.0.0/33                       | 15 | is no prefix
            deny tcp from 10.0.0.1/8                        | 15 | write 10.0.0.0/8
            deny tcp from 10.0.0.0/8, 10.1.0.0/16           | 26 | without blanks
            deny tcp from                                   | 14 | nothing stands behind from
            deny tcp from to any                            | 15 | nothing stands behind from
            deny tcp to any port 80,65536                   | 25 | is no port
            deny tcp to any port 90-80                      | 22 | is no port
            deny tcp to any port                            | 21 | nothing stands behind port
            deny tcp port 80                                | 10 | behind from or to
            deny icmp to any port 80                        | 6  | only TCP and UDP have ports
            allow udp established                           | 7  | only TCP
            deny fragment to any port 80                    | 1  | later fragments
            deny from 10.0.0.0/8 to 2001:db8::/32           | 22 | IPv4 and an IPv6
            deny from any from any                          | 15 | second time
            deny log log                                    | 10 | second time
            deny tcp nonsense                               | 10 | is not expected here
            """)
    void whatIsWrongIsToldWithItsPlace(String line, int column, String told) {
        FaultyFile fault = catchThrowableOfType(
                FaultyFile.class, () -> RuleSet.parse("rules.txt", "allow tcp\n" + line, RuleAction.DENY));
        assertThat(fault).as(line).isNotNull();
        assertThat(fault.faults()).anySatisfy(each ->
                assertThat(each).startsWith("rules.txt:2:" + column + ": ").contains(told));
    }

    @Test
    void allFaultsAreTold() {
        FaultyFile fault = catchThrowableOfType(
                FaultyFile.class,
                () -> RuleSet.parse("f", "allow\nfoo\nallow tcp from x port y to z\nallow udp\nbar\n", RuleAction.DENY));
        assertThat(fault.faults()).extracting(each -> each.substring(0, each.indexOf(": ")))
                .containsExactly("f:2:1", "f:3:16", "f:3:23", "f:3:28", "f:5:1");
    }

    @Test
    void moreThanCanBeHeldIsRefused() {
        String ports = "1,2,3,4,5,6,7,8,9,10";
        String line = "allow udp from 10.0.0.1,10.0.0.2 port " + ports + " to any port " + ports + "\n";
        FaultyFile fault = catchThrowableOfType(
                FaultyFile.class, () -> RuleSet.parse("f", line.repeat(2501), RuleAction.DENY));
        assertThat(fault.faults().getFirst()).contains("500200");
    }
}
