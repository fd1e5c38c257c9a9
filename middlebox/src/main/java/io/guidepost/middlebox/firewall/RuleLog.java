package io.guidepost.middlebox.firewall;

import io.guidepost.base.AddressText;
import io.guidepost.packet.Burst;
import io.guidepost.packet.frame.HeaderParser;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** The rate-limited log of rules with {@code log}; it also logs the number of suppressed lines. One thread's. */
final class RuleLog {
    private static final Logger LOG = System.getLogger(Firewall.class.getName());
    private static final long SECOND_MILLIS = 1000;

    private final RuleDirection direction;
    private final HeaderParser headers = new HeaderParser();
    private long secondBeganMillis = Long.MIN_VALUE;
    private int written;
    private long leftOut;

    RuleLog(RuleDirection direction) {
        this.direction = direction;
    }

    void write(FirewallRule rule, Burst burst, int index, long nowMillis) {
        if (nowMillis >= secondBeganMillis + SECOND_MILLIS || nowMillis < secondBeganMillis) {
            if (leftOut > 0) {
                LOG.log(Level.INFO, "firewall: {0} more packets of rules with log were not written", leftOut);
            }
            secondBeganMillis = nowMillis;
            written = 0;
            leftOut = 0;
        }
        if (written == FirewallLimits.LOG_LINES_PER_SECOND) {
            leftOut++;
            return;
        }
        written++;
        headers.read(burst, index);
        LOG.log(
                Level.INFO,
                "firewall: {0} {1}: {2} (line {3})",
                direction == RuleDirection.IN ? "in" : "out",
                text(),
                rule.text(),
                Integer.toString(rule.line()));
    }

    private String text() {
        String protocol = switch (headers.protocol()) {
            case HeaderParser.TCP -> "tcp";
            case HeaderParser.UDP -> "udp";
            case HeaderParser.ICMP -> "icmp";
            case HeaderParser.ICMPV6 -> "icmpv6";
            default -> "protocol " + headers.protocol();
        };
        return protocol + " from " + end(headers.sourceHigh(), headers.sourceLow(), headers.sourcePort()) + " to "
                + end(headers.destinationHigh(), headers.destinationLow(), headers.destinationPort());
    }

    private static String end(long high, long low, int port) {
        String address = AddressText.of(high, low);
        return port == 0 ? address : address + " port " + port;
    }
}
