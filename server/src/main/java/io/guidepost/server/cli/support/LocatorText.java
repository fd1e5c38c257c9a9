package io.guidepost.server.cli.support;

import io.guidepost.base.Malformed;
import io.guidepost.names.Locator;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads places as people type them, see {@link Locator#parse}. */
public final class LocatorText implements ITypeConverter<Locator> {
    @Override
    public Locator convert(String text) {
        try {
            return Locator.parse(text);
        } catch (Malformed e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
