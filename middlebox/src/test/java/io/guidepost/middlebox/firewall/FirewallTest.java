package io.guidepost.middlebox.firewall;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.middlebox.BoxWire;
import io.guidepost.middlebox.Packet;
import io.guidepost.packet.Drop;
import io.guidepost.packet.worker.DutyCycle;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FirewallTest {
    private final BoxWire inside = new BoxWire("inside");
    private final BoxWire outside = new BoxWire("outside");

    @AfterEach
    void close() {
        inside.close();
        outside.close();
    }

    private static RuleSet rules(String text) throws Exception {
        return RuleSet.parse("test", text, RuleAction.DENY);
    }

    private DutyCycle way(Firewall firewall, RuleDirection direction) {
        return direction == RuleDirection.OUT
                ? firewall.way(inside.port().rx(0), outside.port().tx(0), direction)
                : firewall.way(outside.port().rx(0), inside.port().tx(0), direction);
    }

    @Test
    void whatIsAllowedPassesAndAllIsCounted() throws Exception {
        Firewall firewall = new Firewall(
                rules("allow out udp to any port 53\nallow in udp from any port 53\n"),
                ClassifierKind.LIST, Firewall.Others.ARP_ALONE, 2);
        DutyCycle out = way(firewall, RuleDirection.OUT);
        DutyCycle in = way(firewall, RuleDirection.IN);
        byte[] question = Packet.udp("10.0.0.1", 4000, "192.0.2.1", 53, "question");
        byte[] arp = Packet.arp(1, 0x02_00_00_00_00_01L, "10.0.0.1", 0, "10.0.0.2");
        byte[] broken = question.clone();
        broken[14] = 0x35;
        inside.send(
                question,
                Packet.udp("10.0.0.1", 4000, "192.0.2.1", 54, "other"),
                arp,
                Packet.ethernet(1, 2, 0x88cc, new byte[50]),
                broken);
        assertThat(out.work(0)).isEqualTo(5);
        assertThat(outside.received()).containsExactly(question, arp);
        byte[] answer = Packet.udp("192.0.2.1", 53, "10.0.0.1", 4000, "answer");
        outside.send(answer, question);
        in.work(0);
        assertThat(inside.received()).containsExactly(answer);
        assertThat(firewall.counts())
                .extracting(each -> each.rule() + " " + each.packets() + " " + each.bytes())
                .containsExactly(
                        "allow out udp to any port 53 1 60",
                        "allow in udp from any port 53 1 60",
                        "default 2 120",
                        "ARP 1 60",
                        "not IP 1 64");
        assertThat(inside.port().rx(0).statistics().drops(Drop.DENIED)).isEqualTo(2);
        assertThat(inside.port().rx(0).statistics().drops(Drop.MALFORMED)).isEqualTo(1);
        assertThat(outside.port().rx(0).statistics().drops(Drop.DENIED)).isEqualTo(1);
    }

    @Test
    void otherRulesTakeTheirPlaceAndCountersOfRulesThatStayGoOn() throws Exception {
        Firewall firewall = new Firewall(
                rules("deny udp to any port 53\nallow udp"), ClassifierKind.TREE, Firewall.Others.ARP_ALONE, 1);
        DutyCycle out = way(firewall, RuleDirection.OUT);
        byte[] question = Packet.udp("10.0.0.1", 4000, "192.0.2.1", 53, "question");
        inside.send(question);
        out.work(0);
        assertThat(outside.received()).isEmpty();
        firewall.publish(rules("allow  udp   # all\ndeny udp to any port 53"));
        inside.send(question);
        out.work(0);
        assertThat(outside.received()).containsExactly(question);
        assertThat(firewall.counts().get(0).packets()).isEqualTo(1);
        assertThat(firewall.counts().get(1).packets()).isEqualTo(1);
    }

    @Test
    void whatHasNoRoomIsCounted() throws Exception {
        Firewall firewall = new Firewall(rules("allow udp"), ClassifierKind.LIST, Firewall.Others.ARP_ALONE, 1);
        DutyCycle out = way(firewall, RuleDirection.OUT);
        byte[] question = Packet.udp("10.0.0.1", 4000, "192.0.2.1", 53, "question");
        int sent = 3000;
        for (int i = 0; i < sent; i++) {
            inside.send(question);
            if (i % 64 == 0) {
                out.work(0);
            }
        }
        while (inside.port().rx(0).statistics().packets() < sent) {
            out.work(0);
        }
        long lost = outside.port().tx(0).statistics().drops(Drop.NO_ROOM);
        assertThat(lost).isPositive();
        int arrived = outside.received().size();
        out.work(0);
        assertThat(arrived + outside.received().size() + lost).isEqualTo(sent);
    }

    @Test
    void aQuarterOfAMillionPacketsAllocateNothing() throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            text.append("deny tcp to 10.1.").append(i).append(".0/24 port 80\n");
        }
        for (ClassifierKind each : ClassifierKind.values()) {
            Firewall firewall = new Firewall(rules(text + "allow udp"), each, Firewall.Others.ARP_ALONE, 1);
            DutyCycle out = way(firewall, RuleDirection.OUT);
            int quiet = 0;
            for (int round = 0; round < 200 && quiet < 10; round++) {
                quiet = allocated(out, 20_000) == 0 ? quiet + 1 : 0;
            }
            assertThat(allocated(out, 250_000)).as(each + ": bytes").isLessThan(16 * 1024);
        }
    }

    private long allocated(DutyCycle out, int number) {
        byte[] question = Packet.udp("10.0.0.1", 4000, "192.0.2.1", 53, "question");
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        var sending = inside.link().left().tx(0);
        var burst = sending.burst();
        var receiving = outside.link().left().rx(0);
        var arriving = receiving.burst();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int done = 0; done < number; ) {
            while (burst.hasRoom()) {
                Packet.append(burst, question);
            }
            sending.send(burst);
            out.work(0);
            done += receiving.receive(arriving);
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
