package io.guidepost.packet.worker;

import java.io.IOException;
import java.io.RandomAccessFile;
import org.jspecify.annotations.Nullable;

/**
 * How long a thread has waited for a processor, ready to run: the second number in its {@code schedstat} (Linux, see
 * proc_pid_schedstat(5)).
 *
 * <p>For one thread at a time.
 */
final class RunQueueWait implements AutoCloseable {
    private static final String FILE = "/proc/thread-self/schedstat";

    /** Three numbers of at most 20 digits. */
    private final byte[] text = new byte[64];

    private final @Nullable RandomAccessFile file;

    private RunQueueWait(@Nullable RandomAccessFile file) {
        this.file = file;
    }

    /** Opens that of the calling thread; where the kernel does not count, it has never waited. */
    static RunQueueWait ofThisThread() {
        try {
            return new RunQueueWait(new RandomAccessFile(FILE, "r"));
        } catch (IOException e) {
            return new RunQueueWait(null);
        }
    }

    /** Returns the nanoseconds since the thread began; 0 where they are unknown. */
    long nanos() {
        if (file == null) {
            return 0;
        }
        try {
            // The kernel writes the numbers anew for a read from the beginning.
            file.seek(0);
            return second(text, file.read(text));
        } catch (IOException e) {
            return 0;
        }
    }

    private static long second(byte[] text, int length) {
        long number = 0;
        boolean behindFirst = false;
        for (int i = 0; i < length; i++) {
            if (text[i] >= '0' && text[i] <= '9') {
                number = behindFirst ? number * 10 + text[i] - '0' : 0;
            } else if (behindFirst) {
                return number;
            } else {
                behindFirst = true;
            }
        }
        return 0;
    }

    @Override
    public void close() {
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                throw new IllegalStateException("the kernel does not close " + FILE, e);
            }
        }
    }
}
