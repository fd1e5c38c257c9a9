package io.guidepost.handle.transfer;

import io.guidepost.base.FaultyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A value in a {@code .dct} file, the configuration files of existing servers: texts in double quotes, objects
 * {@code { "key" = value ... }} and lists {@code ( value ... )}, separated by white space; there are no comments. A
 * value knows its line.
 */
sealed interface DctValue {
    /** Returns the line of its beginning, from 1. */
    int line();

    /** A text. */
    record Text(String text, int line) implements DctValue {}

    /** An object; of duplicate keys the last counts. */
    record Entries(Map<String, DctValue> entries, int line) implements DctValue {
        /** Returns the value of a key. */
        public Optional<DctValue> get(String key) {
            return Optional.ofNullable(entries.get(key));
        }

        /** Returns the text of a key; empty if it is absent, or another kind of value. */
        public Optional<String> text(String key) {
            return get(key).flatMap(each -> each instanceof Text it ? Optional.of(it.text) : Optional.empty());
        }

        /** Returns the object of a key; an empty one if it is absent, or another kind of value. */
        public Entries object(String key) {
            return get(key)
                    .flatMap(each -> each instanceof Entries it ? Optional.of(it) : Optional.empty())
                    .orElse(new Entries(Map.of(), line));
        }

        /** Returns the texts of a list, or a single text; none if the key is absent. */
        public List<String> texts(String key) {
            return switch (entries.get(key)) {
                case Text text -> List.of(text.text);
                case Elements list ->
                    list.elements.stream()
                            .filter(Text.class::isInstance)
                            .map(each -> ((Text) each).text)
                            .toList();
                case null, default -> List.of();
            };
        }
    }

    /** A list. */
    record Elements(List<DctValue> elements, int line) implements DctValue {}

    /**
     * Parses a file, which holds one object.
     *
     * @throws FaultyFile if it is malformed, with the line
     */
    static Entries read(Path file) throws IOException, FaultyFile {
        return parse(Files.readString(file), file.toString());
    }

    /**
     * Parses a text that is one object.
     *
     * @param name of the file in faults
     * @throws FaultyFile if it is malformed, with the line
     */
    static Entries parse(String text, String name) throws FaultyFile {
        Parser parser = new Parser(text, name);
        parser.blanks();
        if (!(parser.value(0) instanceof Entries entries)) {
            throw parser.wrong("a file begins with {");
        }
        parser.blanks();
        if (parser.at < text.length()) {
            throw parser.wrong("nothing follows the last }");
        }
        return entries;
    }

    /** Parses front to back. */
    final class Parser {
        /** Real files have three levels. */
        private static final int DEPTH_MAX = 32;

        private final String text;
        private final String name;
        private int at;
        private int line = 1;

        private Parser(String text, String name) {
            this.text = text;
            this.name = name;
        }

        private FaultyFile wrong(String right) {
            String found = at < text.length() ? "'" + text.charAt(at) + "'" : "the end of the file";
            return new FaultyFile(List.of(name + ":" + line + ": " + right + "; here is " + found), 1);
        }

        private void blanks() {
            while (at < text.length() && (Character.isWhitespace(text.charAt(at)) || text.charAt(at) == '\ufeff')) {
                line += text.charAt(at) == '\n' ? 1 : 0;
                at++;
            }
        }

        private boolean take(char wanted) {
            boolean there = at < text.length() && text.charAt(at) == wanted;
            at += there ? 1 : 0;
            if (there) {
                blanks();
            }
            return there;
        }

        private DctValue value(int depth) throws FaultyFile {
            if (depth > DEPTH_MAX) {
                throw wrong("objects and lists are at most " + DEPTH_MAX + " deep");
            }
            int begin = line;
            if (take('{')) {
                Map<String, DctValue> entries = new LinkedHashMap<>();
                while (!take('}')) {
                    String key = quoted();
                    if (!take('=')) {
                        throw wrong("behind the key \"" + key + "\" stands =");
                    }
                    entries.put(key, value(depth + 1));
                }
                return new Entries(entries, begin);
            }
            if (take('(')) {
                List<DctValue> elements = new ArrayList<>();
                while (!take(')')) {
                    elements.add(value(depth + 1));
                }
                return new Elements(elements, begin);
            }
            return new Text(quoted(), begin);
        }

        private String quoted() throws FaultyFile {
            if (at == text.length() || text.charAt(at) != '"') {
                throw wrong("a text begins with \"");
            }
            StringBuilder quoted = new StringBuilder();
            for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
                char c = text.charAt(at);
                line += c == '\n' ? 1 : 0;
                if (c == '\\' && at + 1 < text.length()) {
                    char escaped = text.charAt(++at);
                    line += escaped == '\n' ? 1 : 0;
                    c = escaped == 'n' ? '\n' : escaped;
                }
                quoted.append(c);
            }
            if (at == text.length()) {
                throw wrong("a text ends with \"");
            }
            at++;
            blanks();
            return quoted.toString();
        }
    }
}
