package io.guidepost.lab.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A server that breaks what it promises is found out, and one that does not is not. */
class WriteLedgerTest {
    private static final String NAME = "name";

    private final BrokenPromises broken = new BrokenPromises();
    private final WriteLedger ledger = new WriteLedger(List.of(NAME), true, broken);
    private final SplittableRandom random = new SplittableRandom(7);

    /** What a server does with a write. */
    private enum Fault {
        NONE,
        FORGETS,
        SAYS_NOTHING,
        REFUSES_AND_DOES
    }

    /** A server in memory. */
    private static final class FaultyAccess implements LedgerAccess {
        private final Map<String, String> states = new HashMap<>();
        private Fault fault = Fault.NONE;

        @Override
        public String read(String name) {
            return states.getOrDefault(name, "");
        }

        @Override
        public void write(WriteLedger.Write write) throws IOException {
            if (fault != Fault.FORGETS && fault != Fault.SAYS_NOTHING) {
                states.put(write.name(), write.after());
            }
            switch (fault) {
                case SAYS_NOTHING -> throw new IOException("no answer");
                case REFUSES_AND_DOES -> throw new Refused("no");
                case NONE, FORGETS -> {}
            }
        }

        @Override
        public void close() {}
    }

    private final FaultyAccess server = new FaultyAccess();

    private void writeAndLook() throws IOException {
        server.write(ledger, random);
        server.look(ledger, NAME, "door");
    }

    @Test
    void aServerThatKeepsWhatItAcknowledgesIsNotAccused() throws Exception {
        for (int i = 0; i < 1000; i++) {
            writeAndLook();
        }
        assertThat(broken.all()).isEmpty();
    }

    @Test
    void aLostWriteIsFound() throws Exception {
        server.fault = Fault.FORGETS;
        writeAndLook();
        assertThat(broken.all()).containsOnlyKeys(WriteLedger.LOST);
    }

    @Test
    void anAnswerOlderThanAnAcknowledgedWriteIsFound() throws Exception {
        writeAndLook();
        server.fault = Fault.FORGETS;
        writeAndLook();
        assertThat(broken.all()).containsOnlyKeys(WriteLedger.OLDER);
    }

    @Test
    void anAnswerThatWasNeverWrittenIsFound() throws Exception {
        writeAndLook();
        server.states.put(NAME, "192.0.2.1:1");
        server.look(ledger, NAME, "door");
        assertThat(broken.all()).containsOnlyKeys(WriteLedger.NEVER_WRITTEN);
    }

    /** While a write is under way, and as long as it is in doubt, an answer may have it or not. */
    @Test
    void aWriteThatIsNotAcknowledgedMayBeDoneOrNot() throws Exception {
        writeAndLook();
        WriteLedger.Look before = ledger.look(NAME);
        server.fault = Fault.SAYS_NOTHING;
        assertThatThrownBy(this::writeAndLook).hasMessage("no answer");
        assertThat(ledger.doubtful()).isEqualTo(1);
        assertThat(ledger.write(random)).as("a name in doubt is not written").isEmpty();
        ledger.judge(before, "door", server.read(NAME));
        ledger.judge(ledger.look(NAME), "door", server.read(NAME));
        ledger.settle(ledger.look(NAME), server.read(NAME));
        assertThat(ledger.doubtful()).as("the process may do it yet").isEqualTo(1);
        ledger.processEnded();
        ledger.settle(ledger.look(NAME), server.read(NAME));
        assertThat(ledger.doubtful()).isZero();
        assertThat(broken.all()).isEmpty();
    }

    @Test
    void aRefusedWriteThatWasDoneCounts() throws Exception {
        writeAndLook();
        server.fault = Fault.REFUSES_AND_DOES;
        assertThatThrownBy(this::writeAndLook).isInstanceOf(LedgerAccess.Refused.class);
        ledger.settle(ledger.look(NAME), server.read(NAME));
        assertThat(ledger.doubtful()).isZero();
        server.fault = Fault.NONE;
        writeAndLook();
        assertThat(broken.all()).isEmpty();
    }
}
