package io.guidepost.middlebox.firewall;

import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Parses one line of a rule file, and collects its faults. */
final class RuleParser {
    private static final Map<String, Integer> PROTOCOLS = Map.of(
            "any", -1, "tcp", 6, "udp", 17, "icmp", 1, "icmpv6", 58, "sctp", 132, "gre", 47, "esp", 50, "ah", 51);
    private static final int TCP = 6;
    private static final int UDP = 17;

    private final int number;
    private final String text;
    private final List<Fault> faults = new ArrayList<>();
    private int next;
    private int column;
    private String word = "";

    private @Nullable Side from;
    private @Nullable Side to;
    private boolean established;
    private boolean fragment;
    private boolean log;

    /** A fault and its column, from 1. */
    record Fault(int column, String text) {}

    /** What follows from or to. */
    private record Side(int column, List<Prefix> prefixes, List<PortRange> ports) {}

    RuleParser(int number, String line) {
        this.number = number;
        int comment = line.indexOf('#');
        this.text = comment < 0 ? line : line.substring(0, comment);
    }

    List<Fault> faults() {
        return faults;
    }

    /** Returns the rule; empty if the line has none or is faulty. */
    Optional<FirewallRule> read() {
        if (!nextWord()) {
            return Optional.empty();
        }
        RuleAction action = RuleAction.ALLOW;
        switch (word) {
            case "allow" -> action = RuleAction.ALLOW;
            case "deny" -> action = RuleAction.DENY;
            default -> fault("\"" + word + "\" is no action; a rule begins with allow or deny");
        }
        nextWord();
        RuleDirection direction = direction();
        int protocolColumn = column;
        int protocol = protocol();
        while (!word.isEmpty()) {
            condition();
        }
        check(protocol, protocolColumn);
        if (!faults.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new FirewallRule(
                number,
                text.strip().replaceAll("\\s+", " "),
                action,
                direction,
                established ? TCP : protocol,
                from == null ? List.of() : from.prefixes(),
                from == null ? List.of() : from.ports(),
                to == null ? List.of() : to.prefixes(),
                to == null ? List.of() : to.ports(),
                established,
                fragment,
                log));
    }

    private @Nullable RuleDirection direction() {
        RuleDirection found = word.equals("in") ? RuleDirection.IN : word.equals("out") ? RuleDirection.OUT : null;
        if (found != null) {
            nextWord();
        }
        return found;
    }

    private int protocol() {
        Integer known = PROTOCOLS.get(word);
        if (known != null) {
            nextWord();
            return known;
        }
        if (word.isEmpty() || isCondition(word)) {
            return -1;
        }
        int value = decimal(word, 255);
        if (value < 0) {
            fault("\"" + word + "\" is no protocol; write one of " + String.join(", ", PROTOCOLS.keySet().stream()
                    .sorted().toList()) + ", or a number from 0 to 255");
        }
        nextWord();
        return value;
    }

    private static boolean isCondition(String text) {
        return switch (text) {
            case "from", "to", "established", "fragment", "log", "port" -> true;
            default -> false;
        };
    }

    private void condition() {
        switch (word) {
            case "from" -> from = side(from);
            case "to" -> to = side(to);
            case "established" -> established = once(established);
            case "fragment" -> fragment = once(fragment);
            case "log" -> log = once(log);
            case "port" -> {
                fault("port stands behind from or to: write from any port 53, or to any port 53");
                nextWord();
                nextWord();
            }
            default -> {
                fault("\"" + word + "\" is not expected here; write from, to, established, fragment or log");
                nextWord();
            }
        }
    }

    private boolean once(boolean before) {
        if (before) {
            fault(word + " stands here for the second time");
        }
        nextWord();
        return true;
    }

    private Side side(@Nullable Side before) {
        int start = column;
        String name = word;
        if (before != null) {
            fault(name + " stands here for the second time; write several prefixes with commas: 10.0.0.0/8,192.0.2.1");
        }
        List<Prefix> prefixes = new ArrayList<>();
        List<PortRange> ports = new ArrayList<>();
        if (!nextWord() || isCondition(word) && !word.equals("port")) {
            fault("nothing stands behind " + name + "; write any, an address, or a prefix such as 10.0.0.0/8");
            return new Side(start, prefixes, ports);
        }
        if (word.equals("any")) {
            nextWord();
        } else if (!word.equals("port")) {
            parts(part -> prefixes.add(prefix(part)));
        }
        if (word.equals("port")) {
            if (nextWord()) {
                parts(part -> ports.add(range(part)));
            } else {
                fault("nothing stands behind port; write numbers such as 80,443 or 1024-65535");
            }
        }
        return new Side(start, prefixes, ports);
    }

    private interface Part {
        void read(String text) throws Malformed;
    }

    /** Parses the comma-separated parts of a word. */
    private void parts(Part reader) {
        int start = column;
        for (String part : word.split(",", -1)) {
            try {
                reader.read(part);
            } catch (Malformed e) {
                faults.add(new Fault(column, e.reason()));
            }
            column += part.length() + 1;
        }
        column = start;
        nextWord();
    }

    private static Prefix prefix(String part) throws Malformed {
        if (part.isEmpty()) {
            throw new Malformed("nothing stands before or behind the comma; write 10.0.0.0/8,192.0.2.1 without blanks", 0);
        }
        int slash = part.indexOf('/');
        String whole = slash >= 0 ? part : part + (part.contains(":") ? "/128" : "/32");
        Prefix read;
        try {
            read = Prefix.parse(whole);
        } catch (Malformed e) {
            throw new Malformed("\"" + part + "\" is no prefix; write an address, address/length, or any: 192.0.2.1,"
                    + " 10.0.0.0/8, 2001:db8::/32", 0);
        }
        if (slash >= 0 && !Prefix.parse(part.substring(0, slash) + (read.isIpv4() ? "/32" : "/128"))
                .equals(new Prefix(read.high(), read.low(), 128))) {
            throw new Malformed("\"" + part + "\" has bits behind its length; write " + read
                    + ", or the address without a length", 0);
        }
        return read;
    }

    private static PortRange range(String part) throws Malformed {
        int dash = part.indexOf('-');
        int first = decimal(dash < 0 ? part : part.substring(0, dash), PortRange.MAX);
        int last = dash < 0 ? first : decimal(part.substring(dash + 1), PortRange.MAX);
        if (first < 0 || last < first) {
            throw new Malformed("\"" + part + "\" is no port; write numbers from 0 to 65535, such as 80,443 or"
                    + " 1024-65535", 0);
        }
        return new PortRange(first, last);
    }

    private void check(int protocol, int at) {
        boolean ports = from != null && !from.ports().isEmpty() || to != null && !to.ports().isEmpty();
        if (ports && protocol != -1 && protocol != TCP && protocol != UDP) {
            faults.add(new Fault(at, "only TCP and UDP have ports; write tcp, udp, or leave the ports out"));
        }
        if (established && protocol != -1 && protocol != TCP) {
            faults.add(new Fault(at, "only TCP has established connections; write tcp, or leave established out"));
        }
        if (fragment && (ports || established)) {
            faults.add(new Fault(1, "later fragments have no ports and no flags, so that this fits nothing; leave port and"
                    + " established out, or fragment"));
        }
        if (from != null && to != null && !canMatch(from.prefixes(), to.prefixes())) {
            faults.add(new Fault(to.column(), "no packet has an IPv4 and an IPv6 address; write prefixes of one family behind"
                    + " from and to"));
        }
    }

    private static boolean canMatch(List<Prefix> some, List<Prefix> others) {
        return some.isEmpty()
                || others.isEmpty()
                || some.stream().anyMatch(one -> others.stream().anyMatch(other -> one.isIpv4() == other.isIpv4()));
    }

    /** Returns a decimal number from 0, or -1. */
    private static int decimal(String digits, int max) {
        if (!digits.matches("[0-9]{1,5}")) {
            return -1;
        }
        int value = Integer.parseInt(digits);
        return value <= max ? value : -1;
    }

    private boolean nextWord() {
        while (next < text.length() && Character.isWhitespace(text.charAt(next))) {
            next++;
        }
        int start = next;
        while (next < text.length() && !Character.isWhitespace(text.charAt(next))) {
            next++;
        }
        column = start + 1;
        word = text.substring(start, next).toLowerCase(Locale.ROOT);
        return !word.isEmpty();
    }

    private void fault(String reason) {
        faults.add(new Fault(column, reason));
    }
}
