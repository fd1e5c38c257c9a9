package io.guidepost.handle.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages that were seen between existing clients and servers, read and written again; their files say how they are written. */
class RecordedMessagesTest {
    private static final Path FOLDER = Path.of("src/test/resources/exchanges");

    /** The messages of version 2.11, in clear and whole, in the lines of a file that begin so. */
    private static List<byte[]> messages(String file, String beginning) throws IOException {
        return Files.readAllLines(FOLDER.resolve(file)).stream()
                .filter(each -> each.matches(beginning + " 020b020b[0-9a-f]{88,}"))
                .map(each -> HandleVectors.bytes(each.substring(2)))
                .toList();
    }

    private static void assertSameWhenWritten(List<byte[]> messages) throws Malformed {
        for (byte[] each : messages) {
            assertThat(HandleVectors.hex(HandleMessage.read(each).write())).isEqualTo(HandleVectors.hex(each));
        }
    }

    @Test
    void everyMessageIsReadAndWritten() throws IOException, Malformed {
        List<byte[]> answers = messages("version-9.2.txt", "<");
        assertThat(answers.size()).isEqualTo(286);
        assertSameWhenWritten(answers);
        List<byte[]> both = messages("sessions-9.2.txt", "[<>]");
        assertThat(both.size()).isEqualTo(56);
        assertSameWhenWritten(both);
    }

    @Test
    void answersAreMadeFromTheirRequests() throws IOException, Malformed {
        List<byte[]> requests = messages("sessions-9.2.txt", ">");
        List<byte[]> answers = messages("sessions-9.2.txt", "<");
        int made = 0;
        for (int i = 0; i < requests.size(); i++) {
            HandleMessage asked = HandleMessage.read(requests.get(i));
            HandleMessage given = HandleMessage.read(answers.get(i));
            // The answer to a challenge answer is the original operation's, with the original's flags.
            if (asked.header().opcode() == given.header().opcode()) {
                HandleMessage ours = new ResponseBuilder(given.header().siteSerial(), true)
                        .answer(
                                asked,
                                requests.get(i),
                                given.responseCode().orElseThrow(),
                                given.body(),
                                given.header().expirySeconds() - HandleWire.ANSWER_SECONDS);
                ours = ours.with(ours.envelope().withSession(given.envelope().sessionId()));
                assertThat(ours.header()).isEqualTo(given.header());
                assertThat(ours.requestDigest()).isEqualTo(given.requestDigest());
                made++;
            }
        }
        assertThat(made).isEqualTo(20);
    }
}
