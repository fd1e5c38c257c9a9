package io.guidepost.server.cli.support;

import io.guidepost.alto.protocol.Candidate;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.NameForm;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads arguments of our own types as people type them. */
public final class ArgumentTypes {
    /** Said in the help of every command that takes a name. */
    public static final String NAME_HELP = "Any text, a UUID, a handle, or a GUID: 40 hexadecimal digits, with guid: before them or not.";

    private interface Parser<T> {
        T parse(String text) throws Malformed;
    }

    private static final Map<Class<?>, ITypeConverter<?>> CONVERTERS = Map.of(
            NameForm.class, parsed(NameForm::parse, Malformed::getMessage),
            Guid.class, parsed(text -> NameForm.parse(text).guid(), Malformed::getMessage),
            Locator.class, parsed(Locator::parse, Malformed::getMessage),
            Prefix.class, parsed(Prefix::parseOrAddress, Malformed::reason),
            Candidate.class, parsed(Candidate::parse, Malformed::reason),
            Duration.class, new DurationText());

    private ArgumentTypes() {}

    /** Has a command, and all that are below it so far, read them. */
    public static void register(CommandLine line) {
        CONVERTERS.forEach((type, converter) -> register(line, type, converter));
    }

    @SuppressWarnings("unchecked") // The table has the converter of each type.
    private static <T> void register(CommandLine line, Class<T> type, ITypeConverter<?> converter) {
        line.registerConverter(type, (ITypeConverter<T>) converter);
    }

    /** Says what is wrong with an argument of a type of ours; empty if nothing is, or the type is not ours. */
    public static Optional<String> fault(Class<?> type, String text) {
        ITypeConverter<?> converter = CONVERTERS.get(type);
        try {
            if (converter != null) {
                converter.convert(text);
            }
            return Optional.empty();
        } catch (Exception e) {
            return Optional.ofNullable(e.getMessage());
        }
    }

    private static <T> ITypeConverter<T> parsed(Parser<T> parser, Function<Malformed, String> fault) {
        return text -> {
            try {
                return parser.parse(text);
            } catch (Malformed e) {
                throw new TypeConversionException(fault.apply(e));
            }
        };
    }
}
