package io.guidepost.handle.json;

import io.guidepost.base.AddressText;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

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
                "address", AddressText.of(server.inetAddress()),
                "publicKey", keyOf(server.publicKey()),
                "interfaces", server.interfaces().stream()
                        .map(each -> JsonWriter.object(
                                "query", each.query(),
                                "admin", each.admin(),
                                "protocol", each.transport().name(),
                                "port", each.port()))
                        .toList());
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
        site.read("version", (long) FORMAT, each -> each.integer(FORMAT, FORMAT));
        int[] protocol = site.read("protocolVersion", new int[] {2, 11}, SiteJson::protocol);
        List<SiteRecord.Attribute> attributes = new ArrayList<>();
        for (JsonField each : site.read("attributes", List.<JsonField>of(), each -> each.elements(HandleLimits.ATTRIBUTES_MAX))) {
            attributes.add(new SiteRecord.Attribute(
                    each.member("name").text(), each.member("value").text()));
        }
        List<SiteServer> servers = new ArrayList<>();
        for (JsonField each : site.read("servers", List.<JsonField>of(), each -> each.elements(HandleLimits.SERVERS_MAX))) {
            servers.add(server(each));
        }
        return new SiteRecord(
                protocol[0],
                protocol[1],
                site.read("serialNumber", 1L, each -> each.integer(0, 0xffff)).intValue(),
                site.read("primarySite", false, JsonField::truth),
                site.read("multiPrimary", false, JsonField::truth),
                site.read("hashOption", SiteRecord.Hash.HANDLE, each -> SiteRecord.Hash.ofCode((int) each.integer(0, 2), 0)),
                site.read("hashFilter", new byte[0], each -> each.text().getBytes(StandardCharsets.UTF_8)),
                attributes,
                servers);
    }

    private static int[] protocol(JsonField field) throws Malformed {
        String text = field.text();
        if (!text.matches("[0-9]{1,3}\\.[0-9]{1,3}")) {
            throw field.refused("is a version as 2.11 is");
        }
        int dot = text.indexOf('.');
        int major = Integer.parseInt(text.substring(0, dot));
        int minor = Integer.parseInt(text.substring(dot + 1));
        if (major > 0xff || minor > 0xff) {
            throw field.refused("has parts of at most 255");
        }
        return new int[] {major, minor};
    }

    private static SiteServer server(JsonField server) throws Malformed {
        List<SiteInterface> interfaces = new ArrayList<>();
        for (JsonField each : server.read("interfaces", List.<JsonField>of(), each -> each.elements(HandleLimits.INTERFACES_MAX))) {
            interfaces.add(new SiteInterface(
                    each.read("admin", false, JsonField::truth),
                    each.read("query", false, JsonField::truth),
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
        return new SiteServer(
                (int) server.member("serverId").integer(Integer.MIN_VALUE, Integer.MAX_VALUE),
                bytes,
                server.read("publicKey", new byte[0], SiteJson::readKey),
                interfaces);
    }

    private static byte[] readKey(JsonField key) throws Malformed {
        if (key.json() instanceof JsonValue.Text) {
            return ValueJson.base64(key);
        }
        return key.read("value", new byte[0], value -> switch (key.member("format").text()) {
            case "key" -> KeyJson.readPublic(value).write();
            case "base64" -> ValueJson.base64(value);
            default -> throw key.member("format").refused("is key or base64");
        });
    }

    private static SiteInterface.Transport transport(JsonField protocol) throws Malformed {
        String name = protocol.text().toUpperCase(Locale.ROOT);
        return Arrays.stream(SiteInterface.Transport.values())
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> protocol.refused("is UDP, TCP, HTTP or HTTPS"));
    }
}
