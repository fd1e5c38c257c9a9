package io.guidepost.alto.update;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Two JSON documents without the members that are equal in both, byte by byte. Patches address members by name, so a
 * patch of the remainders is a patch of the documents. The tree of a map with a million blocks takes a gigabyte; that
 * of the few changed PIDs does not.
 *
 * @param from remainder of the first document
 * @param to remainder of the second document
 */
@SuppressWarnings("ArrayRecordComponent") // Read once.
record TreeDiff(byte[] from, byte[] to) {
    /** Levels of nested objects that are compared; deeper ones are kept whole. */
    private static final int DEPTH_MAX = 8;

    /** Reduces two JSON documents. Other text is kept whole. */
    static TreeDiff of(byte[] from, byte[] to) {
        try {
            Walk last = new Walk(from);
            Walk next = new Walk(to);
            last.values(0, from.length, next, 0, to.length, DEPTH_MAX);
            return new TreeDiff(last.left.toByteArray(), next.left.toByteArray());
        } catch (IndexOutOfBoundsException e) {
            return new TreeDiff(from, to);
        }
    }

    /** The range of a value in a document. */
    private record Span(int start, int end) {}

    /** One of the two documents, and its remainder. Only brackets are parsed. */
    private static final class Walk {
        private final byte[] text;
        private final ByteArrayOutputStream left = new ByteArrayOutputStream();

        Walk(byte[] text) {
            this.text = text;
        }

        /** Keeps the differing parts of two values. */
        void values(int start, int end, Walk other, int otherStart, int otherEnd, int depth) {
            if (depth == 0 || text[start] != '{' || other.text[otherStart] != '{') {
                left.write(text, start, end - start);
                other.left.write(other.text, otherStart, otherEnd - otherStart);
                return;
            }
            Map<String, Span> members = members(start);
            Map<String, Span> others = other.members(otherStart);
            left.write('{');
            other.left.write('{');
            String before = "";
            String otherBefore = "";
            for (Map.Entry<String, Span> each : members.entrySet()) {
                Span here = each.getValue();
                Span there = others.remove(each.getKey());
                if (there == null) {
                    name(before, each.getKey());
                    left.write(text, here.start, here.end - here.start);
                    before = ",";
                } else if (!Arrays.equals(text, here.start, here.end, other.text, there.start, there.end)) {
                    name(before, each.getKey());
                    other.name(otherBefore, each.getKey());
                    values(here.start, here.end, other, there.start, there.end, depth - 1);
                    before = ",";
                    otherBefore = ",";
                }
            }
            for (Map.Entry<String, Span> each : others.entrySet()) {
                other.name(otherBefore, each.getKey());
                other.left.write(other.text, each.getValue().start, each.getValue().end - each.getValue().start);
                otherBefore = ",";
            }
            left.write('}');
            other.left.write('}');
        }

        private void name(String before, String name) {
            left.writeBytes((before + name + ':').getBytes(StandardCharsets.ISO_8859_1));
        }

        /** Returns the members of an object, by their names with quotes and escapes. */
        private Map<String, Span> members(int start) {
            Map<String, Span> members = new LinkedHashMap<>();
            int at = space(start + 1);
            while (text[at] != '}') {
                int nameEnd = string(at);
                String name = new String(text, at, nameEnd - at, StandardCharsets.ISO_8859_1);
                int value = space(space(nameEnd) + 1);
                int end = value(value);
                members.put(name, new Span(value, end));
                at = space(end);
                at = text[at] == ',' ? space(at + 1) : at;
            }
            return members;
        }

        private int space(int from) {
            int at = from;
            while (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t') {
                at++;
            }
            return at;
        }

        /** Returns the end of a string that begins here. */
        private int string(int from) {
            int at = from + 1;
            while (text[at] != '"') {
                at += text[at] == '\\' ? 2 : 1;
            }
            return at + 1;
        }

        /** Returns the end of a value that begins here. */
        private int value(int from) {
            int at = from;
            int open = 0;
            while (true) {
                switch (text[at]) {
                    case '"' -> at = string(at) - 1;
                    case '{', '[' -> open++;
                    case '}', ']' -> open--;
                    default -> { }
                }
                at++;
                if (open == 0 && (text[at] == ',' || text[at] == '}' || text[at] == ']')) {
                    return at;
                }
            }
        }
    }
}
