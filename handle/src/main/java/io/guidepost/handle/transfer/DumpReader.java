package io.guidepost.handle.transfer;

import io.guidepost.handle.Handle;
import io.guidepost.handle.json.ValueJson;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.names.Malformed;
import io.guidepost.web.Json;
import io.guidepost.web.JsonField;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Reads dumps in JSON: records one behind the other, arrays of them, and what existing dump tools write. */
public final class DumpReader implements Source {
    private final Path file;
    private final JsonPieces pieces;
    private final String identity;

    private DumpReader(Path file, JsonPieces pieces) throws IOException {
        this.file = file;
        this.pieces = pieces;
        this.identity = SourceIdentity.of(file);
    }

    /** Opens a file. */
    public static DumpReader open(Path file) throws IOException {
        JsonPieces pieces = JsonPieces.open(file);
        try {
            return new DumpReader(file, pieces);
        } catch (IOException e) {
            pieces.close();
            throw e;
        }
    }

    @Override
    public String identity() {
        return identity;
    }

    @Override
    public double fraction() {
        return pieces.fraction();
    }

    @Override
    public Optional<Item> next() throws IOException {
        Optional<JsonPieces.Piece> piece;
        try {
            piece = pieces.next();
        } catch (JsonPieces.Broken e) {
            throw new IOException(file + ":" + e.line() + ": " + e.getMessage(), e);
        }
        return piece.map(this::item);
    }

    private Item item(JsonPieces.Piece piece) {
        try {
            JsonField json = Json.read(piece.json()).whole();
            Step step = piece.prefix() ? new Step.Home(Handle.parse(json.text())) : new Step.Put(record(json));
            return new Item.Of(file + ":" + piece.line(), step);
        } catch (Malformed e) {
            return new Item.Faulty(file + ":" + line(piece, e.offset()), e.reason());
        } catch (IllegalArgumentException e) {
            return new Item.Faulty(file + ":" + piece.line(), String.valueOf(e.getMessage()));
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

    private static long line(JsonPieces.Piece piece, long offset) {
        long line = piece.line();
        for (int i = 0; i < Math.min(offset, piece.json().length); i++) {
            line += piece.json()[i] == '\n' ? 1 : 0;
        }
        return line;
    }

    @Override
    public void close() throws IOException {
        pieces.close();
    }
}
