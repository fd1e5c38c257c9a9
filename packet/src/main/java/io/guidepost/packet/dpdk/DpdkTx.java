package io.guidepost.packet.dpdk;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.TxQueue;

/** A transmit queue of a device. */
final class DpdkTx extends DpdkQueue implements TxQueue {
    /** An Ethernet header: a shorter frame is invalid and may crash drivers. */
    private static final int FRAME_BYTES_MIN = 14;

    private final int frameBytesMax;
    private final MbufChecksums checksums;

    DpdkTx(MbufPool pool, int number, int burstMax, int frameBytesMax, String driver, MbufChecksums checksums) {
        super(pool.view(), number, burstMax, driver, new QueueStatistics());
        this.checksums = checksums;
        this.frameBytesMax = frameBytesMax;
    }

    @Override
    void attach(long row) {
        attach(row + DpdkAbi23.FAST_TX_BURST, row + DpdkAbi23.FAST_TX_DATA);
    }

    @Override
    public int send(Burst burst) {
        int count = burst.count();
        if (count == 0) {
            return 0;
        }
        view.cache();
        if (!gate.enter()) {
            statistics.drop(Drop.CLOSED, count);
            burst.clear();
            return 0;
        }
        if (fill(burst, count) >= 0) {
            transmit(burst, count);
        } else {
            checksums.leave(burst);
            transmitGood(burst);
        }
        gate.leave();
        return burst.count();
    }

    /** Fills mbufs from rows; returns a negative number if a length is invalid or a checksum is partial. */
    private int fill(Burst burst, int count) {
        long into = mbufs;
        int max = frameBytesMax;
        int odd = 0;
        for (int i = 0; i < count; i++) {
            long mbuf = burst.handle(i);
            int length = burst.length(i);
            Memory.put16Le(mbuf + DpdkAbi23.MBUF_DATA_OFF, (int) (burst.offset(i) - mbuf) - DpdkAbi23.MBUF_BYTES);
            Memory.put32Le(mbuf + DpdkAbi23.MBUF_PKT_LEN, length);
            Memory.put16Le(mbuf + DpdkAbi23.MBUF_DATA_LEN, length);
            Memory.put64Le(into + ((long) i << 3), mbuf);
            // A partial state is negative.
            odd |= length - FRAME_BYTES_MIN | max - length | burst.checksum(i);
        }
        return odd;
    }

    /** Sends the first filled mbufs. */
    private int transmit(Burst burst, int number) {
        int sent = PollModeDrivers.burst(critical, function, queue, mbufs, number);
        statistics.call();
        if (sent > 0) {
            statistics.burst(sent, bytes(burst, sent));
            burst.sent(sent);
        }
        return sent;
    }

    private static long bytes(Burst burst, int number) {
        long bytes = 0;
        for (int i = 0; i < number; i++) {
            bytes += burst.length(i);
        }
        return bytes;
    }

    /** Sends the valid frames of a burst, run by run, and drops the rest. */
    private void transmitGood(Burst burst) {
        while (burst.count() > 0) {
            int run = 0;
            while (run < burst.count() && isGood(burst.length(run))) {
                run++;
            }
            if (run > 0) {
                fill(burst, run);
                if (transmit(burst, run) < run) {
                    return;
                }
            } else {
                statistics.drop(burst.length(0) > frameBytesMax ? Drop.TOO_LARGE : Drop.OTHER, 1);
                memory.free(burst.handle(0));
                burst.sent(1);
            }
        }
    }

    private boolean isGood(int length) {
        return length >= FRAME_BYTES_MIN && length <= frameBytesMax;
    }
}
