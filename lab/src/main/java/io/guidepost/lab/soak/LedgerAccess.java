package io.guidepost.lab.soak;

import java.io.IOException;
import java.util.Optional;
import java.util.SplittableRandom;

/** A way to the names of a {@link WriteLedger}: one door, or one transport of it. One thread at a time. */
interface LedgerAccess extends AutoCloseable {
    /** The server answered, and refused. */
    final class Refused extends IOException {
        Refused(String message) {
            super(message);
        }
    }

    /**
     * Reads the state of a name.
     *
     * @throws Refused if the server refuses
     * @throws IOException if it does not answer
     */
    String read(String name) throws IOException;

    /**
     * Writes the state of a name.
     *
     * @throws Refused if the server refuses
     * @throws IOException if it does not answer
     */
    void write(WriteLedger.Write write) throws IOException;

    @Override
    void close();

    /** Looks at a name, and checks the answer. */
    default String look(WriteLedger ledger, String name, String door) throws IOException {
        WriteLedger.Look look = ledger.look(name);
        String found = read(name);
        ledger.judge(look, door, found);
        return found;
    }

    /** Looks at some name. */
    default void look(WriteLedger ledger, SplittableRandom random, String door) throws IOException {
        look(ledger, ledger.names().get(random.nextInt(ledger.names().size())), door);
    }

    /** Writes some name. */
    default void write(WriteLedger ledger, SplittableRandom random) throws IOException {
        Optional<WriteLedger.Write> write = ledger.write(random);
        if (write.isEmpty()) {
            return;
        }
        boolean answered = false;
        boolean done = false;
        try {
            write(write.get());
            done = true;
        } catch (Refused refusal) {
            answered = true;
            throw refusal;
        } finally {
            if (done) {
                ledger.acknowledged(write.get());
            } else {
                ledger.inDoubt(write.get(), answered);
            }
        }
    }
}
