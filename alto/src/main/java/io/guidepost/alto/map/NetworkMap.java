package io.guidepost.alto.map;

import io.guidepost.alto.protocol.AltoIdentifiers;
import io.guidepost.alto.protocol.ContentTag;
import io.guidepost.alto.protocol.VersionTag;
import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.PrefixTable;
import io.guidepost.proximity.Prefixes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;

/**
 * A network map (RFC 7285 section 11.2.1): PIDs and their blocks of addresses; an address is in the PID of its longest
 * match. Immutable. PIDs have indices from 0 in their order.
 *
 * <p>Blocks stand in columns, grouped by PID: a map of the Internet has a million.
 */
public final class NetworkMap {
    /** The index of no PID. */
    public static final int NOWHERE = -1;

    /** Two 64-bit words and one byte. */
    private static final int BLOCK_BYTES = 17;

    private final VersionTag tag;
    private final List<String> pids;
    private final Map<String, Integer> numbers;
    private final Lookup lookup;
    private final int[] starts;

    /** The value of each is the index of its PID. */
    private final Prefixes.Family blocks;

    /** Indices of the blocks in the order of their bases, shorter prefixes first. */
    private final int[] order;

    private NetworkMap(String id, List<String> pids, Prefixes.Family blocks, Lookup lookup, int[] starts, int[] order) {
        this.pids = pids;
        this.lookup = lookup;
        this.starts = starts;
        this.order = order;
        this.blocks = blocks;
        this.numbers = numbers(pids);
        this.tag = new VersionTag(id, hash());
    }

    /** Maps addresses to PIDs. Allocates nothing; thread-safe. */
    @FunctionalInterface
    public interface Lookup {
        /** Returns the PID of an address, IPv4 in its mapped form, or {@link #NOWHERE}. */
        int pid(long high, long low);
    }

    private static Map<String, Integer> numbers(List<String> pids) {
        Map<String, Integer> numbers = HashMap.newHashMap(pids.size());
        for (String each : pids) {
            if (!AltoIdentifiers.isName(each) || numbers.put(each, numbers.size()) != null) {
                throw new IllegalArgumentException("'" + each + "' is no name of a PID, or comes twice");
            }
        }
        return numbers;
    }

    /** Returns a hash that is equal for equal content, so that clients keep an unchanged map. */
    private String hash() {
        MessageDigest digest = ContentTag.digest();
        ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
        for (int pid = 0; pid < pids.size(); pid++) {
            digest.update((pids.get(pid) + '\n').getBytes(StandardCharsets.US_ASCII));
            for (int i = starts[pid]; i < starts[pid + 1]; i++) {
                digest.update(block.clear().putLong(blocks.high[i]).putLong(blocks.low[i]).put((byte) blocks.length(i)).flip());
            }
        }
        return ContentTag.of(digest);
    }

    /** Returns the id and tag of this version. */
    public VersionTag tag() {
        return tag;
    }

    /** Returns the id of the resource. */
    public String id() {
        return tag.resource();
    }

    /** Returns the names of the PIDs in the order of their indices. */
    public List<String> pids() {
        return pids;
    }

    /** Returns the index of a PID; empty if no PID has that name. */
    public OptionalInt number(String pid) {
        Integer number = numbers.get(pid);
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }

    /** Returns the index of the PID of an address, IPv4 in its mapped form, or {@link #NOWHERE}. Allocates nothing. */
    public int pid(long high, long low) {
        return lookup.pid(high, low);
    }

    /** Returns the index of the PID of an address, or {@link #NOWHERE}. */
    public int pid(Address address) {
        return lookup.pid(address.high(), address.low());
    }

    /** Returns the index of the PID of the longest block that contains all of a block, or {@link #NOWHERE}. */
    public int pid(Prefix block) {
        int shortest = block.isIpv4() ? Prefix.IPV4_BITS_BEFORE : 0;
        for (int length = block.length(); length >= shortest; length--) {
            int found = find(new Prefix(block.high(), block.low(), length));
            if (found >= 0) {
                return blocks.value[found];
            }
        }
        return NOWHERE;
    }

    /** Returns the index of a block in the columns, or -1. */
    private int find(Prefix block) {
        int low = 0;
        int high = order.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int at = order[middle];
            int compared = blocks.compare(at, block.high(), block.low(), block.length());
            if (compared == 0) {
                return at;
            }
            if (compared < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    private Prefix block(int at) {
        return new Prefix(blocks.high[at], blocks.low[at], blocks.length(at));
    }

    /** Passes the blocks of a PID to a consumer, in order. */
    public void forEachBlock(int pid, Consumer<Prefix> told) {
        blocks(pid).forEachRemaining(told);
    }

    /** Passes all blocks with their PIDs to a consumer, in the order of their bases, shorter prefixes first. */
    public void forEachBlock(ObjIntConsumer<Prefix> told) {
        for (int at : order) {
            told.accept(block(at), blocks.value[at]);
        }
    }

    /** Returns the blocks of a PID, in order. */
    public Iterator<Prefix> blocks(int pid) {
        return IntStream.range(starts[pid], starts[pid + 1]).mapToObj(this::block).iterator();
    }

    /** Returns the number of blocks. */
    public int blocks() {
        return starts[pids.size()];
    }

    /** Collects blocks. Not thread-safe. */
    public static final class Builder {
        private final String id;
        private final List<String> names;
        private final Prefixes.Family added = new Prefixes.Family();
        private final Deque<Map.Entry<Prefix, Integer>> aroundIpv4 = new ArrayDeque<>();
        private final Deque<Map.Entry<Prefix, Integer>> aroundIpv6 = new ArrayDeque<>();

        /** Creates a builder without blocks. */
        public Builder(String id, List<String> pids) {
            this.id = id;
            this.names = List.copyOf(pids);
        }

        /** Adds a block to a PID. */
        public Builder add(int pid, Prefix block) {
            added.add(block.high(), block.low(), block.length(), pid);
            return this;
        }

        /**
         * Adds a block to a PID, unless the block around it belongs to that PID already. Blocks of one family must come
         * in the order of their bases, shorter prefixes first.
         */
        public Builder addInOrder(int pid, Prefix block) {
            Deque<Map.Entry<Prefix, Integer>> around = block.isIpv4() ? aroundIpv4 : aroundIpv6;
            while (!around.isEmpty() && !around.getLast().getKey().contains(block.high(), block.low())) {
                around.removeLast();
            }
            if (around.isEmpty() || around.getLast().getValue() != pid) {
                add(pid, block);
            }
            around.addLast(Map.entry(block, pid));
            return this;
        }

        /** Builds the map with a prefix table of the blocks. */
        public NetworkMap build() {
            Prefixes.Builder table = Prefixes.builder();
            for (int i = 0; i < added.size; i++) {
                table.add(new Prefix(added.high[i], added.low[i], added.length(i)), added.value[i]);
            }
            PrefixTable found = PrefixTable.of(table.build());
            return build((high, low) -> {
                int place = found.find(high, low);
                return place == PrefixTable.NONE ? NOWHERE : (int) found.value(place);
            });
        }

        /** Builds the map with an existing lookup structure. The builder must not be used any more. */
        public NetworkMap build(Lookup lookup) {
            int[] starts = new int[names.size() + 1];
            for (int i = 0; i < added.size; i++) {
                starts[added.value[i] + 1]++;
            }
            for (int pid = 0; pid < names.size(); pid++) {
                starts[pid + 1] += starts[pid];
            }
            int[] next = starts.clone();
            int[] order = new int[added.size];
            int[] sources = new int[added.size];
            boolean sorted = true;
            for (int i = 0; i < added.size; i++) {
                order[i] = next[added.value[i]]++;
                sources[order[i]] = i;
                sorted &= i == 0 || added.compare(i - 1, i) <= 0;
            }
            Prefixes.Family blocks = new Prefixes.Family();
            for (int each : sources) {
                blocks.add(added.high[each], added.low[each], added.length(each), added.value[each]);
            }
            blocks.trim();
            if (!sorted) {
                order = Arrays.stream(order).boxed().sorted(blocks::compare).mapToInt(Integer::intValue).toArray();
            }
            return new NetworkMap(id, names, blocks, lookup, starts, order);
        }
    }
}
