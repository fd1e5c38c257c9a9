package io.guidepost.store.power;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A model of a file system on a disk: what was synced stays, and of the rest any part may be there after a power loss.
 *
 * <p>It is fed with a {@link WriteJournal}, call by call, and makes an image of what is left at any point. In an image, by
 * {@link Guarantees}:
 *
 * <pre>
 *                            POSIX                                  ORDERED (ext4, data=ordered)
 *  synced bytes and size     there                                  there
 *  other bytes of a file     any subset of sectors of 512 bytes,    a beginning of what was appended, cut between pages
 *                            independent of other files             of 4 KiB; independent of other files
 *  size of a file            to the last sector that is there, or   to the last byte that is there
 *                            up to the size it had, zeros between
 *  changes of names          those of a synced folder; of the       those before the last sync of anything; of the rest
 *                            others of each folder those up to      those up to some point, of all folders in order
 *                            some point, independent of the rest
 *  a rename                  both names change, or neither          the same
 * </pre>
 *
 * <p>Both say less than disks do: no byte is there that was never written at its place, but zeros, and no sector is half old
 * and half new. {@code sync_file_range} promises nothing.
 */
public final class VolatileDisk {
    /** What a file system promises of that which was not synced. */
    public enum Guarantees {
        POSIX(512),
        ORDERED(4096);

        final int unit;

        Guarantees(int unit) {
            this.unit = unit;
        }
    }

    private sealed interface Node permits FileNode, Folder {}

    /** Bytes at a place, or if there are none a new size. */
    private record Change(long offset, byte @Nullable [] bytes) {
        long end() {
            return bytes == null ? offset : offset + bytes.length;
        }
    }

    private static final class FileNode implements Node {
        private byte[] durable = new byte[0];
        private final List<Change> pending = new ArrayList<>();
        private boolean followed = true;

        void sync() {
            durable = with(pending, List.of());
            pending.clear();
        }

        /** Returns the durable bytes with changes made to them, and then parts of changes. */
        byte[] with(List<Change> whole, List<Change> parts) {
            byte[] bytes = durable;
            int size = durable.length;
            boolean copied = false;
            for (List<Change> changes : List.of(whole, parts)) {
                for (Change each : changes) {
                    int end = Math.toIntExact(each.end());
                    if (each.bytes == null) {
                        bytes = Arrays.copyOf(bytes, end);
                        size = end;
                        copied = true;
                        continue;
                    }
                    if (end > bytes.length || !copied) {
                        bytes = Arrays.copyOf(bytes, Math.max(end, 2 * size));
                        copied = true;
                    }
                    System.arraycopy(each.bytes, 0, bytes, Math.toIntExact(each.offset), each.bytes.length);
                    size = Math.max(size, end);
                }
            }
            return bytes.length == size ? bytes : Arrays.copyOf(bytes, size);
        }
    }

    private static final class Folder implements Node {
        private final Map<String, Node> now = new TreeMap<>();
        private final Map<String, Node> durable = new TreeMap<>();
    }

    /** A name that appears in a folder, or if there is no node disappears. */
    private record Entry(Folder folder, String name, @Nullable Node node) {
        void in(Map<String, Node> names) {
            if (node == null) {
                names.remove(name);
            } else {
                names.put(name, node);
            }
        }
    }

    private final Guarantees guarantees;
    private final Folder root = new Folder();
    private final Path folder;
    private final Map<Integer, Node> opened = new HashMap<>();

    /** Changes of names that are not durable, in order; the entries of one go together. */
    private final List<List<Entry>> pendingNames = new ArrayList<>();

    /**
     * A disk with what a folder holds, all of it synced.
     *
     * @param folder that the journal is about; its content is read now
     */
    public VolatileDisk(Path folder, Guarantees guarantees) throws IOException {
        this.folder = folder;
        this.guarantees = guarantees;
        load(folder, root);
    }

    private static void load(Path from, Folder to) throws IOException {
        try (Stream<Path> all = Files.list(from)) {
            for (Path each : all.toList()) {
                Node node;
                if (Files.isDirectory(each)) {
                    Folder inner = new Folder();
                    load(each, inner);
                    node = inner;
                } else {
                    FileNode file = new FileNode();
                    file.durable = Files.readAllBytes(each);
                    node = file;
                }
                String name = each.getFileName().toString();
                to.now.put(name, node);
                to.durable.put(name, node);
            }
        }
    }

    /** Makes a call. */
    public void apply(WriteJournal.Operation call) {
        switch (call.kind()) {
            case 'o' -> open(call);
            case 'w' -> file(call).pending.add(new Change(call.number(), call.first()));
            case 't' -> file(call).pending.add(new Change(call.number(), null));
            case 'i' -> file(call).followed = false;
            case 's' -> sync(opened(call));
            case 'S' -> syncAll(root);
            case 'd' -> rename(List.of(entry(call.path(), new Folder())));
            case 'x', 'u' -> rename(List.of(entry(call.path(), null)));
            case 'l' -> rename(List.of(entry(call.secondPath(), node(call.path()))));
            case 'r' -> rename(List.of(entry(call.path(), null), entry(call.secondPath(), node(call.path()))));
            case 'c' -> opened.remove(call.handle());
            default -> {}
        }
    }

    private void open(WriteJournal.Operation call) {
        if ((call.number() & 1) != 0) {
            rename(List.of(entry(call.path(), new FileNode())));
        }
        Node node = node(call.path());
        opened.put(call.handle(), node);
        if ((call.number() & 2) != 0 && node instanceof FileNode file) {
            file.pending.add(new Change(0, null));
        }
    }

    private Node opened(WriteJournal.Operation call) {
        Node node = opened.get(call.handle());
        if (node == null) {
            throw new AssertionError("a call '" + call.kind() + "' for what was never opened");
        }
        return node;
    }

    private FileNode file(WriteJournal.Operation call) {
        return (FileNode) opened(call);
    }

    private Path relative(String path) {
        return folder.relativize(Path.of(path).normalize());
    }

    private Node node(String path) {
        Node node = root;
        for (Path part : relative(path)) {
            if (!part.toString().isEmpty()) {
                node = ((Folder) node).now.get(part.toString());
            }
            if (node == null) {
                throw new AssertionError("the journal knows no " + path);
            }
        }
        return node;
    }

    private Entry entry(String path, @Nullable Node node) {
        Path whole = Path.of(path).normalize();
        Folder parent = (Folder) node(String.valueOf(whole.getParent()));
        return new Entry(parent, String.valueOf(whole.getFileName()), node);
    }

    private void rename(List<Entry> together) {
        together.forEach(each -> each.in(each.folder.now));
        pendingNames.add(together);
    }

    private void sync(Node node) {
        if (node instanceof FileNode file) {
            file.sync();
        }
        Set<Folder> synced = new HashSet<>();
        if (node instanceof Folder names) {
            synced.add(names);
        }
        // What a change builds on was before it: in the same folder, or in one that a rename ties to it.
        List<List<Entry>> made = new ArrayList<>();
        for (int i = pendingNames.size() - 1; i >= 0; i--) {
            List<Entry> each = pendingNames.get(i);
            if (guarantees == Guarantees.ORDERED || each.stream().anyMatch(one -> synced.contains(one.folder))) {
                each.forEach(one -> synced.add(one.folder));
                made.addFirst(each);
                pendingNames.remove(i);
            }
        }
        made.forEach(each -> each.forEach(one -> one.in(one.folder.durable)));
    }

    private void syncAll(Node node) {
        sync(node);
        if (node instanceof Folder names) {
            names.now.values().forEach(this::syncAll);
        }
    }

    /** Returns the folder, or for all of them one, within which changes of names keep their order. */
    private Folder ordered(Entry entry) {
        return guarantees == Guarantees.ORDERED ? root : entry.folder;
    }

    /** Writes what is left to a folder that does not exist: of what was not synced, what chance wants. */
    public void image(Path target, SplittableRandom random) throws IOException {
        // In one image of eight nothing is left, in another everything: chance seldom comes to either.
        int extreme = random.nextInt(8);
        image(target, random, extreme == 0 ? 0 : extreme == 1 ? 1 : random.nextInt(1, 8) / 8.0);
    }

    /** Writes to a folder that does not exist what was synced, and nothing else. */
    public void syncedOnly(Path target, SplittableRandom random) throws IOException {
        image(target, random, 0);
    }

    private void image(Path target, SplittableRandom random, double share) throws IOException {
        Map<Folder, Map<String, Node>> names = new HashMap<>();
        Map<Folder, Integer> left = new HashMap<>();
        for (List<Entry> each : pendingNames) {
            each.stream().map(this::ordered).distinct().forEach(at -> left.merge(at, 1, Integer::sum));
        }
        left.replaceAll((at, changes) -> share == 0 ? 0 : share == 1 ? changes : random.nextInt(changes + 1));
        for (List<Entry> each : pendingNames) {
            List<Folder> folders = each.stream().map(this::ordered).distinct().toList();
            if (folders.stream().allMatch(at -> left.getOrDefault(at, 0) > 0)) {
                folders.forEach(at -> left.merge(at, -1, Integer::sum));
                each.forEach(one -> one.in(names.computeIfAbsent(one.folder, at -> new TreeMap<>(at.durable))));
            } else {
                folders.forEach(at -> left.put(at, 0));
            }
        }
        Files.createDirectory(target);
        write(target, root, names, file -> left(file, share, random));
    }

    /** Writes all there is to a folder that does not exist, but for files that the journal did not follow. */
    public void everything(Path target) throws IOException {
        Files.createDirectory(target);
        Map<Folder, Map<String, Node>> names = new HashMap<>();
        pendingNames.forEach(each -> each.forEach(one -> names.put(one.folder, one.folder.now)));
        write(target, root, names, file -> file.followed ? file.with(file.pending, List.of()) : new byte[0]);
    }

    /** Returns whether the journal tells the content of a file. */
    public boolean follows(Path file) {
        return !(node(file.toString()) instanceof FileNode node) || node.followed;
    }

    private interface Content {
        byte[] of(FileNode file);
    }

    private static void write(Path target, Folder from, Map<Folder, Map<String, Node>> names, Content content)
            throws IOException {
        for (Map.Entry<String, Node> each : names.getOrDefault(from, from.durable).entrySet()) {
            Path path = target.resolve(each.getKey());
            switch (each.getValue()) {
                case Folder inner -> {
                    Files.createDirectory(path);
                    write(path, inner, names, content);
                }
                case FileNode file -> {
                    if (!each.getKey().equals(WriteJournal.MARKS)) {
                        Files.write(path, content.of(file));
                    }
                }
            }
        }
    }

    private byte[] left(FileNode file, double share, SplittableRandom random) {
        List<Change> pending = file.pending;
        if (pending.isEmpty() || share == 0) {
            return file.durable;
        }
        if (share == 1) {
            return file.with(pending, List.of());
        }
        int beginning = random.nextInt(pending.size() + 1);
        boolean scattered = guarantees == Guarantees.POSIX && random.nextBoolean();
        List<Change> parts = new ArrayList<>();
        if (scattered) {
            beginning = 0;
            Set<Long> lost = new HashSet<>();
            pending.forEach(each -> parts.addAll(some(each, share, random, lost)));
            if (random.nextInt(4) == 0) {
                grow(file, parts);
            }
        } else if (beginning < pending.size()) {
            Change torn = pending.get(beginning);
            parts.addAll(upTo(torn, torn.offset + random.nextLong(torn.end() - torn.offset + 1)));
        }
        return file.with(pending.subList(0, beginning), parts);
    }

    /** Gives a file the size that it had, without all the bytes. */
    private static void grow(FileNode file, List<Change> parts) {
        int size = file.with(file.pending, List.of()).length;
        if (size > file.with(List.of(), parts).length) {
            parts.add(new Change(size, null));
        }
    }

    /** Returns some of the sectors of a change. A sector that has lost one has none of those behind it: a disk writes it whole. */
    private List<Change> some(Change change, double share, SplittableRandom random, Set<Long> lost) {
        byte[] bytes = change.bytes;
        if (bytes == null) {
            return random.nextDouble() < share ? List.of(change) : List.of();
        }
        List<Change> sectors = new ArrayList<>();
        long from = change.offset;
        while (from < change.end()) {
            long sector = from / guarantees.unit;
            long to = Math.min(change.end(), (sector + 1) * guarantees.unit);
            if (!lost.contains(sector) && random.nextDouble() < share) {
                sectors.add(part(change, bytes, from, to));
            } else {
                lost.add(sector);
            }
            from = to;
        }
        return sectors;
    }

    /** Returns the beginning of a change, up to the last boundary of a sector or page before an offset. */
    private List<Change> upTo(Change change, long offset) {
        long end = offset / guarantees.unit * guarantees.unit;
        byte[] bytes = change.bytes;
        return bytes == null || end <= change.offset ? List.of() : List.of(part(change, bytes, change.offset, end));
    }

    private static Change part(Change change, byte[] bytes, long from, long to) {
        return new Change(
                from, Arrays.copyOfRange(bytes, (int) (from - change.offset), (int) (to - change.offset)));
    }
}
