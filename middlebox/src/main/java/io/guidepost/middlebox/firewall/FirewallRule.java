package io.guidepost.middlebox.firewall;

import io.guidepost.base.Prefix;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rule of the firewall. The first rule of the file that fits a packet decides; a packet that none fits is decided by
 * the default.
 *
 * <pre>
 *  rule      = ("allow" | "deny") ["in" | "out"] [protocol] { condition }
 *  protocol  = "any" | "tcp" | "udp" | "icmp" | "icmpv6" | "sctp" | "gre" | "esp" | "ah" | 0 ... 255
 *  condition = "from" side | "to" side | "established" | "fragment" | "log"
 *  side      = "any" | prefix {"," prefix}, and perhaps behind it "port" range {"," range}
 *  prefix    = 10.0.0.0/8 | 10.1.2.3 | 2001:db8::/32 | 2001:db8::1
 *  range     = 53 | 1024-65535
 * </pre>
 *
 * <p>{@code in} is from the outside port to the inside port, {@code out} the other way; without either both. Ports are
 * those of TCP and UDP, so that a rule with ports fits nothing else. {@code established} is a TCP segment with ACK or RST,
 * which a connection's first segment does not have: the firewall keeps no state and takes the sender's word.
 *
 * <p>Fragments: the first one of a packet has its ports and is matched as any packet. A later one has none, so rules with
 * ports or {@code established} do not fit it; {@code fragment} fits later ones alone. To deny the first suffices, as the
 * others are nothing without it. Rules that allow by port need an {@code allow fragment} too if such packets shall pass.
 *
 * @param line in its file, from 1
 * @param text as it was written, without comment
 * @param action what becomes of packets that it fits
 * @param direction the only one that it is for, null = both
 * @param protocol number of IANA, -1 = any
 * @param from source prefixes, none = any
 * @param fromPorts source ports, none = any
 * @param to destination prefixes, none = any
 * @param toPorts destination ports, none = any
 * @param established whether only TCP segments with ACK or RST fit
 * @param fragment whether only later fragments fit
 * @param log whether packets that it fits are written to the log, some in each second
 */
public record FirewallRule(
        int line,
        String text,
        RuleAction action,
        @Nullable RuleDirection direction,
        int protocol,
        List<Prefix> from,
        List<PortRange> fromPorts,
        List<Prefix> to,
        List<PortRange> toPorts,
        boolean established,
        boolean fragment,
        boolean log) {
    /** Copies the lists. */
    public FirewallRule {
        from = List.copyOf(from);
        fromPorts = List.copyOf(fromPorts);
        to = List.copyOf(to);
        toPorts = List.copyOf(toPorts);
    }

    /** Returns whether it is for packets of a direction. */
    boolean isFor(RuleDirection way) {
        return direction == null || direction == way;
    }

    /** Returns how many boxes it is once its lists are written out. */
    long boxes() {
        return Math.max(1L, from.size())
                * Math.max(1, fromPorts.size())
                * Math.max(1, to.size())
                * Math.max(1, toPorts.size());
    }
}
