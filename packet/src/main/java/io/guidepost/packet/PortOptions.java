package io.guidepost.packet;

import java.io.IOException;
import java.util.List;
import java.util.TreeMap;

/** Reads the options that only one back end knows, as the person wrote them; what nobody asked for is refused. */
public final class PortOptions {
    private final String port;
    private final TreeMap<String, String> left;
    private final TreeMap<String, String> known = new TreeMap<>();

    /**
     * The options of a port.
     *
     * @param port its name for messages: {@code packet:eth0}
     */
    public PortOptions(String port, FrameSettings settings) {
        this.port = port;
        this.left = new TreeMap<>(settings.options());
    }

    /** Returns a text as it stands. */
    public String text(String key, String standard) {
        known.put(key, "");
        String value = left.remove(key);
        return value == null ? standard : value;
    }

    /** True or false; the key alone is true. */
    public boolean flag(String key, boolean standard) throws IOException {
        String value = choice(key, Boolean.toString(standard), List.of("true", "false", ""));
        return !value.equals("false");
    }

    /** Returns one of several words. */
    public String choice(String key, String standard, List<String> words) throws IOException {
        String value = text(key, standard);
        if (!words.contains(value)) {
            throw new IOException(port + ": " + key + " is \"" + value + "\"; it must be "
                    + String.join(" or ", words.stream().filter(each -> !each.isEmpty()).toList()));
        }
        return value;
    }

    /** Returns a whole number. */
    public int number(String key, int standard, int min, int max) throws IOException {
        String value = text(key, Integer.toString(standard));
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
     * {@code checksums}: whether checksums of UDP and TCP may come and leave partial, as {@link TransportChecksum} says; with
     * {@code software} the port checks none, and completes those that come partial and those that leave so.
     */
    public boolean checksumsByDevice() throws IOException {
        return choice("checksums", "device", List.of("device", "software")).equals("device");
    }

    /** Comes after all that the back end knows: refuses the rest. */
    public void refuseOthers() throws IOException {
        if (!left.isEmpty()) {
            throw new IOException(port + ": no option \"" + left.firstKey() + "\"; "
                    + (known.isEmpty() ? "there are none of its own" : "there are " + String.join(", ", known.keySet())));
        }
    }
}
