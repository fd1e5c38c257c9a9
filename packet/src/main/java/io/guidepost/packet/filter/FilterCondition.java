package io.guidepost.packet.filter;

import io.guidepost.base.Addresses;
import io.guidepost.packet.frame.Ethernet;
import io.guidepost.packet.frame.HeaderParser;

/** A node of a filter's tree: a condition on header fields. */
sealed interface FilterCondition {
    /** Source, destination, or either. */
    enum End {
        SOURCE,
        DESTINATION,
        EITHER,
        BOTH;

        boolean of(boolean source, boolean destination) {
            return switch (this) {
                case SOURCE -> source;
                case DESTINATION -> destination;
                case EITHER -> source || destination;
                case BOTH -> source && destination;
            };
        }
    }

    boolean matches(HeaderParser headers);

    record Not(FilterCondition inner) implements FilterCondition {
        @Override
        public boolean matches(HeaderParser headers) {
            return !inner.matches(headers);
        }
    }

    record And(FilterCondition left, FilterCondition right) implements FilterCondition {
        @Override
        public boolean matches(HeaderParser headers) {
            return left.matches(headers) && right.matches(headers);
        }
    }

    record Or(FilterCondition left, FilterCondition right) implements FilterCondition {
        @Override
        public boolean matches(HeaderParser headers) {
            return left.matches(headers) || right.matches(headers);
        }
    }

    /** The EtherType behind VLAN tags. */
    record EtherType(int number) implements FilterCondition {
        @Override
        public boolean matches(HeaderParser headers) {
            return headers.etherType() == number;
        }
    }

    /** The IP protocol behind extension headers. */
    record Protocol(int number) implements FilterCondition {
        @Override
        public boolean matches(HeaderParser headers) {
            return headers.protocol() == number;
        }
    }

    /** Addresses of IP packets and ARP messages in a prefix. */
    record PrefixMatch(End end, long high, long low, long maskHigh, long maskLow) implements FilterCondition {
        @Override
        public boolean matches(HeaderParser headers) {
            if (headers.protocol() >= 0) {
                return end.of(
                        has(headers.sourceHigh(), headers.sourceLow()),
                        has(headers.destinationHigh(), headers.destinationLow()));
            }
            return headers.etherType() == HeaderParser.ARP && arp(headers);
        }

        private boolean arp(HeaderParser headers) {
            int message = headers.networkOffset();
            if (headers.unchecked().length() - message < ARP_BYTES) {
                return false;
            }
            return end.of(
                    has(0, Addresses.ipv4Low(headers.unchecked().i32(message + ARP_SENDER))),
                    has(0, Addresses.ipv4Low(headers.unchecked().i32(message + ARP_TARGET))));
        }

        private boolean has(long addressHigh, long addressLow) {
            return (addressHigh & maskHigh) == high && (addressLow & maskLow) == low;
        }
    }

    /**
     * Bytes of an ARP message for IPv4 over Ethernet, and the offsets of its addresses, see {@link
     * io.guidepost.packet.frame.Arp}.
     */
    int ARP_BYTES = 28;

    int ARP_SENDER = 14;
    int ARP_TARGET = 24;

    /** Ports of UDP and TCP; packets without a transport header do not match. */
    record Ports(End end, int first, int last) implements FilterCondition {
        @Override
        public boolean matches(HeaderParser headers) {
            int protocol = headers.protocol();
            return headers.transportOffset() >= 0
                    && (protocol == HeaderParser.UDP || protocol == HeaderParser.TCP)
                    && end.of(has(headers.sourcePort()), has(headers.destinationPort()));
        }

        private boolean has(int port) {
            return port >= first && port <= last;
        }
    }

    /** A VLAN tag with a number, -1 for any; the outer or the inner one. */
    record Vlan(int number) implements FilterCondition {
        @Override
        public boolean matches(HeaderParser headers) {
            return headers.vlan() >= 0
                    && (number < 0
                            || headers.vlan() == number
                            || (headers.unchecked().u16(Ethernet.BYTES) & 0xfff) == number);
        }
    }

    /** Bytes of the frame. */
    record Length(int min, int max) implements FilterCondition {
        @Override
        public boolean matches(HeaderParser headers) {
            int length = headers.unchecked().length();
            return length >= min && length <= max;
        }
    }

    /** Ethernet addresses that are equal under a mask. */
    record Mac(End end, long address, long mask) implements FilterCondition {
        @Override
        public boolean matches(HeaderParser headers) {
            return headers.unchecked().length() >= Ethernet.BYTES
                    && end.of((headers.sourceMac() & mask) == address, (headers.destinationMac() & mask) == address);
        }
    }
}
