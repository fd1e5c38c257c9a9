package io.guidepost.packet;

import java.io.IOException;
import java.util.List;
import java.util.TreeMap;

/** Parses the options of one back end as the operator wrote them; unknown options are refused. */
public final class PortOptions {
    private final String port;
    private final TreeMap<String, String> left;
    private final TreeMap<String, String> known = new TreeMap<>();

    /**
     * Takes the options of a port.
     *
     * @param port its name for messages: {@code packet:eth0}
     */
    public PortOptions(String port, FrameSettings settings) {
        this.port = port;
        this.left = new TreeMap<>(settings.options());
    }

    /** Returns a text option. */
    public String text(String key, String standard) {
        known.put(key, "");
        String value = left.remove(key);
        return value == null ? standard : value;
    }

    /** Returns a boolean option; the key alone is true. */
    public boolean flag(String key, boolean standard) throws IOException {
        String value = choice(key, Boolean.toString(standard), List.of("true", "false", ""));
        return !value.equals("false");
    }

    /** Returns an option with several allowed words. */
    public String choice(String key, String standard, List<String> words) throws IOException {
        String value = text(key, standard);
        if (!words.contains(value)) {
            throw new IOException(port + ": " + key + " is \"" + value + "\"; it must be "
                    + String.join(" or ", words.stream().filter(each -> !each.isEmpty()).toList()));
        }
        return value;
    }

    /** Returns an integer option; the standard may lie outside of its range. */
    public int number(String key, int standard, int min, int max) throws IOException {
        known.put(key, "");
        String value = left.remove(key);
        if (value == null) {
            return standard;
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Refused below, as one that is out of range.
        }
        throw new IOException(port + ": " + key + " is \"" + value + "\"; it must be a number, " + min + " to " + max);
    }

    /**
     * Returns option {@code checksums}: whether UDP and TCP checksums may arrive and leave partial, see {@link
     * TransportChecksum}. With {@code software} the port verifies none, and completes partial ones in both directions.
     */
    public boolean checksumsByDevice() throws IOException {
        return choice("checksums", "device", List.of("device", "software")).equals("device");
    }

    /** Refuses the options that the back end has not read; call it last. */
    public void refuseOthers() throws IOException {
        if (!left.isEmpty()) {
            throw new IOException(port + ": no option \"" + left.firstKey() + "\"; "
                    + (known.isEmpty() ? "there are none of its own" : "there are " + String.join(", ", known.keySet())));
        }
    }
}
