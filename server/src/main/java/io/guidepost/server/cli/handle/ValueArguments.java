package io.guidepost.server.cli.handle;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.json.ValueJson;
import io.guidepost.handle.value.AdminRecord;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.IdentityList;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.handle.value.ValueType;
import io.guidepost.server.cli.support.DurationText;
import io.guidepost.web.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments that say a handle and values of it: {@code [INDEX:]TYPE=DATA}, or a file of JSON. */
final class ValueArguments {
    private static final int ADMIN_INDEX = 100;

    @Parameters(index = "0", paramLabel = "HANDLE", converter = HandleText.class, description = HandleText.HELP)
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private Handle handle;

    @Parameters(
            index = "1..*",
            paramLabel = "VALUE",
            description = {
                "[INDEX:]TYPE=DATA, such as URL=https://example.org or 2:EMAIL=a@example.org; =@FILE takes the bytes of a file.",
                "HS_ADMIN=INDEX:RIGHTS:HANDLE has twelve rights as in batch files, HS_VLIST=INDEX:HANDLE;INDEX:HANDLE."
            })
    private List<String> values = List.of();

    @Option(names = "--values", paramLabel = "FILE", description = "Values in JSON, as the JSON interface takes them.")
    private @Nullable Path file;

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            converter = DurationText.class,
            description = "How long caches may keep them: 30s, 10m, 2h; a day if you do not say.")
    private @Nullable Duration ttl;

    @Option(
            names = "--permissions",
            paramLabel = "BITS",
            description = "Four bits: administrators read, administrators write, public read, public write; 1110 without this option.")
    private @Nullable String permissions;

    Handle handle() {
        return handle;
    }

    /** All values that were said; those without an index get the lowest that are free. */
    List<HandleValue> read() throws IOException {
        List<HandleValue> all = new ArrayList<>();
        try {
            if (file != null) {
                all.addAll(ValueJson.readValues(JsonValue.read(Files.readAllBytes(file)).whole()));
            }
        } catch (Malformed e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
        for (String each : values) {
            try {
                all.add(value(each, all));
            } catch (Malformed e) {
                throw new IOException("'" + each + "': " + e.reason(), e);
            }
        }
        if (all.isEmpty()) {
            throw new IOException("say at least one value, such as URL=https://example.org");
        }
        return all;
    }

    private HandleValue value(String text, List<HandleValue> before) throws Malformed, IOException {
        int equals = text.indexOf('=');
        if (equals < 1) {
            throw new Malformed("a value is [INDEX:]TYPE=DATA, such as URL=https://example.org", 0);
        }
        String name = text.substring(0, equals);
        String data = text.substring(equals + 1);
        int colon = name.indexOf(':');
        String type = name.substring(colon + 1);
        int index = colon < 0 ? free(type, before) : index(name.substring(0, colon));
        Ttl kept = ttl == null ? Ttl.usual() : new Ttl.Relative(ttl.toSeconds());
        Permissions usual = ValueType.HS_SECKEY.isOf(type) ? Permissions.SECRET : Permissions.USUAL;
        return new HandleValue(
                index,
                type,
                data(type, data),
                permissions == null ? usual : Permissions.parse(permissions),
                kept,
                0,
                List.of());
    }

    private static int free(String type, List<HandleValue> before) {
        int index = ValueType.HS_ADMIN.isOf(type) ? ADMIN_INDEX : 1;
        Set<Integer> taken = before.stream().map(HandleValue::index).collect(Collectors.toSet());
        while (taken.contains(index)) {
            index++;
        }
        return index;
    }

    private static int index(String text) throws Malformed {
        try {
            int index = Integer.parseInt(text);
            if (index > 0) {
                return index;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new Malformed("an index is a whole number above 0, not '" + text + "'", 0);
    }

    private static byte[] data(String type, String text) throws Malformed, IOException {
        if (text.startsWith("@")) {
            return Files.readAllBytes(Path.of(text.substring(1)));
        }
        if (ValueType.HS_ADMIN.isOf(type)) {
            String[] parts = text.split(":", 3);
            if (parts.length < 3) {
                throw new Malformed("an administrator is INDEX:RIGHTS:HANDLE, as in 300:111111111111:0.NA/1234", 0);
            }
            return new AdminRecord(AdminRight.parseBatch(parts[1]), new ValueReference(Handle.parse(parts[2]), index(parts[0])))
                    .write();
        }
        if (ValueType.HS_VLIST.isOf(type)) {
            return new IdentityList(ValueReference.parseAll(text, ";")).write();
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The values with an administrator who has all rights, unless there is one among them. */
    static List<HandleValue> withAdmin(List<HandleValue> values, ValueReference who) {
        if (values.stream().anyMatch(each -> each.is(ValueType.HS_ADMIN))) {
            return values;
        }
        List<HandleValue> all = new ArrayList<>(values);
        all.add(HandleValue.of(
                free("HS_ADMIN", values), "HS_ADMIN", new AdminRecord(AdminRight.ALL, who).write()));
        return all;
    }
}
