package io.guidepost.web;

import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
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
}
