package io.guidepost.handle.transfer;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.json.ValueJson;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Reads dumps in JSON: concatenated records, arrays of records, and the form of existing dump tools. */
final class JsonDumpReader extends ImportFile {
    private final JsonRecordSplitter pieces;

    JsonDumpReader(Path file) throws IOException {
        super(file);
        this.pieces = new JsonRecordSplitter(in);
    }

    @Override
    public Optional<ImportItem> next() throws IOException {
        Optional<JsonRecordSplitter.Piece> piece;
        try {
            piece = pieces.next();
        } catch (JsonRecordSplitter.Broken e) {
            throw new IOException(file + ":" + e.line() + ": " + e.getMessage(), e);
        }
        return piece.map(this::item);
    }

    private ImportItem item(JsonRecordSplitter.Piece piece) {
        try {
            JsonField json = JsonValue.read(piece.json()).whole();
            ImportStep step = piece.prefix() ? new ImportStep.Home(Handle.parse(json.text())) : new ImportStep.Put(record(json));
            return new ImportItem.Of(file + ":" + piece.line(), step);
        } catch (Malformed e) {
            return new ImportItem.Faulty(file + ":" + line(piece, e.offset()), e.reason());
        } catch (IllegalArgumentException e) {
            return new ImportItem.Faulty(file + ":" + piece.line(), String.valueOf(e.getMessage()));
        }
    }

    private static HandleRecord record(JsonField json) throws Malformed {
        JsonField handle = json.member("handle");
        try {
            return new HandleRecord(
                    Handle.parse(handle.text()), ValueJson.readValues(new JsonField("values", json.member("values").json())));
        } catch (IllegalArgumentException e) {
            throw handle.refused(handle.text() + ": " + e.getMessage());
        }
    }

    private static long line(JsonRecordSplitter.Piece piece, long offset) {
        long line = piece.line();
        for (int i = 0; i < Math.min(offset, piece.json().length); i++) {
            line += piece.json()[i] == '\n' ? 1 : 0;
        }
        return line;
    }
}
