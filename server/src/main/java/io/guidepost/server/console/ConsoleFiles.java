package io.guidepost.server.console;

import io.guidepost.server.admin.AdminPort;
import io.guidepost.web.HttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.regex.Pattern;

/** The files of the console, which are resources of the server. */
final class ConsoleFiles {
    private static final Pattern FILE = Pattern.compile("(?:lib/)?[A-Za-z0-9][A-Za-z0-9.-]*");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml");

    /** A page may load what this server gives, and nothing else: no script within it, no other host, no frame around it. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none';"
                    + " form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

    private ConsoleFiles() {}

    /**
     * Answers with a file.
     *
     * @param name behind {@code /ui/}; empty = the first page
     */
    public static HttpResponse answer(String name) throws IOException {
        String file = name.isEmpty() ? "index.html" : name;
        String type = TYPES.get(file.substring(file.lastIndexOf('.') + 1));
        if (type == null || !FILE.matcher(file).matches()) {
            return AdminPort.error(404, "the console has no file " + name);
        }
        try (InputStream in = ConsoleFiles.class.getResourceAsStream(file)) {
            return in == null
                    ? AdminPort.error(404, "the console has no file " + name)
                    : HttpResponse.of(200, type, in.readAllBytes())
                            .with("Content-Security-Policy", POLICY)
                            .with("Referrer-Policy", "no-referrer")
                            .with("Cross-Origin-Opener-Policy", "same-origin");
        }
    }
}
