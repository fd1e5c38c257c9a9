package io.guidepost.server.cli.handle;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.json.ValueJson;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.value.AdminRecord;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.IdentityList;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.handle.value.ValueType;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/** What came of a request to a server of handles, in words, in JSON and as an exit code. */
final class HandleOutcomeText {
    /** Bytes of data that are shown for people; {@code --json} shows all. */
    private static final int SHOWN_BYTES_MAX = 48;

    private HandleOutcomeText() {}

    static int code(HandleResult outcome) {
        return switch (outcome.code()) {
            case SUCCESS -> ExitCode.DONE;
            case HANDLE_NOT_FOUND, VALUES_NOT_FOUND -> ExitCode.NOT_FOUND;
            default -> ExitCode.FAILED;
        };
    }

    /** Why something was not done, and what would help. */
    static String reason(HandleResult outcome) {
        String said = outcome.text().isBlank() ? outcome.code().text() : outcome.text();
        return switch (outcome.code()) {
            case CHALLENGE -> "the server wants to know who you are: say --as INDEX:HANDLE and --key FILE or --secret-file FILE";
            case AUTHENTICATION_FAILED -> "the key or secret is not that of the one named by --as";
            case NOT_RESPONSIBLE ->
                "the server is not responsible for the prefix: ask another, or make it so with guidepost handle home";
            case HANDLE_EXISTS -> "the handle exists: say --overwrite to replace it";
            case VALUE_EXISTS -> "there is a value of this index: say --overwrite, or take another index";
            case SERVICE_REFERRAL, PREFIX_REFERRAL -> "another server is responsible: " + outcome.handle() + " says which";
            default -> said;
        };
    }

    /** An outcome as the JSON interface of servers writes it. */
    static String json(HandleResult outcome) {
        byte[] bytes = JsonWriter.bytes(true, out -> {
            out.writeStartObject();
            out.writeNumberProperty("responseCode", outcome.code().number());
            if (!outcome.success()) {
                out.writeStringProperty("message", reason(outcome));
            }
            out.writeStringProperty("handle", outcome.handle().toString());
            if (!outcome.values().isEmpty()) {
                out.writeName("values");
                ValueJson.write(outcome.values(), out);
            }
            out.writeEndObject();
        });
        return new String(bytes, StandardCharsets.UTF_8) + "\n";
    }

    static String quoted(Handle handle) {
        return new String(JsonWriter.bytes(out -> out.writeString(handle.toString())), StandardCharsets.UTF_8);
    }

    static String table(List<HandleValue> values) {
        TextTable table = new TextTable("index", "type", "ttl", "permissions", "changed", "data");
        for (HandleValue each : values) {
            table.row(
                    each.index(),
                    each.type(),
                    ttl(each.ttl()),
                    permissions(each.permissions()),
                    Instant.ofEpochSecond(each.changedSeconds()),
                    data(each));
        }
        return table.toString();
    }

    private static String ttl(Ttl ttl) {
        return switch (ttl) {
            case Ttl.Relative(long seconds) -> seconds + " s";
            case Ttl.Until(long seconds) -> "until " + Instant.ofEpochSecond(seconds);
        };
    }

    private static String permissions(Permissions permissions) {
        return permissions + (permissions.publicRead() ? "" : " (not public)");
    }

    private static String data(HandleValue value) {
        try {
            return switch (ValueType.of(value.type()).map(ValueType::form).orElse(ValueType.Form.TEXT)) {
                case ADMIN -> {
                    AdminRecord admin = AdminRecord.read(value.data());
                    yield admin.who() + " with rights " + AdminRight.digits(admin.rights());
                }
                case IDENTITIES ->
                    IdentityList.read(value.data()).members().stream()
                            .map(ValueReference::toString)
                            .collect(Collectors.joining(" "));
                case SITE -> SiteRecord.read(value.data()).toString();
                case PUBLIC_KEY, BYTES -> "(" + value.data().length + " bytes)";
                default -> text(value.data());
            };
        } catch (Malformed e) {
            return text(value.data());
        }
    }

    private static String text(byte[] data) {
        if (isText(data)) {
            return new String(data, StandardCharsets.UTF_8);
        }
        return data.length > SHOWN_BYTES_MAX
                ? "(" + data.length + " bytes)"
                : "0x" + HexFormat.of().formatHex(data);
    }

    private static boolean isText(byte[] data) {
        return new String(data, StandardCharsets.UTF_8).chars().noneMatch(c -> c < ' ' || c == 0x7f || c == 0xfffd);
    }
}
