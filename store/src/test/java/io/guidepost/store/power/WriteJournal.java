package io.guidepost.store.power;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What {@code write_journal.c} recorded of a process: its calls below one folder, in the order in which they took effect. */
public final class WriteJournal {
    /** The file, just below the folder, in which the process says what it has done; it is no part of the disk. */
    public static final String MARKS = "marks";

    /**
     * One call.
     *
     * @param kind as in {@code write_journal.c}
     * @param handle the opening that it is about; 0 if none
     * @param number an offset, a size or flags
     * @param first bytes, or a path relative to the folder
     * @param second the second path of a rename or link
     */
    public record Operation(char kind, int handle, long number, byte[] first, byte[] second) {
        String path() {
            return new String(first, StandardCharsets.UTF_8);
        }

        String secondPath() {
            return new String(second, StandardCharsets.UTF_8);
        }

        /** Returns whether the names or sizes of files change, rather than bytes. */
        public boolean isAboutNames() {
            return "dxurlt".indexOf(kind) >= 0 || kind == 'o' && (number & 1) != 0;
        }
    }

    private final List<Operation> operations = new ArrayList<>();
    private final Map<Integer, String> paths = new HashMap<>();

    /**
     * Reads a journal.
     *
     * @throws AssertionError if the process did what the journal does not follow
     */
    public static WriteJournal read(Path file) throws IOException {
        WriteJournal journal = new WriteJournal();
        ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
        while (in.hasRemaining()) {
            Operation next = next(in);
            if (next.kind == '!') {
                throw new AssertionError("the journal does not follow this call: " + next.path());
            }
            journal.operations.add(next);
            if (next.kind == 'o') {
                journal.paths.put(next.handle, next.path());
            }
        }
        return journal;
    }

    private static Operation next(ByteBuffer in) {
        try {
            char kind = (char) in.get();
            int handle = in.getInt();
            long number = in.getLong();
            byte[] first = new byte[in.getInt()];
            byte[] second = new byte[in.getInt()];
            in.get(first).get(second);
            return new Operation(kind, handle, number, first, second);
        } catch (BufferUnderflowException e) {
            throw new AssertionError("the journal ends in the middle of an entry", e);
        }
    }

    /** Returns all calls. */
    public List<Operation> operations() {
        return operations;
    }

    /** Returns the number of calls of a kind. */
    public long count(char kind) {
        return count(kind, "");
    }

    /** Returns the number of calls of a kind about files opened whose paths have an ending. */
    public long count(char kind, String ending) {
        return operations.stream()
                .filter(each -> each.kind == kind && paths.getOrDefault(each.handle, "").endsWith(ending))
                .count();
    }

    /** Returns the first mark of a kind. */
    public Marks.Mark mark(char kind) {
        return Marks.Mark.of(operations.get(indexOf(kind)).first);
    }

    /** Returns the calls between the first mark of one kind and the first of another. */
    public WriteJournal between(char begin, char end) {
        WriteJournal part = new WriteJournal();
        part.paths.putAll(paths);
        part.operations.addAll(operations.subList(indexOf(begin) + 1, indexOf(end)));
        return part;
    }

    private int indexOf(char mark) {
        for (int i = 0; i < operations.size(); i++) {
            Operation each = operations.get(i);
            if (each.kind == 'w' && each.first[0] == mark && paths.getOrDefault(each.handle, "").endsWith("/" + MARKS)) {
                return i;
            }
        }
        throw new AssertionError("no mark " + mark);
    }
}
