package io.guidepost.handle.json;

import io.guidepost.base.Malformed;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.SiteServer;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import io.guidepost.web.JsonWriter;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Sites in JSON: {@code siteinfo.json}, the value of data in format {@code site}, and the response to
 * {@code /api/site}.
 *
 * <pre>
 *  {"version":1, "protocolVersion":"2.11", "serialNumber":1, "primarySite":true, "multiPrimary":false,
 *   "hashOption":0 or 1 (2, the whole handle, is omitted), "hashFilter":text (if any),
 *   "attributes":[{"name":"desc","value":"..."}],
 *   "servers":[{"serverId":1, "address":"127.0.0.1",
 *               "publicKey":{"format":"key","value":JWK} or {"format":"base64","value":"..."},
 *               "interfaces":[{"query":true,"admin":true,"protocol":"TCP","port":2641}]}]}
 * </pre>
 */
public final class SiteJson {
    private static final int FORMAT = 1;
    private static final Pattern ZEROS = Pattern.compile("(?:^|:)0(?::0)+(?::|$)");

    private SiteJson() {}

    /**
     * Reads {@code siteinfo.json}.
     *
     * @throws Malformed naming the first wrong field
     */
    public static SiteRecord read(byte[] text) throws Malformed {
        return read(JsonValue.read(text).whole());
    }

    /** Writes {@code siteinfo.json}, indented. */
    public static byte[] write(SiteRecord site) {
        return JsonWriter.bytes(true, out -> JsonWriter.write(out, of(site)));
    }

    /** Returns the JSON form of a site, as {@link JsonWriter#write} takes it. */
    public static Map<String, Object> of(SiteRecord site) {
        return JsonWriter.object(
                "version", FORMAT,
                "protocolVersion", site.majorVersion() + "." + site.minorVersion(),
                "serialNumber", site.serial(),
                "primarySite", site.primary(),
                "multiPrimary", site.multiPrimary(),
                "hashOption", site.hash() == SiteRecord.Hash.HANDLE ? null : site.hash().code(),
                "hashFilter", site.hashFilter().length == 0 ? null : new String(site.hashFilter(), StandardCharsets.UTF_8),
                "attributes", site.attributes().stream()
                        .map(each -> JsonWriter.object("name", each.name(), "value", each.value()))
                        .toList(),
                "servers", site.servers().stream().map(SiteJson::of).toList());
    }

    private static Map<String, Object> of(SiteServer server) {
        return JsonWriter.object(
                "serverId", server.id(),
                "address", address(server.inetAddress()),
                "publicKey", keyOf(server.publicKey()),
                "interfaces", server.interfaces().stream()
                        .map(each -> JsonWriter.object(
                                "query", each.query(),
                                "admin", each.admin(),
                                "protocol", each.transport().name(),
                                "port", each.port()))
                        .toList());
    }

    /** Returns the text of an address, IPv6 without the first longest run of zeros (RFC 5952). */
    private static String address(InetAddress address) {
        String text = address.getHostAddress();
        return ZEROS.matcher(text)
                .results()
                .max(Comparator.comparingInt(run -> run.group().replace(":", "").length()))
                .map(run -> text.substring(0, run.start()) + "::" + text.substring(run.end()))
                .orElse(text);
    }

    /** Returns a key record as data in format {@code key}; in base64 if it has no JSON form. */
    private static Map<String, Object> keyOf(byte[] record) {
        return key(record)
                .map(key -> JsonWriter.object("format", "key", "value", KeyJson.of(key)))
                .orElseGet(() -> JsonWriter.object("format", "base64", "value", Base64.getEncoder().encodeToString(record)));
    }

    /** Returns the key of a record; empty if it has no JSON form. */
    static Optional<PublicKeyRecord> key(byte[] record) {
        try {
            return Optional.of(PublicKeyRecord.read(record)).filter(KeyJson::has);
        } catch (Malformed e) {
            return Optional.empty();
        }
    }

    /**
     * Reads a site.
     *
     * @throws Malformed naming the first wrong field
     */
    public static SiteRecord read(JsonField site) throws Malformed {
        Optional<JsonField> version = site.find("version");
        if (version.isPresent()) {
            version.get().integer(FORMAT, FORMAT);
        }
        int[] protocol = protocol(site);
        List<SiteRecord.Attribute> attributes = new ArrayList<>();
        for (JsonField each : list(site, "attributes", HandleLimits.ATTRIBUTES_MAX)) {
            attributes.add(new SiteRecord.Attribute(
                    each.member("name").text(), each.member("value").text()));
        }
        List<SiteServer> servers = new ArrayList<>();
        for (JsonField each : list(site, "servers", HandleLimits.SERVERS_MAX)) {
            servers.add(server(each));
        }
        return new SiteRecord(
                protocol[0],
                protocol[1],
                (int) integer(site, "serialNumber", 0, 0xffff, 1),
                truth(site, "primarySite"),
                truth(site, "multiPrimary"),
                SiteRecord.Hash.ofCode((int) integer(site, "hashOption", 0, 2, SiteRecord.Hash.HANDLE.code()), 0),
                filter(site),
                attributes,
                servers);
    }

    private static byte[] filter(JsonField site) throws Malformed {
        Optional<JsonField> filter = site.find("hashFilter");
        return filter.isEmpty() ? new byte[0] : filter.get().text().getBytes(StandardCharsets.UTF_8);
    }

    private static int[] protocol(JsonField site) throws Malformed {
        Optional<JsonField> field = site.find("protocolVersion");
        if (field.isEmpty()) {
            return new int[] {2, 11};
        }
        String text = field.get().text();
        if (!text.matches("[0-9]{1,3}\\.[0-9]{1,3}")) {
            throw field.get().refused("is a version as 2.11 is");
        }
        int dot = text.indexOf('.');
        int major = Integer.parseInt(text.substring(0, dot));
        int minor = Integer.parseInt(text.substring(dot + 1));
        if (major > 0xff || minor > 0xff) {
            throw field.get().refused("has parts of at most 255");
        }
        return new int[] {major, minor};
    }

    private static SiteServer server(JsonField server) throws Malformed {
        List<SiteInterface> interfaces = new ArrayList<>();
        for (JsonField each : list(server, "interfaces", HandleLimits.INTERFACES_MAX)) {
            interfaces.add(new SiteInterface(
                    truth(each, "admin"),
                    truth(each, "query"),
                    transport(each.member("protocol")),
                    (int) each.member("port").integer(0, 0xffff)));
        }
        JsonField address = server.member("address");
        byte[] bytes;
        try {
            bytes = SiteServer.address(InetAddress.ofLiteral(address.text()));
        } catch (IllegalArgumentException e) {
            throw address.refused("is an IP address");
        }
        Optional<JsonField> key = server.find("publicKey");
        return new SiteServer(
                (int) server.member("serverId").integer(Integer.MIN_VALUE, Integer.MAX_VALUE),
                bytes,
                key.isEmpty() ? new byte[0] : readKey(key.get()),
                interfaces);
    }

    private static byte[] readKey(JsonField key) throws Malformed {
        if (key.json() instanceof JsonValue.Text) {
            return ValueJson.base64(key);
        }
        Optional<JsonField> value = key.find("value");
        if (value.isEmpty()) {
            return new byte[0];
        }
        return switch (key.member("format").text()) {
            case "key" -> KeyJson.readPublic(value.get()).write();
            case "base64" -> ValueJson.base64(value.get());
            default -> throw key.member("format").refused("is key or base64");
        };
    }

    private static SiteInterface.Transport transport(JsonField protocol) throws Malformed {
        String name = protocol.text().toUpperCase(Locale.ROOT);
        return Arrays.stream(SiteInterface.Transport.values())
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> protocol.refused("is UDP, TCP, HTTP or HTTPS"));
    }

    private static List<JsonField> list(JsonField object, String name, int elementsMax) throws Malformed {
        Optional<JsonField> found = object.find(name);
        return found.isEmpty() ? List.of() : found.get().elements(elementsMax);
    }

    private static boolean truth(JsonField object, String name) throws Malformed {
        Optional<JsonField> found = object.find(name);
        return found.isPresent() && found.get().truth();
    }

    private static long integer(JsonField object, String name, long min, long max, long otherwise) throws Malformed {
        Optional<JsonField> found = object.find(name);
        return found.isEmpty() ? otherwise : found.get().integer(min, max);
    }
}
