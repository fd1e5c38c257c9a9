package io.guidepost.gnrs.placement;

import io.guidepost.base.AddressText;
import io.guidepost.base.Addresses;
import io.guidepost.proximity.Prefixes;
import io.guidepost.proximity.XorNearest;
import java.util.Arrays;
import java.util.List;

/**
 * Placement compatible with the Java server of 2014. That server keeps the bases of prefixes in a PATRICIA trie and
 * drops their lengths; of prefixes with one base the last line counts; the AS of an address is that of the base with
 * the least XOR distance. So there are no holes, nothing is hashed again, and the result is not the longest-prefix
 * match. The deviations are reproduced here and nowhere else.
 *
 * <p>Its keys have 48 bits, the last 16 of them zero. They can be left out: keys that differ do so in the first 32.
 *
 * @param ases the AS of each base, unsigned
 * @param servers the number of the server for each base
 */
record PatriciaResolver(XorNearest bases, int[] ases, int[] servers) implements AsResolver {
    static PatriciaResolver of(Prefixes prefixes, ServerIndex known) {
        // Base and line in one number, so that sorting keeps the lines of a base in order.
        long[] lines = new long[prefixes.ipv4Size()];
        for (int i = 0; i < lines.length; i++) {
            lines[i] = (long) (prefixes.ipv4Base(i) ^ Integer.MIN_VALUE) << 32 | i;
        }
        Arrays.sort(lines);
        int[] keys = new int[lines.length];
        int[] ases = new int[lines.length];
        int count = 0;
        for (long each : lines) {
            int base = (int) (each >> 32) ^ Integer.MIN_VALUE;
            count -= count > 0 && keys[count - 1] == base ? 1 : 0;
            keys[count] = base;
            ases[count++] = prefixes.ipv4Value((int) each);
        }
        int[] servers = new int[count];
        for (int i = 0; i < count; i++) {
            servers[i] = known.number(Integer.toUnsignedLong(ases[i]));
        }
        return new PatriciaResolver(XorNearest.of(Arrays.copyOf(keys, count)), Arrays.copyOf(ases, count), servers);
    }

    int size() {
        return bases.size();
    }

    @Override
    public int server(int address, GuidHashes hashes) {
        return servers[bases.find(address)];
    }

    @Override
    public Replica explain(int number, int address, GuidHashes hashes, ServerIndex known) {
        int found = bases.find(address);
        int server = servers[found];
        return new Replica(
                number,
                List.of(Addresses.ofIpv4(address)),
                AddressText.ipv4(bases.key(found)),
                false,
                Integer.toUnsignedLong(ases[found]),
                known.server(server),
                known.isHere(server));
    }
}
