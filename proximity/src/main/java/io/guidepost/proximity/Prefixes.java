package io.guidepost.proximity;

import io.guidepost.base.Addresses;
import io.guidepost.base.Prefix;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Prefixes and their values in the order of a file, before a {@link PrefixTable} is built of them. Immutable. */
public final class Prefixes {
    final Family ipv4;
    final Family ipv6;

    private Prefixes(Family ipv4, Family ipv6) {
        this.ipv4 = ipv4;
        this.ipv6 = ipv6;
    }

    /** Starts an empty list. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the number of prefixes of both families, with repeated ones. */
    public int size() {
        return ipv4.size + ipv6.size;
    }

    /** Returns the number of IPv4 prefixes, with repeated ones. */
    public int ipv4Size() {
        return ipv4.size;
    }

    /** Returns the base of an IPv4 prefix by its index. */
    public int ipv4Base(int at) {
        return (int) (ipv4.high[at] >>> 32);
    }

    /** Returns the length of an IPv4 prefix by its index. */
    public int ipv4Length(int at) {
        return ipv4.length(at);
    }

    /** Returns the value of an IPv4 prefix by its index, unsigned. */
    public int ipv4Value(int at) {
        return ipv4.value[at];
    }

    /** Collects prefixes. Not thread-safe. */
    public static final class Builder {
        private final Family ipv4 = new Family();
        private final Family ipv6 = new Family();

        private Builder() {}

        /**
         * Adds a prefix; of repeated prefixes the later one counts.
         *
         * @param value unsigned 32 bits
         * @throws IllegalArgumentException if the value is larger
         */
        public Builder add(Prefix prefix, long value) {
            if (value >>> 32 != 0) {
                throw new IllegalArgumentException("the value of a prefix has 32 bits: " + value);
            }
            if (prefix.isIpv4()) {
                addLeftAligned(false, prefix.low() << 32, 0, prefix.length() - 96, (int) value);
            } else {
                addLeftAligned(true, prefix.high(), prefix.low(), prefix.length(), (int) value);
            }
            return this;
        }

        /** Adds a checked prefix without allocating; an IPv4 base stands in the upper half of high. */
        void addLeftAligned(boolean isIpv6, long high, long low, int length, int value) {
            (isIpv6 ? ipv6 : ipv4).add(high, low, length, value);
        }

        /** Returns the number of prefixes added. */
        public int size() {
            return ipv4.size + ipv6.size;
        }

        boolean full() {
            return ipv4.size >= ProximityLimits.PREFIXES_MAX || ipv6.size >= ProximityLimits.PREFIXES_MAX;
        }

        /** Returns the list; the builder must not be used any more. */
        public Prefixes build() {
            ipv4.trim();
            ipv6.trim();
            return new Prefixes(ipv4, ipv6);
        }
    }

    /** The prefixes of one family as columns. Bases are left-aligned: an IPv4 one stands in the upper half of high. */
    public static final class Family {
        public int size;
        public long[] high = {};
        public long[] low = {};
        byte[] length = {};
        public int[] value = {};

        public void add(long baseHigh, long baseLow, int bits, int number) {
            if (size == high.length) {
                resize(Math.max(1024, 2 * size));
            }
            high[size] = baseHigh;
            low[size] = baseLow;
            length[size] = (byte) bits;
            value[size] = number;
            size++;
        }

        public void trim() {
            resize(size);
        }

        private void resize(int room) {
            high = Arrays.copyOf(high, room);
            low = Arrays.copyOf(low, room);
            length = Arrays.copyOf(length, room);
            value = Arrays.copyOf(value, room);
        }

        public int length(int at) {
            return length[at] & 0xff;
        }

        /**
         * Returns the prefixes sorted by base, shorter ones first; of repeated ones only the last. So an enclosing
         * block always stands before its parts.
         */
        public Family sorted() {
            Family sorted = new Family();
            sorted.resize(size);
            int[] order = order();
            for (int i = 0; i < size; i++) {
                int at = order[i];
                boolean repeated = i + 1 < size && compare(at, order[i + 1]) == 0;
                if (!repeated) {
                    sorted.add(high[at], low[at], length(at), value[at]);
                }
            }
            sorted.trim();
            return sorted;
        }

        private int[] order() {
            for (int i = 1; i < size; i++) {
                if (compare(i - 1, i) > 0) {
                    return IntStream.range(0, size)
                            .boxed()
                            .sorted(this::compare)
                            .mapToInt(Integer::intValue)
                            .toArray();
                }
            }
            // Most tables are written in order.
            return IntStream.range(0, size).toArray();
        }

        /** Compares two prefixes of the family, in the order of {@link #sorted}. */
        public int compare(int left, int right) {
            return compare(left, high[right], low[right], length(right));
        }

        /** Finds the longest prefix, of at most a length, that contains an address; -1 if none does. Sorted prefixes only. */
        public int longest(long addressHigh, long addressLow, int lengthMax) {
            for (int bits = lengthMax; bits >= 0 && size > 0; bits--) {
                int at = find(addressHigh & Addresses.highMask(bits), addressLow & Addresses.lowMask(bits), bits);
                if (at >= 0) {
                    return at;
                }
            }
            return -1;
        }

        private int find(long baseHigh, long baseLow, int bits) {
            int from = 0;
            int to = size - 1;
            while (from <= to) {
                int middle = (from + to) >>> 1;
                int order = compare(middle, baseHigh, baseLow, bits);
                if (order == 0) {
                    return middle;
                }
                if (order < 0) {
                    from = middle + 1;
                } else {
                    to = middle - 1;
                }
            }
            return -1;
        }

        /** Compares a prefix of the family with another one, in the order of {@link #sorted}. */
        public int compare(int at, long baseHigh, long baseLow, int bits) {
            int order = Long.compareUnsigned(high[at], baseHigh);
            if (order == 0) {
                order = Long.compareUnsigned(low[at], baseLow);
            }
            return order != 0 ? order : Integer.compare(length(at), bits);
        }
    }
}
