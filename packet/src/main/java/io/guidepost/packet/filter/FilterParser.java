package io.guidepost.packet.filter;

import io.guidepost.base.AddressText;
import io.guidepost.base.Addresses;
import io.guidepost.packet.filter.FilterCondition.And;
import io.guidepost.packet.filter.FilterCondition.End;
import io.guidepost.packet.filter.FilterCondition.EtherType;
import io.guidepost.packet.filter.FilterCondition.Length;
import io.guidepost.packet.filter.FilterCondition.Mac;
import io.guidepost.packet.filter.FilterCondition.Not;
import io.guidepost.packet.filter.FilterCondition.Or;
import io.guidepost.packet.filter.FilterCondition.PrefixMatch;
import io.guidepost.packet.filter.FilterCondition.Protocol;
import io.guidepost.packet.filter.FilterCondition.Vlan;
import io.guidepost.packet.frame.HeaderParser;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses filters by recursive descent.
 *
 * <pre>
 *  filter     term ((and | or) term)*
 *  term       (not) term | "(" filter ")" | primitive
 *  primitive  [layer] [end] [kind] value | [layer] [end] [kind] "(" filter ")" | layer
 *             | vlan [number] | less number | greater number | broadcast | multicast
 *  layer      ether | ip | ip6 | arp | tcp | udp | icmp | icmp6
 *  end        src | dst | src or dst | src and dst
 *  kind       host | net | port | portrange | proto
 * </pre>
 */
final class FilterParser {
    /** Words of a filter: each may nest one level deeper, and thousands of levels would overflow the stack. */
    private static final int WORDS_MAX = 1_000;

    private static final Pattern WORD = Pattern.compile("\\(|\\)|!|&&|\\|\\||[^\\s()!&|]+|.", Pattern.DOTALL);
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
    private static final Pattern IPV4_BEGIN = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){0,3}");
    private static final Pattern MAC = Pattern.compile("[0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){5}");
    private static final long MAC_MASK = 0xffff_ffff_ffffL;
    private static final long GROUP = 1L << 40;

    private static final Map<String, FilterCondition> LAYERS = Map.of(
            "ip", new EtherType(HeaderParser.IPV4),
            "ip6", new EtherType(HeaderParser.IPV6),
            "arp", new EtherType(HeaderParser.ARP),
            "tcp", new Protocol(HeaderParser.TCP),
            "udp", new Protocol(HeaderParser.UDP),
            "icmp", new And(new EtherType(HeaderParser.IPV4), new Protocol(HeaderParser.ICMP)),
            "icmp6", new And(new EtherType(HeaderParser.IPV6), new Protocol(HeaderParser.ICMPV6)));

    private static final Map<String, Integer> PROTOCOLS = Map.of(
            "icmp", 1, "igmp", 2, "tcp", 6, "udp", 17, "gre", 47, "esp", 50, "ah", 51, "icmp6", 58, "sctp", 132);

    private static final Set<String> KINDS = Set.of("host", "net", "port", "portrange", "proto");
    private static final String WORDS =
            "host, net, port, portrange, proto, src, dst, ether, ip, ip6, arp, tcp, udp, icmp, icmp6, vlan, less, greater,"
                    + " broadcast, multicast, not, and, or";

    /** The qualifiers before a value, which carry over to the next unqualified value. */
    private record Said(String layer, End end, String kind) {}

    private record Word(String text, int column) {}

    private final List<Word> words = new ArrayList<>();
    private final int end;
    private int next;
    private @Nullable Said said;

    FilterParser(String text) throws FilterException {
        Matcher matcher = WORD.matcher(text);
        while (matcher.find()) {
            if (!matcher.group().isBlank()) {
                words.add(new Word(matcher.group(), matcher.start() + 1));
            }
        }
        end = text.length() + 1;
        if (words.size() > WORDS_MAX) {
            throw new FilterException(
                    words.get(WORDS_MAX).column, "more than " + WORDS_MAX + " words; a firewall's rules may be long");
        }
    }

    FilterCondition parse() throws FilterException {
        FilterCondition all = filter();
        if (next < words.size()) {
            throw wrong("is more than there should be; write and, or, or nothing");
        }
        return all;
    }

    private FilterCondition filter() throws FilterException {
        FilterCondition left = term();
        while (true) {
            if (takeAny("and", "&&")) {
                left = new And(left, term());
            } else if (takeAny("or", "||")) {
                left = new Or(left, term());
            } else {
                return left;
            }
        }
    }

    private FilterCondition term() throws FilterException {
        if (takeAny("not", "!")) {
            return new Not(term());
        }
        if (take("(")) {
            return closed(next - 1);
        }
        return primitive();
    }

    /** Parses up to the closing bracket; the opening one was taken. */
    private FilterCondition closed(int bracket) throws FilterException {
        FilterCondition inner = filter();
        int opened = words.get(bracket).column;
        if (!take(")")) {
            throw next < words.size()
                    ? wrong("stands where and, or, or the ) of the ( in column " + opened + " must be")
                    : new FilterException(end, "the ) of the ( in column " + opened + " is missing");
        }
        return inner;
    }

    private FilterCondition primitive() throws FilterException {
        if (take("vlan")) {
            return new Vlan(isNumber(peek()) ? number(4_095, "is no VLAN; write 0 to 4095") : -1);
        }
        if (take("less")) {
            return new Length(0, number(65_535, "is no number of bytes; write 0 to 65535"));
        }
        if (take("greater")) {
            return new Length(number(65_535, "is no number of bytes; write 0 to 65535"), Integer.MAX_VALUE);
        }
        if (take("broadcast")) {
            return new Mac(End.DESTINATION, MAC_MASK, MAC_MASK);
        }
        if (take("multicast")) {
            return new Mac(End.DESTINATION, GROUP, GROUP);
        }
        return qualified();
    }

    private FilterCondition qualified() throws FilterException {
        int begin = next;
        String layer = LAYERS.containsKey(peek()) || peek().equals("ether") ? take() : "";
        End ends = ends();
        String kind = KINDS.contains(peek()) ? take() : "";
        boolean nothingSaid = next == begin;
        if (!layer.isEmpty() && kind.isEmpty() && next == begin + 1 && !isValue()) {
            FilterCondition alone = LAYERS.get(layer);
            if (alone == null) {
                throw missing("src, dst, host or proto must follow ether");
            }
            return alone;
        }
        if (!(ends == End.EITHER && kind.isEmpty()) && take("(")) {
            said = new Said(layer, ends, kind.isEmpty() ? "host" : kind);
            return closed(next - 1);
        }
        if (!isValue()) {
            if (nothingSaid) {
                throw next < words.size()
                        ? wrong("is no word of filters; there are " + WORDS)
                        : missing("an address, a port or another condition must follow");
            }
            throw missing(kind.isEmpty() ? "an address must follow" : "a value must follow " + kind);
        }
        Said before = said;
        Said now = nothingSaid && before != null ? before : new Said(layer, ends, kind.isEmpty() ? "host" : kind);
        said = now;
        return value(now);
    }

    private End ends() {
        if (take("src")) {
            boolean or = isNext("or", "dst");
            if (or || isNext("and", "dst")) {
                next += 2;
                return or ? End.EITHER : End.BOTH;
            }
            return End.SOURCE;
        }
        if (take("dst")) {
            boolean or = isNext("or", "src");
            if (or || isNext("and", "src")) {
                next += 2;
                return or ? End.EITHER : End.BOTH;
            }
            return End.DESTINATION;
        }
        return End.EITHER;
    }

    private boolean isNext(String first, String second) {
        return peek().equals(first) && next + 1 < words.size() && words.get(next + 1).text.equals(second);
    }

    private FilterCondition value(Said now) throws FilterException {
        if (now.layer.equals("ether")) {
            return switch (now.kind) {
                case "host" -> mac(now.end);
                case "proto" -> new EtherType(etherType());
                default -> throw wrong("cannot be: ether has host and proto, not " + now.kind);
            };
        }
        FilterCondition is = switch (now.kind) {
            case "net" -> net(now.end);
            case "port", "portrange" -> ports(now);
            case "proto" -> new Protocol(protocol());
            default -> host(now.end);
        };
        FilterCondition layer = LAYERS.get(now.layer);
        if (layer == null) {
            return is;
        }
        boolean transport = !(layer instanceof EtherType);
        boolean ports = is instanceof FilterCondition.Ports;
        if (transport && !(ports && layer instanceof Protocol) || now.layer.equals("arp") && !(is instanceof PrefixMatch)) {
            next--;
            throw wrong("cannot follow " + now.layer + " " + now.kind + "; write " + now.layer + " and " + now.kind);
        }
        return new And(layer, is);
    }

    private FilterCondition host(End ends) throws FilterException {
        Word word = word();
        InetAddress address = address(word, word.text);
        next++;
        return new PrefixMatch(ends, Addresses.high(address), Addresses.low(address), -1, -1);
    }

    private FilterCondition net(End ends) throws FilterException {
        Word word = word();
        int slash = word.text.indexOf('/');
        String text = slash < 0 ? word.text : word.text.substring(0, slash);
        int given = IPV4_BEGIN.matcher(text).matches() ? text.split("\\.").length : 0;
        InetAddress address = address(word, given == 0 ? text : text + ".0".repeat(4 - given));
        boolean four = Addresses.isIpv4(Addresses.high(address), Addresses.low(address));
        int whole = four ? 32 : 128;
        next++;
        int bits = four && given < 4 && slash < 0 ? 8 * given : whole;
        if (slash >= 0) {
            bits = bits(word, word.text.substring(slash + 1), whole);
        } else if (take("mask")) {
            bits = maskBits();
        }
        int all = four ? 96 + bits : bits;
        long maskHigh = Addresses.highMask(all);
        long maskLow = Addresses.lowMask(all);
        long high = Addresses.high(address);
        long low = Addresses.low(address);
        if ((high & ~maskHigh) != 0 || (low & ~maskLow) != 0) {
            InetAddress right = Addresses.toInetAddress(high & maskHigh, low & maskLow);
            throw new FilterException(word.column, "\"" + word.text + "\" has bits behind its prefix of " + bits
                    + "; write " + AddressText.of(right) + "/" + bits);
        }
        return new PrefixMatch(ends, high, low, maskHigh, maskLow);
    }

    private static int bits(Word word, String text, int max) throws FilterException {
        if (isNumber(text) && text.length() < 4 && Integer.parseInt(text) <= max) {
            return Integer.parseInt(text);
        }
        throw new FilterException(
                word.column, "\"" + word.text + "\" has a prefix of \"" + text + "\" bits; it must be 0 to " + max);
    }

    private int maskBits() throws FilterException {
        Word word = word();
        int mask = (int) Addresses.low(address(word, word.text));
        int bits = Integer.numberOfLeadingZeros(~mask);
        if (bits < 32 && mask << bits != 0 || !IPV4.matcher(word.text).matches()) {
            throw wrong("is no mask; write one like 255.255.0.0");
        }
        next++;
        return bits;
    }

    private static InetAddress address(Word word, String text) throws FilterException {
        if (IPV4.matcher(text).matches() || text.indexOf(':') >= 0 && text.indexOf('%') < 0) {
            try {
                return InetAddress.ofLiteral(text);
            } catch (IllegalArgumentException e) {
                // Reported below.
            }
        }
        throw new FilterException(word.column, "\"" + word.text
                + "\" is no address; write one like 10.0.0.1 or 2001:db8::1, host names are not resolved");
    }

    private FilterCondition ports(Said now) throws FilterException {
        Word word = word();
        int dash = word.text.indexOf('-');
        if (now.kind.equals("port") || dash < 0) {
            int port = number(65_535, "is no port; write 0 to 65535");
            return new FilterCondition.Ports(now.end, port, port);
        }
        String first = word.text.substring(0, dash);
        String last = word.text.substring(dash + 1);
        boolean right = isPort(first) && isPort(last) && Integer.parseInt(first) <= Integer.parseInt(last);
        if (!right) {
            throw wrong("is no range of ports; write one like 5000-5009");
        }
        next++;
        return new FilterCondition.Ports(now.end, Integer.parseInt(first), Integer.parseInt(last));
    }

    private static boolean isPort(String text) {
        return isNumber(text) && text.length() < 6 && Integer.parseInt(text) <= 65_535;
    }

    private int protocol() throws FilterException {
        String name = word().text.startsWith("\\") ? word().text.substring(1) : word().text;
        Integer known = PROTOCOLS.get(name);
        if (known != null) {
            next++;
            return known;
        }
        return number(255, "is no protocol; write 0 to 255, or icmp, igmp, tcp, udp, gre, esp, ah, icmp6, sctp");
    }

    private int etherType() throws FilterException {
        String text = word().text;
        if (text.matches("0[xX][0-9a-fA-F]{1,4}")) {
            next++;
            return Integer.parseInt(text.substring(2), 16);
        }
        return number(65_535, "is no EtherType; write one like 0x88cc");
    }

    private FilterCondition mac(End ends) throws FilterException {
        String text = word().text;
        if (!MAC.matcher(text).matches()) {
            throw wrong("is no Ethernet address; write one like 02:00:00:00:00:01");
        }
        next++;
        return new Mac(ends, HexFormat.fromHexDigitsToLong(text.replaceAll("[:-]", "")), MAC_MASK);
    }

    private int number(int max, String refusal) throws FilterException {
        String text = word().text;
        if (!isNumber(text) || text.length() > 9 || Integer.parseInt(text) > max) {
            throw wrong(refusal);
        }
        next++;
        return Integer.parseInt(text);
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(each -> each >= '0' && each <= '9');
    }

    /**
     * Returns whether the next word may be a value: it begins with a digit, has a colon, or names a protocol after
     * proto.
     */
    private boolean isValue() {
        String text = peek();
        return !text.isEmpty()
                && (Character.digit(text.charAt(0), 10) >= 0 || text.indexOf(':') >= 0 || text.indexOf('.') >= 0
                        || next > 0 && KINDS.contains(words.get(next - 1).text) && !isSign(text));
    }

    private static boolean isSign(String text) {
        return Set.of("(", ")", "!", "&&", "||", "and", "or", "not").contains(text);
    }

    private String peek() {
        return next < words.size() ? words.get(next).text : "";
    }

    private String take() {
        return words.get(next++).text;
    }

    private boolean take(String text) {
        boolean there = peek().equals(text);
        next += there ? 1 : 0;
        return there;
    }

    private boolean takeAny(String one, String other) {
        return take(one) || take(other);
    }

    private Word word() throws FilterException {
        if (next >= words.size()) {
            throw missing("a value is missing");
        }
        return words.get(next);
    }

    private FilterException wrong(String what) {
        return new FilterException(words.get(next).column, "\"" + words.get(next).text + "\" " + what);
    }

    private FilterException missing(String what) {
        return next < words.size()
                ? new FilterException(words.get(next).column, what + ", not \"" + words.get(next).text + "\"")
                : new FilterException(end, what);
    }
}
