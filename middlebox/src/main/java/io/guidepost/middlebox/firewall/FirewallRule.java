package io.guidepost.middlebox.firewall;

import io.guidepost.base.Prefix;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rule of the firewall. The first matching rule of the file decides; the default decides about packets without one.
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
 * <p>{@code in} is from the outside port to the inside port, {@code out} the other way; the default is both. Ports are
 * those of TCP and UDP, so a rule with ports matches nothing else. {@code established} is a TCP segment with ACK or
 * RST, which a connection's first segment lacks: the firewall is stateless and trusts the sender.
 *
 * <p>Fragments: the first one has the ports and is matched as any packet. Later ones have none, so rules with ports or
 * {@code established} do not match them; {@code fragment} matches later ones alone. Denying the first suffices, as
 * reassembly then fails. Rules that allow by port need an {@code allow fragment} too.
 *
 * @param line in the file, from 1
 * @param text as written, without comment
 * @param action verdict on matching packets
 * @param direction null = both
 * @param protocol number of IANA, -1 = any
 * @param from source prefixes, none = any
 * @param fromPorts source ports, none = any
 * @param to destination prefixes, none = any
 * @param toPorts destination ports, none = any
 * @param established whether to match only TCP segments with ACK or RST
 * @param fragment whether to match only later fragments
 * @param log whether to log matching packets, at a bounded rate
 */
record FirewallRule(
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

    /** Returns whether it applies to a direction. */
    boolean isFor(RuleDirection way) {
        return direction == null || direction == way;
    }

    /** Returns the number of boxes with its lists expanded. */
    long boxes() {
        return Math.max(1L, from.size())
                * Math.max(1, fromPorts.size())
                * Math.max(1, to.size())
                * Math.max(1, toPorts.size());
    }
}
