package io.guidepost.handle.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.handle.HandleVectorFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every message that was seen between existing clients and servers, read and written again, packets joined. */
class HandleVectorFilesTest {
    /** The messages of a dump, in order; those of several packets joined by hand, as nothing was lost on the way. */
    private static List<byte[]> messages() throws IOException {
        List<byte[]> messages = new ArrayList<>();
        StringBuilder open = new StringBuilder();
        for (String line : HandleVectorFiles.lines("native.txt")) {
            if (line.startsWith("hex ")) {
                String hex = line.substring(4);
                open.append(open.isEmpty() ? hex : hex.substring(2 * HandleWire.ENVELOPE_BYTES));
                int length = Integer.parseInt(open.substring(2 * HandleWire.LENGTH, 2 * HandleWire.ENVELOPE_BYTES), 16);
                if (open.length() == 2 * (HandleWire.ENVELOPE_BYTES + length)) {
                    messages.add(HandleVectors.bytes(open.toString()));
                    open.setLength(0);
                }
            }
        }
        assertThat(open).isEmpty();
        return messages;
    }

    @Test
    void everyMessageIsReadAndWritten() throws IOException, Malformed {
        int clear = 0;
        int encrypted = 0;
        for (byte[] each : messages()) {
            if ((each[HandleWire.FLAGS] & HandleWire.ENCRYPTED) != 0) {
                encrypted++;
            } else {
                assertThat(HandleVectors.hex(HandleMessage.read(each).write())).isEqualTo(HandleVectors.hex(each));
                clear++;
            }
        }
        assertThat(clear).as("messages in clear").isEqualTo(CLEAR);
        assertThat(encrypted).as("messages encrypted").isEqualTo(ENCRYPTED);
    }

    private static final int CLEAR = 114;
    private static final int ENCRYPTED = 8;

    @Test
    void everyDeterministicMessageIsReadAndWritten() throws IOException, Malformed {
        int read = 0;
        for (String line : HandleVectorFiles.lines("deterministic.txt")) {
            String[] words = line.strip().split("\\s+", -1);
            String hex = words[words.length - 1];
            if (words[0].startsWith("#") || !hex.startsWith("020b")) {
                continue;
            }
            if (words[0].equals("macinput") || hex.startsWith("020b42")) {
                continue;
            }
            assertThat(HandleVectors.hex(HandleMessage.read(HandleVectors.bytes(hex)).write())).isEqualTo(hex);
            read++;
        }
        assertThat(read).isEqualTo(2);
        for (String line : HandleVectorFiles.lines("list-terminate.txt")) {
            String[] words = line.strip().split("\\s+", -1);
            if (words[0].equals("homed") || words[0].equals("terminate")) {
                assertThat(HandleVectors.hex(HandleMessage.read(HandleVectors.bytes(words[1])).write())).isEqualTo(words[1]);
                read++;
            }
        }
        assertThat(read).isEqualTo(4);
    }

    @Test
    void answersAreMadeFromTheirRequests() throws IOException, Malformed {
        List<byte[]> messages = messages();
        int made = 0;
        for (int i = 0; i + 1 < messages.size(); i++) {
            byte[] request = messages.get(i);
            byte[] answer = messages.get(i + 1);
            boolean clear = ((request[HandleWire.FLAGS] | answer[HandleWire.FLAGS]) & HandleWire.ENCRYPTED) == 0;
            if (clear && HandleMessage.read(request).header().isRequest() && !HandleMessage.read(answer).header().isRequest()) {
                HandleMessage asked = HandleMessage.read(request);
                HandleMessage given = HandleMessage.read(answer);
                // The answer to a challenge answer is the original operation's, with the original's flags.
                if (asked.header().opcode() == given.header().opcode()) {
                    HandleMessage ours = new ResponseBuilder(given.header().siteSerial(), true)
                            .answer(
                                    asked,
                                    request,
                                    given.responseCode().orElseThrow(),
                                    given.body(),
                                    given.header().expirySeconds() - HandleWire.ANSWER_SECONDS);
                    ours = ours.with(ours.envelope().withSession(given.envelope().sessionId()));
                    assertThat(ours.header()).isEqualTo(given.header());
                    assertThat(ours.requestDigest()).isEqualTo(given.requestDigest());
                    made++;
                }
            }
        }
        assertThat(made).isGreaterThan(30);
    }
}
