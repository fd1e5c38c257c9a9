package io.guidepost.middlebox;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Port;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.backend.FramePortOpener;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.worker.DutyCycle;
import io.guidepost.packet.worker.TxBuffer;
import io.guidepost.packet.worker.Worker;
import io.guidepost.packet.worker.WorkerSettings;

/** A middlebox as a user writes it: everything passes between two ports but UDP and TCP to one port number. */
public final class ExampleFirewall implements DutyCycle {
    private final RxQueue rx;
    private final TxBuffer tx;
    private final int forbidden;
    private final Burst in;
    private final HeaderParser headers = new HeaderParser();

    public ExampleFirewall(RxQueue rx, TxQueue tx, int forbidden) {
        this.rx = rx;
        this.tx = new TxBuffer(tx);
        this.forbidden = forbidden;
        this.in = rx.burst();
    }

    @Override
    public int work(long nowMillis) {
        int received = rx.receive(in);
        for (int i = 0; i < received; i++) {
            if (headers.read(in, i) && headers.destinationPort() != forbidden) {
                tx.take(in, i);
            } else {
                // What is not taken goes back to the pool by itself.
                rx.statistics().drop(Drop.DENIED, 1);
            }
        }
        return received + tx.work(nowMillis);
    }

    /** For example: {@code packet:veth0 packet:veth1 23}. */
    public static void main(String[] args) throws Exception {
        try (Port left = FramePortOpener.open(args[0]);
                Port right = FramePortOpener.open(args[1]);
                Worker worker = new Worker(WorkerSettings.of("firewall"))) {
            int forbidden = Integer.parseInt(args[2]);
            worker.watch(left.rx(0)).watch(right.rx(0))
                    .add(new ExampleFirewall(left.rx(0), right.tx(0), forbidden))
                    .add(new ExampleFirewall(right.rx(0), left.tx(0), forbidden))
                    .start();
            System.in.read();
        }
    }
}
