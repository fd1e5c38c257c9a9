package io.guidepost.handle.redirector;

import io.guidepost.base.AddressText;
import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.Utf8;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.value.AdminRecord;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.IdentityList;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.SiteServer;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.handle.value.ValueType;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Values as HTML for people. */
final class ValueHtml {
    /** Bytes of a value that are shown; programs have the REST interface. */
    private static final int SHOWN_MAX = 16_384;

    private static final int HEX_SHOWN_MAX = 256;

    private ValueHtml() {}

    static String table(List<HandleValue> values) {
        StringBuilder out = new StringBuilder(
                "<table><thead><tr><th>Index</th><th>Type</th><th>Data</th><th>Changed</th><th>TTL</th></tr></thead><tbody>\n");
        for (HandleValue each : values) {
            out.append("<tr><td class=\"n\" data-h=\"Index\">").append(Integer.toUnsignedString(each.index()));
            out.append("</td><td data-h=\"Type\">").append(type(each.type())).append("</td><td class=\"d\">").append(data(each));
            for (ValueReference reference : each.references()) {
                out.append("<br><small>see ").append(handle(reference)).append("</small>");
            }
            out.append("</td><td data-h=\"Changed\"><time>").append(Instant.ofEpochSecond(each.changedSeconds()));
            out.append("</time></td><td class=\"o\" data-h=\"TTL\">").append(ttl(each.ttl())).append("</td></tr>\n");
        }
        return out.append("</tbody></table>\n").toString();
    }

    private static String type(String type) {
        // A type with a slash is a handle, whose record may describe the type.
        return type.indexOf('/') > 0 && type.length() <= 256
                ? HtmlText.link(RedirectTargets.path(Handle.of(type)) + "?noredirect", type)
                : HtmlText.escape(type);
    }

    private static String ttl(Ttl ttl) {
        return switch (ttl) {
            case Ttl.Relative(long seconds) -> relative(seconds);
            case Ttl.Until(long seconds) -> "until <time>" + Instant.ofEpochSecond(seconds) + "</time>";
        };
    }

    private static String relative(long seconds) {
        if (seconds != 0 && seconds % Ttl.DAY == 0) {
            return seconds / Ttl.DAY + " d";
        }
        return seconds != 0 && seconds % 3600 == 0 ? seconds / 3600 + " h" : seconds + " s";
    }

    private static String data(HandleValue value) {
        Optional<ValueType> type = ValueType.of(value.type());
        try {
            return type.isPresent() ? known(type.get(), value.data()) : plain(value.data());
        } catch (Malformed e) {
            return plain(value.data());
        }
    }

    private static String known(ValueType type, byte[] data) throws Malformed {
        if (data.length > SHOWN_MAX) {
            return plain(data);
        }
        return switch (type.form()) {
            case ADMIN -> admin(AdminRecord.read(data));
            case IDENTITIES -> IdentityList.read(data).members().stream()
                    .map(ValueHtml::handle)
                    .collect(Collectors.joining("<br>"));
            case SITE -> site(SiteRecord.read(data));
            case PUBLIC_KEY -> key(PublicKeyRecord.read(data)) + hex(data);
            case HANDLE -> {
                type.check(data);
                yield handle(Handle.parse(new String(data, StandardCharsets.UTF_8)));
            }
            case TEXT -> text(type, data);
            case XML, SIGNED, BYTES -> plain(data);
        };
    }

    private static String text(ValueType type, byte[] data) throws Malformed {
        type.check(data);
        String text = new String(data, StandardCharsets.UTF_8);
        if (type == ValueType.EMAIL && text.matches("[^\\s<>\"?&:/]+@[^\\s<>\"?&:/]+")) {
            return HtmlText.link("mailto:" + text, text);
        }
        Optional<String> url = type == ValueType.URL ? RedirectTargets.safe(text) : Optional.empty();
        return url.isPresent() ? HtmlText.link(url.get(), text) : plain(data);
    }

    private static String handle(Handle handle) {
        return HtmlText.link(RedirectTargets.path(handle) + "?noredirect", handle.toString());
    }

    private static String handle(ValueReference reference) {
        return (reference.index() == 0 ? "" : Integer.toUnsignedString(reference.index()) + ":")
                + handle(reference.handle());
    }

    private static String admin(AdminRecord admin) {
        String rights = AdminRight.of(admin.rights()).stream()
                .map(each -> each.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .sorted()
                .collect(Collectors.joining(", "));
        return handle(admin.who()) + "<br><small>" + rights + "</small>";
    }

    private static String key(PublicKeyRecord key) {
        return "<small>"
                + switch (key) {
                    case PublicKeyRecord.Rsa rsa -> "RSA, " + rsa.modulus().bitLength() + " bits";
                    case PublicKeyRecord.Dsa dsa -> "DSA, " + dsa.p().bitLength() + " bits";
                    case PublicKeyRecord.Dh group -> "Diffie-Hellman, " + group.p().bitLength() + " bits";
                }
                + "</small><br>";
    }

    private static String site(SiteRecord site) {
        StringBuilder out = new StringBuilder();
        out.append(site.primary() ? "primary" : "mirror").append(", serial ").append(site.serial());
        for (SiteRecord.Attribute each : site.attributes()) {
            out.append("<br>").append(HtmlText.escape(each.name() + ": " + each.value()));
        }
        for (SiteServer server : site.servers()) {
            out.append("<br>server ").append(Integer.toUnsignedString(server.id())).append(" at ");
            out.append(HtmlText.escape(AddressText.of(server.inetAddress()))).append(": ");
            out.append(HtmlText.escape(server.interfaces().stream()
                    .map(ValueHtml::way)
                    .collect(Collectors.joining(", "))));
        }
        return out.toString();
    }

    private static String way(SiteInterface each) {
        String roles = each.admin() ? each.query() ? "" : " (admin)" : each.query() ? " (query)" : " (off)";
        return each.transport() + " " + each.port() + roles;
    }

    /** Returns text unchanged, other data as hexadecimal digits. */
    private static String plain(byte[] data) {
        int shown = Math.min(data.length, SHOWN_MAX);
        Optional<String> text = Utf8.decode(data)
                .filter(it -> it.chars().allMatch(each -> each >= ' ' || each == '\n' || each == '\r' || each == '\t'));
        if (text.isEmpty()) {
            return hex(data);
        }
        boolean cut = text.get().length() > shown;
        return "<span class=\"t\">" + HtmlText.escape(cut ? text.get().substring(0, shown) : text.get()) + "</span>"
                + (cut ? more(data.length) : "");
    }

    private static String hex(byte[] data) {
        int shown = Math.min(data.length, HEX_SHOWN_MAX);
        return "<code>" + HexFormat.of().formatHex(data, 0, shown) + "</code>"
                + (shown < data.length ? more(data.length) : "");
    }

    private static String more(int length) {
        return " <small>… of " + length + " bytes</small>";
    }
}
