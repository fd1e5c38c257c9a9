package io.guidepost.proximity.oracle;

import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.AsNotation;
import io.guidepost.proximity.oracle.OracleError.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** The words of a command, parsed by the names in its form. */
final class OracleArguments {
    private final List<String> form;
    private final List<String> words;
    private final Function<String, Optional<Address>> named;

    /**
     * Takes the words of a command.
     *
     * @param named finds a router by its name
     */
    OracleArguments(OracleGrammar.Parsed parsed, Function<String, Optional<Address>> named) {
        this.named = named;
        form = parsed.row().form();
        words = parsed.words();
    }

    /** Returns the word at the place of a name in the form. */
    String text(String name) {
        return words.get(form.indexOf(name));
    }

    /** Returns the word at the place of a choice, in lower case. */
    String choice(int at) {
        return words.get(at).toLowerCase(Locale.ROOT);
    }

    /** Returns an address, which may be given as the name of a router. */
    Address address(String name) throws Refusal {
        try {
            return Address.parse(text(name));
        } catch (Malformed e) {
            Optional<Address> router = named.apply(text(name));
            if (router.isEmpty()) {
                throw OracleError.ADDRESS.because(e.reason());
            }
            return router.get();
        }
    }

    /** Returns an address, or empty for {@code -}. */
    Optional<Address> end(String name) throws Refusal {
        return text(name).equals("-") ? Optional.empty() : Optional.of(address(name));
    }

    Prefix prefix(String name) throws Refusal {
        try {
            return Prefix.parse(text(name));
        } catch (Malformed e) {
            throw OracleError.PREFIX.because(e.reason());
        }
    }

    int number(String name, OracleError error, int min, int max) throws Refusal {
        String word = text(name);
        if (word.matches("[0-9]{1,9}")) {
            int number = Integer.parseInt(word);
            if (number >= min && number <= max) {
                return number;
            }
        }
        throw error.because("'" + word + "' should be a number from " + min + " to " + max);
    }

    int nic() throws Refusal {
        return number("NIC", OracleError.NIC, 0, OracleLimits.NICS_MAX - 1);
    }

    long asNumber() throws Refusal {
        byte[] bytes = text("AS").getBytes(StandardCharsets.UTF_8);
        long number = AsNotation.PLAIN.parse(bytes, 0, bytes.length);
        if (number < 0) {
            throw OracleError.AS_NUMBER.because("'" + text("AS") + "' should be " + AsNotation.PLAIN.expected());
        }
        return number;
    }

    /** Parses a decimal number of 0 or more, or above 0. */
    double decimal(String name, boolean zero) throws Refusal {
        double number = OracleDecimals.parse(text(name));
        if (!(zero ? number >= 0 : number > 0)) {
            throw OracleError.VALUE.because(
                    "'" + text(name) + "' should be a number of " + (zero ? "0 or more" : "more than 0") + ", such as 35 or 0.5");
        }
        return number;
    }
}
