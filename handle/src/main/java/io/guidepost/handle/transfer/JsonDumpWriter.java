package io.guidepost.handle.transfer;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.json.ValueJson;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.web.JsonValue;
import io.guidepost.web.JsonWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/**
 * Writes a dump in JSON in the form of existing servers' dump tools, one record a line: their loading tool reads it,
 * and so does {@link JsonDumpReader}, which restores it byte for byte, times of changes included.
 */
public final class JsonDumpWriter implements ExportWriter {
    private static final int BUFFER_BYTES = 1 << 16;

    private final OutputStream out;
    private String before = "{\"homedPrefixes\":[";
    private boolean inRecords;

    private JsonDumpWriter(OutputStream out) {
        this.out = out;
    }

    /**
     * Creates a file.
     *
     * @throws java.nio.file.FileAlreadyExistsException if it exists
     */
    public static JsonDumpWriter create(Path file) throws IOException {
        return to(Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    }

    /** Writes to a stream, and closes it at the end. */
    public static JsonDumpWriter to(OutputStream out) {
        return new JsonDumpWriter(new BufferedOutputStream(out, BUFFER_BYTES));
    }

    @Override
    public void home(Handle prefixHandle) throws IOException {
        raw(before);
        out.write(string(prefixHandle.toString()));
        before = ",";
    }

    @Override
    public Optional<String> write(HandleRecord record) throws IOException {
        if (!record.handle().isUtf8()) {
            return Optional.of("its name is not UTF-8");
        }
        if (!inRecords) {
            raw(before.equals(",") ? "" : before);
            raw("],\n\"handleRecords\":{");
            inRecords = true;
            before = "\n";
        }
        byte[] json = JsonWriter.bytes(to -> {
            to.writeStartObject();
            to.writeStringProperty("handle", record.handle().toString());
            to.writeArrayPropertyStart("values");
            record.values().forEach(each -> ValueJson.write(each, isExact(each), to));
            to.writeEndArray();
            to.writeEndObject();
        });
        raw(before);
        out.write(string(record.handle().toString()));
        raw(":");
        out.write(json);
        before = ",\n";
        return Optional.empty();
    }

    /** Returns whether the readable form of a value restores its bytes. */
    private static boolean isExact(HandleValue value) {
        if (!value.type().regionMatches(true, 0, "HS_", 0, 3)) {
            return true;
        }
        try {
            byte[] json = JsonWriter.bytes(to -> ValueJson.write(value, to));
            List<HandleValue> read = ValueJson.readValues(JsonValue.read(json).whole());
            return read.equals(List.of(value));
        } catch (Malformed e) {
            return false;
        }
    }

    private static byte[] string(String text) {
        return JsonWriter.bytes(to -> to.writeString(text));
    }

    private void raw(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
        if (!inRecords) {
            raw(before.equals(",") ? "" : before);
            raw("],\n\"handleRecords\":{");
        }
        raw("\n}}\n");
        out.close();
    }
}
