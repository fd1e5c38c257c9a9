package io.guidepost.handle.transfer;

import io.guidepost.base.FaultyFile;
import io.guidepost.base.Malformed;
import io.guidepost.handle.json.SiteJson;
import io.guidepost.handle.value.SiteRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The folder of an existing Handle server: the settings of its {@code config.dct} under this server's keys, its site,
 * and where its records are. Read-only.
 */
public final class ServerFolder {
    private static final int PORT = 2641;
    private static final int HTTP_PORT = 8000;

    /**
     * A setting under this server's key.
     *
     * @param key of the configuration
     * @param value text, whole number, flag, or list of texts
     */
    public record Setting(String key, Object value) {}

    /**
     * The database with the records.
     *
     * @param url for JDBC
     * @param user may be empty
     * @param password may be empty
     */
    public record Database(String url, String user, String password) {
        /** Returns URL and user, but no password. */
        @Override
        public String toString() {
            return url;
        }
    }

    /** Settings of {@code server_config} that are flags, by their names there and here. */
    private static final Map<String, String> FLAGS =
            Map.of("case_sensitive", "handle.case-sensitive", "template_ns_override", "handle.namespace-override");

    /** Flags that permit something, and what they are called in {@code handle.permit}. */
    private static final Map<String, String> PERMITS = Map.of(
            "server_admin_full_access", "server-admin-full-access",
            "allow_recursion", "recursion",
            "allow_list_hdls", "listing",
            "allow_na_admins", "prefix-admins");

    /** Settings that are lists. */
    private static final Map<String, String> LISTS = Map.of(
            "server_admins", "handle.server-admins",
            "auto_homed_prefixes", "handle.auto-homed",
            "replication_admins", "handle.replication-admins",
            "status_handle_admins", "handle.status-admins");

    /** Settings of storage and threads, which differ here. */
    private static final Set<String> OWN = Set.of(
            "storage_type",
            "storage_class",
            "db_directory",
            "sql_settings",
            "bdbje_no_sync_on_write",
            "bdbje_enable_status_handle",
            "enable_bdbje",
            "backup_directory",
            "preferred_global");

    private final Path folder;
    private final DctValue.Entries config;
    private final Optional<SiteRecord> site;
    private final List<Setting> settings = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Set<String> permits = new LinkedHashSet<>(List.of("prefix-admins", "listing", "client-certificates"));

    private ServerFolder(Path folder, DctValue.Entries config, Optional<SiteRecord> site) {
        this.folder = folder;
        this.config = config;
        this.site = site;
        translate();
    }

    /**
     * Reads a folder.
     *
     * @throws FaultyFile if its {@code config.dct} or its site is malformed
     * @throws IOException if there is no {@code config.dct}, or a file cannot be read
     */
    public static ServerFolder read(Path folder) throws IOException, FaultyFile {
        Path config = folder.resolve("config.dct");
        if (!Files.isRegularFile(config)) {
            throw new IOException(folder + " has no config.dct: name the folder of a server of handles, or a dump");
        }
        return new ServerFolder(folder, DctValue.read(config), readSite(folder));
    }

    /** Returns the site description in a folder: {@code siteinfo.bin}, or else {@code siteinfo.json}. */
    private static Optional<SiteRecord> readSite(Path folder) throws IOException, FaultyFile {
        for (String name : List.of("siteinfo.bin", "siteinfo.json")) {
            if (Files.isRegularFile(folder.resolve(name))) {
                return Optional.of(readSiteFile(folder.resolve(name)));
            }
        }
        return Optional.empty();
    }

    /**
     * Reads a site description: JSON if it begins with a bracket, else binary.
     *
     * @throws FaultyFile if it is neither
     */
    public static SiteRecord readSiteFile(Path file) throws IOException, FaultyFile {
        byte[] bytes = Files.readAllBytes(file);
        try {
            return bytes.length > 0 && (bytes[0] == '{' || Character.isWhitespace(bytes[0]))
                    ? SiteJson.read(bytes)
                    : SiteRecord.read(bytes);
        } catch (Malformed e) {
            throw new FaultyFile(List.of(file + ": this is no description of a site: " + e.getMessage()), 1);
        }
    }

    private void set(String key, Object value) {
        settings.add(new Setting(key, value));
    }

    private void note(DctValue at, String text) {
        notes.add(folder.resolve("config.dct") + ":" + at.line() + ": " + text);
    }

    private void translate() {
        set("handle.enabled", true);
        if (!config.text("server_type").orElse("server").equals("server")) {
            note(config, "the server is a cache, which has no counterpart here: it becomes a server of its own records");
        }
        interfaces();
        DctValue.Entries server = config.object("server_config");
        server.entries().forEach(this::translate);
        set("handle.permit", List.copyOf(permits));
        site.ifPresent(it -> {
            if (!it.primary()) {
                set("handle.read-only", true);
            }
        });
        DctValue.Entries log = config.object("log_save_config");
        log.text("log_save_interval").ifPresent(interval -> set(
                "handle.access-log-rotation", interval.toLowerCase(Locale.ROOT)));
    }

    private void translate(String key, DctValue value) {
        if (key.equals("template_delimiter")) {
            set("handle.template-delimiter", text(value));
        } else if (FLAGS.containsKey(key)) {
            set(FLAGS.get(key), isYes(text(value)));
        } else if (PERMITS.containsKey(key)) {
            permits.remove(PERMITS.get(key));
            if (isYes(text(value))) {
                permits.add(PERMITS.get(key));
            }
        } else if (key.equals("this_server_id")) {
            number(key, value).ifPresent(number -> set("handle.server-id", number));
        } else if (LISTS.containsKey(key)) {
            set(LISTS.get(key), new DctValue.Entries(Map.of(key, value), value.line()).texts(key));
        } else if (!OWN.contains(key)) {
            note(value, key + " has no counterpart here");
        }
    }

    private Optional<Long> number(String key, DctValue value) {
        try {
            return Optional.of(Long.parseLong(text(value).strip()));
        } catch (NumberFormatException e) {
            note(value, key + " is a whole number, not '" + text(value) + "'");
            return Optional.empty();
        }
    }

    private static String text(DctValue value) {
        return value instanceof DctValue.Text it ? it.text() : "";
    }

    private static boolean isYes(String text) {
        return Set.of("yes", "y", "true", "1").contains(text.strip().toLowerCase(Locale.ROOT));
    }

    private void interfaces() {
        List<String> there = config.texts("interfaces");
        Set<String> addresses = new LinkedHashSet<>();
        boolean logged = false;
        for (String protocol : List.of("udp", "tcp", "http")) {
            boolean on = false;
            long port = protocol.equals("http") ? HTTP_PORT : PORT;
            for (String name : List.of("hdl_" + protocol, "hdl_" + protocol + "4")) {
                if (there.contains(name)) {
                    DctValue.Entries settingsOf = config.object(name + "_config");
                    port = on ? port : settingsOf.get("bind_port").flatMap(it -> number("bind_port", it)).orElse(port);
                    on = true;
                    settingsOf.text("bind_address").ifPresent(addresses::add);
                    logged |= settingsOf.text("log_accesses").map(ServerFolder::isYes).orElse(false);
                }
            }
            set("handle." + protocol + "-port", on ? port : -1L);
        }
        if (!addresses.isEmpty()) {
            set("handle.listen", List.copyOf(addresses));
        }
        if (logged) {
            set("handle.access-log", "text");
        }
    }

    /** Returns the settings under this server's keys, in the order of the keys' first occurrence. */
    public List<Setting> settings() {
        return List.copyOf(settings);
    }

    /** Returns the settings without a counterpart, a line each with {@code file:line}. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /** Returns the existing files of the server's identity: keys and site. */
    public List<Path> identityFiles() {
        return List.of("privkey.bin", "pubkey.bin", "siteinfo.bin", "siteinfo.json").stream()
                .map(folder::resolve)
                .filter(Files::isRegularFile)
                .toList();
    }

    /** Returns the database with the records, if they are in one. */
    public Optional<Database> database() {
        DctValue.Entries sql = config.object("server_config").object("sql_settings");
        return sql.text("sql_url").map(url -> new Database(
                url, sql.text("sql_login").orElse(""), sql.text("sql_passwd").orElse("")));
    }
}
