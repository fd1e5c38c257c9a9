package io.guidepost.server.cli.support;

import io.guidepost.base.Malformed;
import io.guidepost.names.Guid;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads GUIDs as people type them, see {@link Guid#parse}. */
public final class GuidText implements ITypeConverter<Guid> {
    /** Said in the help of every command that takes one. */
    public static final String HELP = "40 hexadecimal digits, or a word of up to 20 characters.";

    @Override
    public Guid convert(String text) {
        try {
            return Guid.parse(text);
        } catch (Malformed e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
