package io.guidepost.server.admin;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON (RFC 8259), as an admin port gives it: objects as maps in their order, arrays as lists, whole numbers as
 * Long, others as Double, null as the empty text.
 */
public final class JsonPageReader {
    /** Deeper ones are not ours, and would cost the stack. */
    private static final int DEPTH_MAX = 32;

    private final String text;
    private int at;
    private int depth;

    private JsonPageReader(String text) {
        this.text = text;
    }

    /**
     * Reads a text that holds one object.
     *
     * @throws IOException if it is something else, saying where
     */
    public static Map<String, Object> read(String text) throws IOException {
        JsonPageReader reader = new JsonPageReader(text);
        reader.blanks();
        Map<String, Object> object = reader.object();
        if (reader.at < text.length()) {
            throw reader.wrong("the end");
        }
        return object;
    }

    private IOException wrong(String expected) {
        return new IOException("the answer is not JSON: at character " + at + " should be " + expected);
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
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

    private void need(char wanted) throws IOException {
        if (!take(wanted)) {
            throw wrong("'" + wanted + "'");
        }
    }

    private Object value() throws IOException {
        if (at == text.length()) {
            throw wrong("a value");
        }
        return switch (text.charAt(at)) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            default -> word();
        };
    }

    private void deeper() throws IOException {
        if (++depth > DEPTH_MAX) {
            throw wrong("less depth");
        }
    }

    private Map<String, Object> object() throws IOException {
        deeper();
        Map<String, Object> object = new LinkedHashMap<>();
        need('{');
        if (!take('}')) {
            do {
                String name = string();
                need(':');
                object.put(name, value());
            } while (take(','));
            need('}');
        }
        depth--;
        return object;
    }

    private List<Object> array() throws IOException {
        deeper();
        List<Object> array = new ArrayList<>();
        need('[');
        if (!take(']')) {
            do {
                array.add(value());
            } while (take(','));
            need(']');
        }
        depth--;
        return array;
    }

    private String string() throws IOException {
        if (at == text.length() || text.charAt(at) != '"') {
            throw wrong("'\"'");
        }
        StringBuilder string = new StringBuilder();
        for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
            string.append(text.charAt(at) == '\\' ? escaped() : text.charAt(at));
        }
        need('"');
        return string.toString();
    }

    private char escaped() throws IOException {
        at++;
        char kind = at < text.length() ? text.charAt(at) : ' ';
        return switch (kind) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case '"', '\\', '/' -> kind;
            case 'u' -> unicode();
            default -> throw wrong("an escape that JSON knows");
        };
    }

    private char unicode() throws IOException {
        try {
            if (at + 4 < text.length()) {
                at += 4;
                return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
            }
        } catch (NumberFormatException e) {
            // Said below, as for a text that ends too soon.
        }
        throw wrong("four hexadecimal digits");
    }

    private Object word() throws IOException {
        int from = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(from, at);
        blanks();
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            case "null" -> "";
            default -> number(word, from);
        };
    }

    private Object number(String word, int from) throws IOException {
        try {
            return word.matches("-?[0-9]+") ? (Object) Long.valueOf(word) : Double.valueOf(word);
        } catch (NumberFormatException e) {
            at = from;
            throw wrong("a value");
        }
    }
}
