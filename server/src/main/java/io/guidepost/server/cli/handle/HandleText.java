package io.guidepost.server.cli.handle;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a handle of the command line. */
final class HandleText implements ITypeConverter<Handle> {
    static final String HELP = "A handle, such as 1234/abc.";

    @Override
    public Handle convert(String text) {
        try {
            return Handle.parse(text);
        } catch (Malformed e) {
            throw new TypeConversionException(e.reason());
        }
    }

    /** The prefix handle that somebody means by a prefix or by its handle. */
    static Handle prefixHandle(String text) {
        Handle handle = Handle.of(text);
        return text.indexOf('/') >= 0 && handle.isPrefixHandle() ? handle : Handle.ofPrefix(text);
    }
}
