package io.guidepost.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.JsonpCharacterEscapes;
import tools.jackson.core.util.Separators;

/**
 * Writes JSON in UTF-8. Escapes U+2028 and U+2029, which JSON allows in a string and old JavaScript does not, so that
 * every text may also be the argument of a JSONP callback.
 */
public final class JsonWriter {
    private static final int BYTES_EXPECTED = 1024;

    private static final JsonFactory FACTORY =
            JsonFactory.builder().characterEscapes(JsonpCharacterEscapes.instance()).build();

    /** What is cut off by a fault must not look whole, so nothing is closed on the way out. */
    private static final JsonFactory STREAMING = FACTORY.rebuild()
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .disable(StreamWriteFeature.AUTO_CLOSE_CONTENT)
            .build();

    /** Two blanks a level, one member or element a line: the indented form of existing servers. */
    private static final DefaultPrettyPrinter INDENTED = new DefaultPrettyPrinter(Separators.createDefaultInstance()
                    .withObjectNameValueSpacing(Separators.Spacing.AFTER)
                    .withObjectEntrySpacing(Separators.Spacing.NONE)
                    .withArrayElementSpacing(Separators.Spacing.NONE)
                    .withObjectEmptySeparator("")
                    .withArrayEmptySeparator(""))
            .withObjectIndenter(new DefaultIndenter("  ", "\n"))
            .withArrayIndenter(new DefaultIndenter("  ", "\n"));

    private static final ObjectWriteContext PRETTY = new ObjectWriteContext.Base() {
        @Override
        public PrettyPrinter getPrettyPrinter() {
            return INDENTED.createInstance();
        }

        @Override
        public boolean hasPrettyPrinter() {
            return true;
        }
    };

    private JsonWriter() {}

    /** Returns compact JSON. */
    public static byte[] bytes(Consumer<JsonGenerator> writing) {
        return bytes(false, writing);
    }

    /** Returns JSON, indented if {@code pretty}. */
    public static byte[] bytes(boolean pretty, Consumer<JsonGenerator> writing) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(BYTES_EXPECTED);
        ObjectWriteContext context = pretty ? PRETTY : ObjectWriteContext.empty();
        try (JsonGenerator generator = FACTORY.createGenerator(context, out)) {
            writing.accept(generator);
        }
        return out.toByteArray();
    }

    /** Writes JSON that may be too long to hold in memory. */
    @FunctionalInterface
    public interface Writing {
        /** Writes one value. */
        void write(JsonGenerator out) throws IOException;
    }

    /** A value that writes itself. */
    public interface Written {
        /** Writes one value. */
        void writeTo(JsonGenerator out);
    }

    /** Writes compact JSON to a stream, which stays open. */
    public static void write(OutputStream out, Writing writing) throws IOException {
        try (JsonGenerator generator = STREAMING.createGenerator(ObjectWriteContext.empty(), out)) {
            writing.write(generator);
        } catch (JacksonIOException e) {
            throw e.getCause();
        }
    }

    /** Returns a map in the order of its arguments: names and values in turn; a member whose value is null is left out. */
    public static Map<String, Object> object(@Nullable Object... namesAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            Object value = namesAndValues[i + 1];
            if (value != null) {
                map.put(String.valueOf(namesAndValues[i]), value);
            }
        }
        return map;
    }

    /** Returns a value as compact JSON; the value is as for {@link #text}. */
    public static byte[] bytes(Object value) {
        return bytes(out -> write(out, value));
    }

    /**
     * Returns a value as indented JSON with a line end: maps, collections, numbers, flags and what writes itself as such, anything
     * else as its text. A number that is not finite becomes null.
     */
    public static String text(Object value) {
        return new String(bytes(true, out -> write(out, value)), StandardCharsets.UTF_8) + "\n";
    }

    /** Returns a value as compact JSON on one line, without a line end; the value is as for {@link #text}. */
    public static String line(Object value) {
        return new String(bytes(value), StandardCharsets.UTF_8);
    }

    /** Writes a value, which is as for {@link #text}. */
    public static void write(JsonGenerator out, Object value) {
        switch (value) {
            case Map<?, ?> map -> {
                out.writeStartObject();
                map.forEach((name, member) -> {
                    out.writeName(String.valueOf(name));
                    write(out, member);
                });
                out.writeEndObject();
            }
            case Collection<?> elements -> {
                out.writeStartArray();
                elements.forEach(each -> write(out, each));
                out.writeEndArray();
            }
            case Written self -> self.writeTo(out);
            case Double number when !Double.isFinite(number) -> out.writeNull();
            case Number number -> out.writeNumber(number.toString());
            case Boolean flag -> out.writeBoolean(flag);
            default -> out.writeString(value.toString());
        }
    }
}
