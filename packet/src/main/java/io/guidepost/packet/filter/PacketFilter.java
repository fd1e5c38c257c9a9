package io.guidepost.packet.filter;

import io.guidepost.packet.frame.HeaderParser;

/**
 * A packet filter in the common subset of tcpdump's language:
 *
 * <pre>
 *  host 10.0.0.1        src host 2001:db8::1     10.0.0.1         to or from an address
 *  net 10.0.0.0/8       dst net 2001:db8::/32    net 192.168      to or from a prefix
 *  port 53              tcp dst port 80          udp portrange 5000-5009
 *  ip  ip6  arp  tcp  udp  icmp  icmp6           proto 47         ip6 proto 89         ether proto 0x88cc
 *  ether host 02:00:00:00:00:01                  broadcast        multicast
 *  vlan                 vlan 100                 less 128         greater 1000
 *  not  !  and  &amp;&amp;  or  ||  ( )
 * </pre>
 *
 * <p>As in tcpdump {@code not} binds closest, {@code and} and {@code or} have equal precedence and associate to the
 * left, and qualifiers carry over to the next value: {@code port 53 or 5353}. The default is {@code src or dst}. Unlike
 * tcpdump, all conditions look behind VLAN tags and IPv6 extension headers, host names are not resolved, and there is
 * no byte access.
 *
 * <p>A filter is stateless: one object serves any number of threads, each with its own headers.
 */
public final class PacketFilter {
    /** The filter that matches every frame. */
    public static final PacketFilter ALL = new PacketFilter("", new FilterCondition.Length(0, Integer.MAX_VALUE));

    private final String text;
    private final FilterCondition condition;

    private PacketFilter(String text, FilterCondition condition) {
        this.text = text;
        this.condition = condition;
    }

    /**
     * Parses a filter; an empty text is {@link #ALL}.
     *
     * @throws FilterException with column, what is wrong there, and what would be right
     */
    public static PacketFilter parse(String text) throws FilterException {
        return text.isBlank() ? ALL : new PacketFilter(text, new FilterParser(text).parse());
    }

    /** Returns whether a parsed frame matches; one with a fault is judged by the layers before it. */
    public boolean matches(HeaderParser headers) {
        return condition.matches(headers);
    }

    /** Returns its text. */
    @Override
    public String toString() {
        return text;
    }
}
