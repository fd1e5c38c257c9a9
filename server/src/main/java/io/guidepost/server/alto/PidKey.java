package io.guidepost.server.alto;

import io.guidepost.alto.map.PidNames;
import io.guidepost.base.DurableFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The key by which PIDs are named, made at the first start: servers that are given the same file call PIDs alike. */
final class PidKey {
    private static final String FILE = "pid.key";

    private PidKey() {}

    private static byte[] make() {
        byte[] key = new byte[PidNames.KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return (HexFormat.of().formatHex(key) + '\n').getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * The key of a folder.
     *
     * @throws IOException in one line, if it cannot be read or made
     */
    static byte[] of(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        byte[] bytes = DurableFiles.secret(file, PidKey::make);
        String text = new String(bytes, StandardCharsets.US_ASCII).strip();
        if (!text.matches("[0-9a-f]{" + 2 * PidNames.KEY_BYTES + "}")) {
            throw new IOException(file + " has no " + 2 * PidNames.KEY_BYTES
                    + " hexadecimal digits: delete it, and another one is made, with other names for all PIDs");
        }
        return HexFormat.of().parseHex(text);
    }
}
