package io.guidepost.proximity.input;

import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Kinds of files, recognised by their content and not by their name. */
enum NetworkFileKind {
    ORACLE("configuration of the Oracle"),
    GRAPHML("GraphML"),
    NODE_LINK("JSON of nodes and links"),
    REPETITA("graph of Repetita"),
    PREFIXES("list of prefixes");

    private static final Set<String> STATEMENTS =
            Set.of("configdir", "routers", "threads", "port", "iroutes", "router", "snetwork", "enetwork");

    /** Text for people. */
    private final String text;

    NetworkFileKind(String text) {
        this.text = text;
    }

    /** Returns a text for people. */
    String text() {
        return text;
    }

    /** Recognises a file by its decompressed beginning; empty if it is of no known kind. */
    static Optional<NetworkFileKind> of(Path file) throws IOException {
        try (BoundedFile in = BoundedFile.of(file)) {
            byte[] beginning = in.readNBytes(InputLimits.LOOK_BYTES);
            boolean wide = beginning.length > 1 && (beginning[0] & 0xff) + (beginning[1] & 0xff) == 0xfe + 0xff;
            return of(new String(beginning, wide ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8));
        }
    }

    private static Optional<NetworkFileKind> of(String beginning) {
        String text = beginning.startsWith("\ufeff") ? beginning.substring(1) : beginning;
        String first = text.lines().map(NetworkFileKind::content).filter(each -> !each.isEmpty()).findFirst().orElse("");
        if (first.startsWith("<")) {
            return Optional.of(GRAPHML);
        }
        if (first.startsWith("{") || first.startsWith("[")) {
            return Optional.of(NODE_LINK);
        }
        String word = first.split("[\\s,;]", 2)[0].replace("\"", "");
        if (word.equals("NODES")) {
            return Optional.of(REPETITA);
        }
        if (STATEMENTS.contains(word)) {
            return Optional.of(ORACLE);
        }
        return word.toLowerCase(Locale.ROOT).equals("prefix") || isPrefix(word) ? Optional.of(PREFIXES) : Optional.empty();
    }

    private static String content(String line) {
        int comment = line.indexOf('#');
        return (comment < 0 ? line : line.substring(0, comment)).strip();
    }

    private static boolean isPrefix(String word) {
        try {
            Prefix.parse(word);
            return true;
        } catch (Malformed e) {
            return false;
        }
    }
}
