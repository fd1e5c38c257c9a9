package io.guidepost.server.cli;

import io.guidepost.names.Locator;
import io.guidepost.names.Malformed;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads places as people type them, see {@link Locator#parse}. */
final class PlaceText implements ITypeConverter<Locator> {
    @Override
    public Locator convert(String text) {
        try {
            return Locator.parse(text);
        } catch (Malformed e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
