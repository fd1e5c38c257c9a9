package io.guidepost.alto.endpoint;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.cost.CostMetric;
import io.guidepost.alto.protocol.AltoJsonWriter;
import io.guidepost.alto.protocol.AltoLimits;
import io.guidepost.alto.protocol.CostMode;
import io.guidepost.base.Address;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The fast path of the endpoint cost service: one cost type, at most one source, many destinations, no constraints. It
 * parses the request in place, and copies the addresses into the response.
 *
 * <p>It reports no errors: an invalid or rare request, such as one with an escape in a string, is left to the general
 * path. Both give the same response.
 */
final class EndpointCostFastPath {
    private final List<CostMetric> metrics;

    EndpointCostFastPath(List<CostMetric> metrics) {
        this.metrics = metrics;
    }

    /** Returns the response; empty if the request needs the general path. */
    Optional<byte[]> answer(AltoSnapshot information, byte[] input, Address caller) {
        QuickRequest asked = new QuickRequest(input);
        if (!asked.read(caller)) {
            return Optional.empty();
        }
        Optional<CostMode> mode = CostMode.of(asked.mode).filter(each -> each != CostMode.ARRAY);
        String metric = metric(asked.metric);
        if (mode.isEmpty() || metric.isEmpty()) {
            return Optional.empty();
        }
        EndpointCosts costs = information.endpoints();
        int count = asked.count;
        int[] to = new int[count];
        double[] told = new double[count];
        for (int i = 0; i < count; i++) {
            to[i] = costs.place(asked.highs[i], asked.lows[i]);
        }
        costs.costs(metric, costs.place(asked.sourceHigh, asked.sourceLow), to, count, told);
        if (mode.get() == CostMode.ORDINAL) {
            positions(told, CostMetric.isBetterIfMore(metric));
        }
        return Optional.of(write(information, asked, mode.get(), metric, told));
    }

    private String metric(String asked) {
        for (CostMetric each : metrics) {
            if (each.name().equals(asked)) {
                return each.name();
            }
        }
        return "";
    }

    /** Replaces costs by ranks from 1; equal costs have equal ranks. */
    private static void positions(double[] costs, boolean moreIsBetter) {
        for (int i = 0; i < costs.length; i++) {
            // Negative zero becomes positive, or the two would be different numbers.
            costs[i] = (moreIsBetter ? -costs[i] : costs[i]) + 0.0;
        }
        // Unknown costs sort last.
        double[] order = costs.clone();
        Arrays.sort(order);
        int distinct = 0;
        for (double each : order) {
            if (!Double.isNaN(each) && (distinct == 0 || each != order[distinct - 1])) {
                order[distinct++] = each;
            }
        }
        for (int i = 0; i < costs.length; i++) {
            if (!Double.isNaN(costs[i])) {
                costs[i] = 1 + Arrays.binarySearch(order, 0, distinct, costs[i]);
            }
        }
    }

    private static byte[] write(AltoSnapshot information, QuickRequest asked, CostMode mode, String metric, double[] told) {
        AltoJsonWriter text = new AltoJsonWriter(256 + asked.bytes.length + told.length * 12);
        text.put("{\"meta\":{");
        EndpointCostResource.meta(text, information);
        text.put("\"cost-type\":{\"cost-mode\":\"").put(mode.word()).put("\",\"cost-metric\":\"").put(metric);
        text.put("\"}},\"endpoint-cost-map\":{");
        int begun = text.length();
        if (asked.sourceLength > 0) {
            text.put('"').put(asked.bytes, asked.sourceAt, asked.sourceLength).put("\":{");
        } else {
            text.put('"').address(asked.sourceHigh, asked.sourceLow).put("\":{");
        }
        boolean any = false;
        for (int i = 0; i < told.length; i++) {
            if (!Double.isNaN(told[i])) {
                text.put(any ? ",\"" : "\"").put(asked.bytes, asked.starts[i], asked.lengths[i]).put("\":").number(told[i]);
                any = true;
            }
        }
        if (any) {
            text.put('}');
        } else {
            text.cut(begun);
        }
        return text.put("}}").bytes();
    }

    /** A parsed request of the common form, as columns over its bytes. Not thread-safe; for one request. */
    private static final class QuickRequest {
        private static final int EXPECTED = 128;

        private final byte[] bytes;
        private int at;
        private String mode = "";
        private String metric = "";
        private long sourceHigh;
        private long sourceLow;
        private int sourceAt;
        private int sourceLength;
        private long[] highs = new long[EXPECTED];
        private long[] lows = new long[EXPECTED];
        private int[] starts = new int[EXPECTED];
        private int[] lengths = new int[EXPECTED];
        private int[] slots = new int[4 * EXPECTED];
        private int count;

        private final EndpointAddressReader address = new EndpointAddressReader();

        QuickRequest(byte[] bytes) {
            this.bytes = bytes;
        }

        /** Parses the request; returns false if it has another form. Without a source, {@code self} is the source. */
        boolean read(Address self) {
            sourceHigh = self.high();
            sourceLow = self.low();
            boolean type = false;
            boolean endpoints = false;
            if (!take('{')) {
                return false;
            }
            do {
                if (member("cost-type") && !type) {
                    type = costType();
                    if (!type) {
                        return false;
                    }
                } else if (member("endpoints") && !endpoints) {
                    endpoints = endpoints();
                    if (!endpoints) {
                        return false;
                    }
                } else {
                    return false;
                }
            } while (take(','));
            if (!take('}')) {
                return false;
            }
            blanks();
            return type && endpoints && at == bytes.length;
        }

        private boolean costType() {
            if (!take('{')) {
                return false;
            }
            do {
                if (mode.isEmpty() && member("cost-mode")) {
                    mode = word();
                } else if (metric.isEmpty() && member("cost-metric")) {
                    metric = word();
                } else {
                    return false;
                }
            } while (take(','));
            return take('}') && !mode.isEmpty() && !metric.isEmpty();
        }

        private boolean endpoints() {
            boolean source = false;
            boolean destinations = false;
            if (!take('{')) {
                return false;
            }
            do {
                if (!source && member("srcs")) {
                    source = source();
                    if (!source) {
                        return false;
                    }
                } else if (!destinations && member("dsts")) {
                    destinations = destinations();
                    if (!destinations) {
                        return false;
                    }
                } else {
                    return false;
                }
            } while (take(','));
            return take('}') && destinations;
        }

        private boolean source() {
            if (!take('[')) {
                return false;
            }
            if (take(']')) {
                return true;
            }
            if (!address()) {
                return false;
            }
            sourceHigh = address.high();
            sourceLow = address.low();
            sourceAt = address.begun();
            sourceLength = at - 1 - sourceAt;
            return take(']');
        }

        private boolean destinations() {
            if (!take('[')) {
                return false;
            }
            do {
                if (count == AltoLimits.ENDPOINTS_MAX || !address()) {
                    return false;
                }
                add(address.high(), address.low(), address.begun(), at - 1 - address.begun());
            } while (take(','));
            return take(']');
        }

        /** Adds an address, unless it is a duplicate. */
        private void add(long high, long low, int start, int length) {
            if (count == highs.length) {
                highs = Arrays.copyOf(highs, 2 * count);
                lows = Arrays.copyOf(lows, 2 * count);
                starts = Arrays.copyOf(starts, 2 * count);
                lengths = Arrays.copyOf(lengths, 2 * count);
                slots = new int[8 * count];
                for (int i = 0; i < count; i++) {
                    slots[free(highs[i], lows[i])] = i + 1;
                }
            }
            int slot = free(high, low);
            if (slots[slot] == 0) {
                slots[slot] = count + 1;
                highs[count] = high;
                lows[count] = low;
                starts[count] = start;
                lengths[count++] = length;
            }
        }

        /** Returns the slot of an address, or the free slot for it. */
        private int free(long high, long low) {
            int mask = slots.length - 1;
            int slot = (int) ((high * 31 + low) * 0x9e3779b97f4a7c15L >>> 40) & mask;
            while (slots[slot] != 0 && (highs[slots[slot] - 1] != high || lows[slots[slot] - 1] != low)) {
                slot = slot + 1 & mask;
            }
            return slot;
        }

        private void blanks() {
            while (at < bytes.length && (bytes[at] == ' ' || bytes[at] == '\n' || bytes[at] == '\r' || bytes[at] == '\t')) {
                at++;
            }
        }

        private boolean take(char one) {
            blanks();
            if (at < bytes.length && bytes[at] == one) {
                at++;
                return true;
            }
            return false;
        }

        /** Skips a name and its colon, if it is that name. */
        private boolean member(String name) {
            blanks();
            int end = at + name.length() + 1;
            if (end >= bytes.length || bytes[at] != '"' || bytes[end] != '"') {
                return false;
            }
            for (int i = 0; i < name.length(); i++) {
                if (bytes[at + 1 + i] != name.charAt(i)) {
                    return false;
                }
            }
            at = end + 1;
            return take(':');
        }

        /** Returns a string without escapes; empty if it is anything else. */
        private String word() {
            if (!take('"')) {
                return "";
            }
            int begun = at;
            while (at < bytes.length && bytes[at] > ' ' && bytes[at] != '"' && bytes[at] != '\\') {
                at++;
            }
            if (at == bytes.length || bytes[at] != '"') {
                return "";
            }
            return new String(bytes, begun, at++ - begun, java.nio.charset.StandardCharsets.US_ASCII);
        }

        private boolean address() {
            if (!take('"')) {
                return false;
            }
            int end = address.read(bytes, at);
            if (end < 0 || end >= bytes.length || bytes[end] != '"') {
                return false;
            }
            at = end + 1;
            return true;
        }
    }
}
