package io.guidepost.fleet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The table of places as three replicas keep it: cells with timestamps, of which each replica may have others. TTLs drop nothing here, but
 * as in Cassandra one of two cells with the same timestamp wins by having one; of two without, or two with, the greater value wins.
 */
final class PlacesModel {
    static final int REPLICAS = 3;

    private record Cell(long timestamp, int ttl, byte[] value) {
        static @Nullable Cell later(@Nullable Cell one, @Nullable Cell other) {
            if (one == null || other == null) {
                return one == null ? other : one;
            }
            if (one.timestamp != other.timestamp) {
                return one.timestamp > other.timestamp ? one : other;
            }
            if (one.ttl > 0 != other.ttl > 0) {
                return one.ttl > 0 ? one : other;
            }
            return Arrays.compareUnsigned(one.value, other.value) >= 0 ? one : other;
        }
    }

    private static final class Partition {
        private final Map<byte[], Cell> cells = new TreeMap<>(Arrays::compareUnsigned);
        private long deleted = Long.MIN_VALUE;
        private @Nullable Cell cleared;
        private @Nullable Cell text;

        void merge(Partition other) {
            other.cells.forEach((place, cell) -> cells.merge(place, cell, Cell::later));
            deleted = Math.max(deleted, other.deleted);
            cleared = Cell.later(cleared, other.cleared);
            text = Cell.later(text, other.text);
        }
    }

    private final List<Map<String, Partition>> replicas = new ArrayList<>();
    private boolean isOneTimestamp;

    PlacesModel() {
        for (int i = 0; i < REPLICAS; i++) {
            replicas.add(new HashMap<>());
        }
    }

    /** Breaks the statements: deletion and places have one timestamp. */
    void oneTimestamp() {
        isOneTimestamp = true;
    }

    /** Makes a batch at one replica. */
    void merge(int replica, byte[] key, PlaceCells merged) {
        Partition made = new Partition();
        for (PlaceCell each : merged.cells()) {
            made.cells.merge(
                    each.place(), new Cell(PlaceCell.timestamp(each.stamp()), each.ttlSeconds(), each.said()), Cell::later);
        }
        if (merged.cleared() != 0) {
            made.deleted = isOneTimestamp ? PlaceCell.timestamp(merged.cleared()) : PlaceCell.deletionTimestamp(merged.cleared());
            made.cleared = new Cell(PlaceCell.timestamp(merged.cleared()), merged.ttlSeconds(), new byte[0]);
        }
        byte[] text = merged.text();
        if (text != null) {
            made.text = new Cell(PlaceCell.timestamp(merged.stamp()), merged.ttlSeconds(), text);
        }
        replicas.get(replica).computeIfAbsent(Arrays.toString(key), _ -> new Partition()).merge(made);
    }

    /** Reads some replicas. */
    PlaceCells read(byte[] key, List<Integer> from) {
        Partition all = new Partition();
        for (int each : from) {
            all.merge(replicas.get(each).getOrDefault(Arrays.toString(key), new Partition()));
        }
        List<PlaceCell> cells = new ArrayList<>();
        all.cells.forEach((place, cell) -> {
            // Of equal timestamps the deletion wins.
            if (cell.timestamp > all.deleted) {
                cells.add(new PlaceCell(place, cell.value, PlaceCell.stamp(cell.timestamp), cell.ttl));
            }
        });
        return new PlaceCells(
                cells,
                all.cleared == null ? 0 : PlaceCell.stamp(all.cleared.timestamp),
                all.text == null ? null : all.text.value,
                all.text == null ? 0 : PlaceCell.stamp(all.text.timestamp),
                all.cleared == null ? 0 : all.cleared.ttl);
    }
}
