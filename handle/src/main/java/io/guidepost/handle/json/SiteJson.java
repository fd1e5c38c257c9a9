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
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

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
        return JsonWriter.bytes(true, out -> write(site, out));
    }

    /** Writes a site. */
    @SuppressWarnings("EnumOrdinal") // The order of the constants is the order of their numbers.
    public static void write(SiteRecord site, JsonGenerator out) {
        out.writeStartObject();
        out.writeNumberProperty("version", FORMAT);
        out.writeStringProperty("protocolVersion", site.majorVersion() + "." + site.minorVersion());
        out.writeNumberProperty("serialNumber", site.serial());
        out.writeBooleanProperty("primarySite", site.primary());
        out.writeBooleanProperty("multiPrimary", site.multiPrimary());
        if (site.hash() != SiteRecord.Hash.HANDLE) {
            out.writeNumberProperty("hashOption", site.hash().code());
        }
        if (site.hashFilter().length > 0) {
            out.writeStringProperty("hashFilter", new String(site.hashFilter(), StandardCharsets.UTF_8));
        }
        out.writeArrayPropertyStart("attributes");
        for (SiteRecord.Attribute each : site.attributes()) {
            out.writeStartObject();
            out.writeStringProperty("name", each.name());
            out.writeStringProperty("value", each.value());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeArrayPropertyStart("servers");
        for (SiteServer each : site.servers()) {
            write(each, out);
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private static void write(SiteServer server, JsonGenerator out) {
        out.writeStartObject();
        out.writeNumberProperty("serverId", server.id());
        out.writeStringProperty("address", address(server.inetAddress()));
        out.writeName("publicKey");
        writeKey(server.publicKey(), out);
        out.writeArrayPropertyStart("interfaces");
        for (SiteInterface each : server.interfaces()) {
            out.writeStartObject();
            out.writeBooleanProperty("query", each.query());
            out.writeBooleanProperty("admin", each.admin());
            out.writeStringProperty("protocol", each.transport().name());
            out.writeNumberProperty("port", each.port());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    /** Returns the text of an address, IPv6 in short form (RFC 5952). */
    private static String address(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length == 4) {
            return address.getHostAddress();
        }
        int[] groups = new int[8];
        for (int i = 0; i < 8; i++) {
            groups[i] = (bytes[2 * i] & 0xff) << 8 | bytes[2 * i + 1] & 0xff;
        }
        int zerosAt = -1;
        int zeros = 1;
        for (int i = 0; i < 8; i++) {
            int end = i;
            while (end < 8 && groups[end] == 0) {
                end++;
            }
            if (end - i > zeros) {
                zerosAt = i;
                zeros = end - i;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            if (i == zerosAt) {
                text.append("::");
                i += zeros - 1;
            } else {
                text.append(text.isEmpty() || text.charAt(text.length() - 1) == ':' ? "" : ":");
                text.append(Integer.toHexString(groups[i]));
            }
        }
        return text.toString();
    }

    /** Writes a key record as data in format {@code key}; in base64 if it has no JSON form. */
    static void writeKey(byte[] record, JsonGenerator out) {
        Optional<PublicKeyRecord> key = key(record);
        out.writeStartObject();
        if (key.isPresent()) {
            out.writeStringProperty("format", "key");
            out.writeName("value");
            KeyJson.write(key.get(), out);
        } else {
            out.writeStringProperty("format", "base64");
            out.writeStringProperty("value", Base64.getEncoder().encodeToString(record));
        }
        out.writeEndObject();
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
        for (SiteInterface.Transport each : SiteInterface.Transport.values()) {
            if (each.name().equals(name)) {
                return each;
            }
        }
        throw protocol.refused("is UDP, TCP, HTTP or HTTPS");
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
