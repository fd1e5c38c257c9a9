package io.guidepost.dns;

import io.guidepost.names.Guid;
import java.util.Optional;

/** What names are called: which GUID a text has, and which text a GUID. */
public interface NameMapping {
    /** Names as the command {@code get} takes them: words of up to 20 printable ASCII characters. */
    NameMapping WORDS = new NameMapping() {
        @Override
        public boolean guid(byte[] text, int length, byte[] guid) {
            if (length > Guid.BYTES) {
                return false;
            }
            System.arraycopy(text, 0, guid, 0, length);
            for (int i = length; i < Guid.BYTES; i++) {
                guid[i] = 0;
            }
            return true;
        }

        @Override
        public Optional<String> text(byte[] guid) {
            int length = Guid.BYTES;
            while (length > 0 && guid[length - 1] == 0) {
                length--;
            }
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < length; i++) {
                if (guid[i] <= ' ' || guid[i] > '~') {
                    return Optional.empty();
                }
                text.append((char) guid[i]);
            }
            return length == 0 ? Optional.empty() : Optional.of(text.toString());
        }
    };

    /**
     * Computes the GUID of a name. Allocates nothing.
     *
     * @param text printable ASCII characters without capital letters
     * @param length characters, at least 1
     * @param guid takes the 20 bytes
     * @return whether there can be such a name
     */
    boolean guid(byte[] text, int length, byte[] guid);

    /** Returns the text that a GUID was made of, where it can be told. */
    Optional<String> text(byte[] guid);
}
