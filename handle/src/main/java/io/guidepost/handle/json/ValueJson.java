package io.guidepost.handle.json;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.Utf8;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.value.AdminRecord;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.IdentityList;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.handle.value.ValueType;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import io.guidepost.web.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Values in JSON.
 *
 * <pre>
 *  {"index":1, "type":"URL", "data":D, "permissions":"1100" (if not 1110), "ttl":86400 or "2030-01-01T00:00:00Z",
 *   "timestamp":"2023-11-14T22:13:20Z" (if not 1970), "references":[{"handle":h,"index":n}] (if any)}
 *
 *  D is {"format":F,"value":V}, or in requests a string alone
 *
 *  F        V                                                       written for
 *  string   text                                                    data that is UTF-8 without control characters
 *  base64   bytes; also read: hex                                    all other data
 *  admin    {"handle":h,"index":n,"permissions":twelve digits}      HS_ADMIN; "legacyByteLength":true: old form
 *  vlist    [{"handle":h,"index":n}]                                HS_VLIST
 *  site     see SiteJson                                            HS_SITE, HS_NA_DELEGATE
 *  key      see KeyJson                                             HS_PUBKEY
 * </pre>
 */
public final class ValueJson {
    /** Padding of HS_ADMIN that old writers append. */
    private static final int OLD_ADMIN_TAIL = 2;

    private static final int RIGHTS_DIGITS = 12;

    /** The control characters of text; data with another one is written in base64, as in existing servers. */
    private static final String SHOWN_CONTROLS = "\t\n\f\r";

    private static final Pattern BLANKS = Pattern.compile("[ \\t\\r\\n]+");

    private ValueJson() {}

    /** Writes an array of values. */
    public static void write(List<HandleValue> values, JsonGenerator out) {
        out.writeStartArray();
        for (HandleValue each : values) {
            write(each, out);
        }
        out.writeEndArray();
    }

    /** Writes a value. */
    public static void write(HandleValue value, JsonGenerator out) {
        write(value, true, out);
    }

    /** Writes a value; its data in base64 unless {@code readable}. */
    public static void write(HandleValue value, boolean readable, JsonGenerator out) {
        out.writeStartObject();
        out.writeNumberProperty("index", value.index());
        out.writeStringProperty("type", value.type());
        out.writeName("data");
        writeData(value.type(), value.data(), readable, out);
        if (!value.permissions().equals(Permissions.USUAL)) {
            out.writeStringProperty("permissions", value.permissions().toString());
        }
        switch (value.ttl()) {
            case Ttl.Relative(long seconds) -> out.writeNumberProperty("ttl", seconds);
            case Ttl.Until(long seconds) -> out.writeStringProperty("ttl", time(seconds));
        }
        if (value.changedSeconds() != 0) {
            out.writeStringProperty("timestamp", time(value.changedSeconds()));
        }
        if (!value.references().isEmpty()) {
            out.writeArrayPropertyStart("references");
            value.references().forEach(each -> write(each, out));
            out.writeEndArray();
        }
        out.writeEndObject();
    }

    private static void write(ValueReference reference, JsonGenerator out) {
        out.writeStartObject();
        out.writeStringProperty("handle", reference.handle().toString());
        out.writeNumberProperty("index", reference.index());
        out.writeEndObject();
    }

    private static void writeData(String type, byte[] data, boolean readable, JsonGenerator out) {
        out.writeStartObject();
        if (!readable || !writeStructured(type, data, out)) {
            String text = readable ? text(data) : null;
            out.writeStringProperty("format", text == null ? "base64" : "string");
            out.writeStringProperty("value", text == null ? Base64.getEncoder().encodeToString(data) : text);
        }
        out.writeEndObject();
    }

    /** Writes data in the form of its type; returns false, and writes nothing, if it has none or is malformed. */
    private static boolean writeStructured(String type, byte[] data, JsonGenerator out) {
        if (!type.startsWith("HS_") && !type.startsWith("hs_")) {
            return false;
        }
        try {
            switch (form(type)) {
                case ADMIN -> writeAdmin(AdminRecord.read(data), data.length, out);
                case IDENTITIES -> {
                    IdentityList list = IdentityList.read(data);
                    begin("vlist", out);
                    out.writeStartArray();
                    list.members().forEach(each -> write(each, out));
                    out.writeEndArray();
                }
                case SITE -> {
                    SiteRecord site = SiteRecord.read(data);
                    begin("site", out);
                    JsonWriter.write(out, SiteJson.of(site));
                }
                case PUBLIC_KEY -> {
                    PublicKeyRecord key = PublicKeyRecord.read(data);
                    if (!KeyJson.has(key)) {
                        return false;
                    }
                    begin("key", out);
                    JsonWriter.write(out, KeyJson.of(key));
                }
                default -> {
                    return false;
                }
            }
            return true;
        } catch (Malformed e) {
            return false;
        }
    }

    /** Returns the form of a type; subtypes such as {@code HS_SITE.6} have the form of their family. */
    private static ValueType.Form form(String type) {
        return ValueType.of(type).map(ValueType::form).orElse(ValueType.Form.BYTES);
    }

    private static void begin(String format, JsonGenerator out) {
        out.writeStringProperty("format", format);
        out.writeName("value");
    }

    private static void writeAdmin(AdminRecord admin, int length, JsonGenerator out) {
        begin("admin", out);
        out.writeStartObject();
        out.writeStringProperty("handle", admin.who().handle().toString());
        out.writeNumberProperty("index", admin.who().index());
        out.writeStringProperty("permissions", AdminRight.digits(admin.rights()));
        if (length != admin.write().length) {
            out.writeBooleanProperty("legacyByteLength", true);
        }
        out.writeEndObject();
    }

    /** Returns the text of data, or null if it is not printable text. */
    private static @Nullable String text(byte[] data) {
        boolean ascii = true;
        for (byte each : data) {
            boolean shown = each < 0 || each >= ' ' && each != 0x7f || SHOWN_CONTROLS.indexOf(each) >= 0;
            if (!shown) {
                return null;
            }
            ascii &= each >= 0;
        }
        return ascii ? new String(data, StandardCharsets.ISO_8859_1) : Utf8.decode(data).orElse(null);
    }

    /**
     * Reads the values of a request: an array, an object with an array {@code values}, or a single value.
     *
     * @throws Malformed naming the first wrong field
     */
    public static List<HandleValue> readValues(JsonField body) throws Malformed {
        if (body.json() instanceof JsonValue.Elements) {
            return readList(body);
        }
        return body.members().containsKey("values") ? readList(body.member("values")) : List.of(read(body));
    }

    private static List<HandleValue> readList(JsonField array) throws Malformed {
        List<HandleValue> values = new ArrayList<>();
        for (JsonField each : array.elements(HandleLimits.VALUES_MAX)) {
            values.add(read(each));
        }
        return values;
    }

    /**
     * Reads a value. Permissions and TTL have defaults; a missing timestamp is 0.
     *
     * @throws Malformed naming the first wrong field
     */
    public static HandleValue read(JsonField value) throws Malformed {
        JsonField type = value.member("type");
        if (type.text().getBytes(StandardCharsets.UTF_8).length > HandleLimits.TYPE_BYTES_MAX) {
            throw type.refused("has at most " + HandleLimits.TYPE_BYTES_MAX + " bytes");
        }
        return new HandleValue(
                (int) value.member("index").integer(Integer.MIN_VALUE, Integer.MAX_VALUE),
                type.text(),
                readData(value.member("data")),
                value.read("permissions", Permissions.USUAL, ValueJson::readPermissions),
                value.read("ttl", Ttl.usual(), ValueJson::readTtl),
                value.read("timestamp", 0L, ValueJson::readTime),
                value.read("references", List.of(), ValueJson::readReferences));
    }

    private static Permissions readPermissions(JsonField permissions) throws Malformed {
        try {
            return Permissions.parse(permissions.text());
        } catch (Malformed e) {
            throw permissions.refused("is four binary digits");
        }
    }

    private static Ttl readTtl(JsonField ttl) throws Malformed {
        return ttl.json() instanceof JsonValue.Text text && text.text().indexOf('-') > 0
                ? new Ttl.Until(readTime(ttl))
                : new Ttl.Relative(ttl.integer(0, 0xffff_ffffL));
    }

    private static long readTime(JsonField time) throws Malformed {
        try {
            long seconds = OffsetDateTime.parse(time.text()).toEpochSecond();
            if (seconds >>> 32 == 0) {
                return seconds;
            }
        } catch (DateTimeException e) {
            throw time.refused("is a time as 2030-01-01T00:00:00Z is");
        }
        throw time.refused("is a time from 1970 to 2106");
    }

    private static byte[] readData(JsonField data) throws Malformed {
        byte[] bytes = data.json() instanceof JsonValue.Text(String text, long _)
                ? text.getBytes(StandardCharsets.UTF_8)
                : readFormat(data.member("format"), data.member("value"));
        if (bytes.length > HandleLimits.ARRAY_BYTES_MAX) {
            throw data.refused("has at most " + HandleLimits.ARRAY_BYTES_MAX + " bytes");
        }
        return bytes;
    }

    private static byte[] readFormat(JsonField format, JsonField value) throws Malformed {
        return switch (format.text().toLowerCase(Locale.ROOT)) {
            case "string" -> value.text().getBytes(StandardCharsets.UTF_8);
            case "base64" -> base64(value);
            case "hex" -> hex(value);
            case "admin" -> readAdmin(value);
            case "vlist" -> new IdentityList(readReferences(value)).write();
            case "site" -> SiteJson.read(value).write();
            case "key" -> KeyJson.readPublic(value).write();
            default -> throw format.refused("is string, base64, hex, admin, vlist, site or key");
        };
    }

    private static byte[] readAdmin(JsonField admin) throws Malformed {
        JsonField digits = admin.member("permissions");
        int rights;
        try {
            // Some clients omit leading zeros.
            String text = digits.text();
            int left = text.isEmpty() ? 0 : Math.max(0, RIGHTS_DIGITS - text.length());
            rights = AdminRight.parse("0".repeat(left) + text);
        } catch (Malformed e) {
            throw digits.refused("is twelve binary digits");
        }
        byte[] record = new AdminRecord(rights, readReference(admin)).write();
        return admin.read("legacyByteLength", false, JsonField::truth)
                ? Arrays.copyOf(record, record.length + OLD_ADMIN_TAIL)
                : record;
    }

    private static List<ValueReference> readReferences(JsonField array) throws Malformed {
        List<ValueReference> references = new ArrayList<>();
        for (JsonField each : array.elements(HandleLimits.REFERENCES_MAX)) {
            references.add(readReference(each));
        }
        return references;
    }

    private static ValueReference readReference(JsonField reference) throws Malformed {
        JsonField handle = reference.member("handle");
        long index = reference.member("index").integer(Integer.MIN_VALUE, 0xffff_ffffL);
        try {
            return new ValueReference(Handle.parse(handle.text()), (int) index);
        } catch (Malformed e) {
            throw handle.refused("has 1 to " + HandleLimits.HANDLE_BYTES_MAX + " bytes");
        }
    }

    /** Decodes base64 of either alphabet, with or without padding and line breaks. */
    static byte[] base64(JsonField field) throws Malformed {
        String text = BLANKS.matcher(field.text()).replaceAll("");
        try {
            boolean url = text.indexOf('-') >= 0 || text.indexOf('_') >= 0;
            return (url ? Base64.getUrlDecoder() : Base64.getDecoder()).decode(text);
        } catch (IllegalArgumentException e) {
            throw field.refused("is base64");
        }
    }

    private static byte[] hex(JsonField field) throws Malformed {
        try {
            return HexFormat.of().parseHex(field.text());
        } catch (IllegalArgumentException e) {
            throw field.refused("is pairs of hexadecimal digits");
        }
    }

    /** Formats a time: whole seconds, in UTC. */
    private static String time(long seconds) {
        return Instant.ofEpochSecond(seconds).toString();
    }
}
