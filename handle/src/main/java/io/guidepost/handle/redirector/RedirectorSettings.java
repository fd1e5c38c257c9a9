package io.guidepost.handle.redirector;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Settings of the redirector. Immutable.
 *
 * @param pages for hosts without pages of their own
 * @param hosts pages by requested host name, in lower case and without a port ({@code virtual_hosts})
 * @param headers added to each response ({@code headers})
 * @param robots the text of {@code /robots.txt} ({@code robots_txt})
 * @param icon the bytes of {@code /favicon.ico}, if not the built-in one ({@code favicon})
 */
public record RedirectorSettings(
        RedirectorPages pages,
        Map<String, RedirectorPages> hosts,
        Map<String, String> headers,
        String robots,
        Optional<byte[]> icon) {
    /** The built-in pages, open to robots. */
    public static final RedirectorSettings USUAL = new RedirectorSettings(
            RedirectorPages.OF_THE_HOUSE, Map.of(), Map.of(), "User-agent: *\nDisallow: /api/\n", Optional.empty());

    /**
     * Copies the collections.
     *
     * @throws IllegalArgumentException if a header is malformed
     */
    public RedirectorSettings {
        Map<String, RedirectorPages> byHost = new LinkedHashMap<>();
        hosts.forEach((host, its) -> byHost.put(host.toLowerCase(Locale.ROOT), its));
        hosts = Map.copyOf(byHost);
        headers = Map.copyOf(headers);
        headers.forEach((name, value) -> {
            if (!name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+") || !value.matches("[\\t -~]*")) {
                throw new IllegalArgumentException("'" + name + ": " + value + "' is not a header of HTTP");
            }
        });
    }

    /**
     * Reads the settings from a folder, if any, in which each file is optional: {@code query.html},
     * {@code response.html} and {@code error.html}, see {@link RedirectorPages}; {@code robots.txt}; {@code favicon.ico}; and in
     * {@code hosts/NAME} the pages for a host of that name.
     *
     * @param headers added to each response
     * @throws IOException if a file cannot be read, or is too long
     * @throws IllegalArgumentException if a header is malformed
     */
    public static RedirectorSettings of(Optional<Path> folder, Map<String, String> headers) throws IOException {
        return folder.isPresent()
                ? ofFolder(folder.get(), headers)
                : new RedirectorSettings(USUAL.pages, USUAL.hosts, headers, USUAL.robots, USUAL.icon);
    }

    private static RedirectorSettings ofFolder(Path folder, Map<String, String> headers) throws IOException {
        Map<String, RedirectorPages> byHost = new LinkedHashMap<>();
        Path hosts = folder.resolve("hosts");
        if (Files.isDirectory(hosts)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(hosts, Files::isDirectory)) {
                for (Path each : all) {
                    byHost.put(String.valueOf(each.getFileName()), pages(each));
                }
            }
        }
        Optional<Path> robots = file(folder, "robots.txt");
        Optional<Path> icon = file(folder, "favicon.ico");
        return new RedirectorSettings(
                pages(folder),
                byHost,
                headers,
                robots.isPresent() ? Files.readString(robots.get()) : USUAL.robots,
                icon.isPresent() ? Optional.of(Files.readAllBytes(icon.get())) : Optional.empty());
    }

    private static RedirectorPages pages(Path folder) throws IOException {
        return RedirectorPages.ofFiles(
                file(folder, "query.html"), file(folder, "response.html"), file(folder, "error.html"),
                file(folder, "contact.txt"));
    }

    private static Optional<Path> file(Path folder, String name) {
        return Optional.of(folder.resolve(name)).filter(Files::isRegularFile);
    }

    /** Returns the pages for a request's Host header. */
    RedirectorPages pages(Optional<String> host) {
        if (host.isEmpty() || hosts.isEmpty()) {
            return pages;
        }
        String name = host.get().toLowerCase(Locale.ROOT).strip();
        int colon = name.lastIndexOf(':');
        boolean port = colon > 0 && name.indexOf(']', colon) < 0;
        return hosts.getOrDefault(port ? name.substring(0, colon) : name, pages);
    }
}
