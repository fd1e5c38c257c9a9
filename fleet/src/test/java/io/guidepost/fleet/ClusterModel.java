package io.guidepost.fleet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as its statements show it: rows of records that are compared and set, lists whose rows have timestamps, and what may go
 * wrong. A compare-and-set of which the outcome was not told may be under way still: the next one of the row, or a serial read,
 * finishes it or sees to it that it never happens. A statement of lists or places of which the outcome was not told may come at any
 * later time, and places may come late to one replica of three.
 */
final class ClusterModel {
    /** What the cluster is hindered by. */
    enum Fault {
        /** No quorum answers: nothing is made. */
        UNAVAILABLE,
        /** The statement did not arrive. */
        LOST,
        /** The statement is under way still. */
        UNDER_WAY,
        /** The statement was made, and the answer is lost. */
        UNANSWERED
    }

    /** The half of a row of a list that one of two writes: the latest of each statement. Of equal timestamps the deletion wins. */
    private record Listed(Cql.ListedBy by, long inserted, long deleted) {
        Listed merge(Listed other) {
            return new Listed(by, Math.max(inserted, other.inserted), Math.max(deleted, other.deleted));
        }

        boolean lives() {
            return inserted > deleted;
        }
    }

    private record UnderWay(long expected, RecordRow next) {}

    private final Map<String, RecordRow> rows = new HashMap<>();
    private final Map<String, UnderWay> underWay = new HashMap<>();
    private final Map<Integer, TreeMap<byte[], Map<Cql.ListedBy, Listed>>> lists = new HashMap<>();
    private final List<Runnable> late = new ArrayList<>();
    private final PlacesModel places = new PlacesModel();
    private final SplittableRandom random;
    private int quorum = 2;
    private int faultsInThousand;
    private boolean serialReadsFinish = true;
    private boolean down;
    private UnaryOperator<Cql.ListedBy> cellsOf = UnaryOperator.identity();
    private int statements;

    ClusterModel(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Makes so many of a thousand statements go wrong. */
    void faults(int inThousand) {
        faultsInThousand = inThousand;
    }

    /** Breaks the model: one replica is enough, as with the consistency ONE. */
    void one() {
        quorum = 1;
    }

    /** Returns the table of places. */
    PlacesModel places() {
        return places;
    }

    /** Breaks the model: a serial read does not look at what is under way. */
    void serialReadsFinish(boolean value) {
        serialReadsFinish = value;
    }

    synchronized void down(boolean value) {
        down = value;
    }

    synchronized int statements() {
        return statements;
    }

    /** Returns the statements of one front end. */
    Cql frontEnd() {
        return frontEnd(() -> {});
    }

    /** The same for one that is told before each statement, for others to do something meanwhile. */
    Cql frontEnd(Runnable before) {
        return new FrontEnd(before);
    }

    /** Breaks the statements: places and rows list a key in one cell. */
    void oneCell() {
        cellsOf = _ -> Cql.ListedBy.ROW;
    }

    /** Returns the keys of all lists, as text. */
    synchronized Set<String> listed() {
        Set<String> keys = new HashSet<>();
        lists.values().forEach(bucket -> bucket.forEach((key, row) -> {
            if (row.values().stream().anyMatch(Listed::lives)) {
                keys.add(text(key));
            }
        }));
        return keys;
    }

    private static String text(byte[] key) {
        return Arrays.toString(key);
    }

    private @Nullable Fault fault() {
        statements++;
        if (down) {
            return Fault.UNAVAILABLE;
        }
        while (!late.isEmpty() && random.nextInt(4) == 0) {
            late.remove(random.nextInt(late.size())).run();
        }
        return random.nextInt(1000) < faultsInThousand ? Fault.values()[random.nextInt(Fault.values().length)] : null;
    }

    /** Finishes what is under way at a row, or sees to it that it never happens. */
    private void resolve(String key) {
        UnderWay left = underWay.remove(key);
        if (left != null && random.nextBoolean() && RecordRow.versionOf(rows.get(key)) == left.expected) {
            rows.put(key, left.next);
        }
    }

    private void write(byte[] key, Listed row) {
        lists.computeIfAbsent(KeyLists.bucket(key), _ -> new TreeMap<>(Arrays::compareUnsigned))
                .computeIfAbsent(key, _ -> new EnumMap<>(Cql.ListedBy.class))
                .merge(cellsOf.apply(row.by), row, Listed::merge);
    }

    /** Returns so many replicas. */
    private List<Integer> replicas(int count) {
        List<Integer> chosen = new ArrayList<>();
        for (int i = 0; i < PlacesModel.REPLICAS; i++) {
            if (random.nextInt(PlacesModel.REPLICAS - i) < count - chosen.size()) {
                chosen.add(i);
            }
        }
        return chosen;
    }

    private final class FrontEnd implements Cql {
        private final Runnable before;

        FrontEnd(Runnable before) {
            this.before = before;
        }

        @Override
        public @Nullable RecordRow read(byte[] key, boolean serial) throws ClusterException {
            before.run();
            synchronized (ClusterModel.this) {
                if (fault() != null) {
                    throw new ClusterException("a read was not answered", true);
                }
                if (serial && serialReadsFinish) {
                    resolve(text(key));
                }
                return rows.get(text(key));
            }
        }

        @Override
        public boolean compareAndSet(byte[] key, long expected, RecordRow next, int ttlSeconds) throws ClusterException {
            before.run();
            synchronized (ClusterModel.this) {
                Fault fault = fault();
                String text = text(key);
                if (fault == Fault.UNAVAILABLE) {
                    throw new ClusterException("not enough nodes", false);
                }
                if (fault == Fault.LOST) {
                    throw new ClusterException("a write was not answered", true);
                }
                resolve(text);
                boolean holds = RecordRow.versionOf(rows.get(text)) == expected;
                if (fault == Fault.UNDER_WAY) {
                    if (holds) {
                        underWay.put(text, new UnderWay(expected, next));
                    }
                    throw new ClusterException("a write was not answered", true);
                }
                if (holds) {
                    rows.put(text, next);
                }
                if (fault == Fault.UNANSWERED) {
                    throw new ClusterException("a write was not answered", true);
                }
                return holds;
            }
        }

        @Override
        public void settle(byte[] key, long version, int ttlSeconds) throws ClusterException {
            before.run();
            synchronized (ClusterModel.this) {
                Fault fault = fault();
                if (fault == Fault.UNAVAILABLE || fault == Fault.LOST) {
                    throw new ClusterException("a write was not answered", fault == Fault.LOST);
                }
                resolve(text(key));
                RecordRow row = rows.get(text(key));
                if (row != null && row.version() == version) {
                    rows.put(text(key), new RecordRow(version, row.change(), row.image(), null, true));
                }
                if (fault != null) {
                    throw new ClusterException("a write was not answered", true);
                }
            }
        }

        private void stamped(byte[] key, Listed row) throws ClusterException {
            before.run();
            synchronized (ClusterModel.this) {
                Fault fault = fault();
                if (fault == Fault.UNDER_WAY) {
                    late.add(() -> write(key, row));
                } else if (fault == null || fault == Fault.UNANSWERED) {
                    write(key, row);
                }
                if (fault != null) {
                    throw new ClusterException("a write was not answered", fault != Fault.UNAVAILABLE);
                }
            }
        }

        @Override
        public void list(byte[] key, ListedBy by, long stamp, int ttlSeconds) throws ClusterException {
            stamped(key, new Listed(by, stamp, 0));
        }

        @Override
        public PlaceCells places(byte[] key) throws ClusterException {
            before.run();
            synchronized (ClusterModel.this) {
                if (fault() != null) {
                    throw new ClusterException("a read was not answered", true);
                }
                return places.read(key, replicas(quorum));
            }
        }

        @Override
        public void merge(byte[] key, PlaceCells merged) throws ClusterException {
            before.run();
            synchronized (ClusterModel.this) {
                Fault fault = fault();
                int at = fault == null ? quorum : fault == Fault.UNANSWERED ? random.nextInt(PlacesModel.REPLICAS + 1) : 0;
                List<Integer> made = replicas(at);
                for (int i = 0; i < PlacesModel.REPLICAS; i++) {
                    int replica = i;
                    if (made.contains(replica)) {
                        places.merge(replica, key, merged);
                    } else if (fault != Fault.UNAVAILABLE && fault != Fault.LOST) {
                        late.add(() -> places.merge(replica, key, merged));
                    }
                }
                if (fault != null) {
                    throw new ClusterException("a write was not answered", fault != Fault.UNAVAILABLE);
                }
            }
        }

        @Override
        public void unlist(byte[] key, ListedBy by, long stamp) throws ClusterException {
            stamped(key, new Listed(by, 0, stamp));
        }

        @Override
        public List<byte[]> listed(int bucket, byte[] from, int most) throws ClusterException {
            before.run();
            synchronized (ClusterModel.this) {
                if (fault() != null) {
                    throw new ClusterException("a read was not answered", true);
                }
                return lists.getOrDefault(bucket, new TreeMap<>(Arrays::compareUnsigned)).tailMap(from).entrySet().stream()
                        .filter(each -> each.getValue().values().stream().anyMatch(Listed::lives))
                        .limit(most)
                        .map(Map.Entry::getKey)
                        .toList();
            }
        }

        @Override
        public void close() {}
    }
}
