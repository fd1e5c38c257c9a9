package io.guidepost.middlebox;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.worker.DutyCycle;

/** Joins two ports: what goes there gets a VLAN tag, and what comes back loses it; without that one it is dropped. */
final class Tagger implements DutyCycle {
    private static final int TAG_BYTES = 4;

    private final Port plain;
    private final Port tagged;
    private final int tag;
    private final Burst in;
    private final Burst out;
    private final Burst back;
    private final Burst home;

    Tagger(Port plain, Port tagged, int vlan) {
        this.plain = plain;
        this.tagged = tagged;
        this.tag = 0x8100_0000 | vlan;
        this.in = plain.rx(0).burst();
        this.out = tagged.tx(0).burst();
        this.back = tagged.rx(0).burst();
        this.home = plain.tx(0).burst();
    }

    @Override
    public int work(long nowMillis) {
        int there = plain.rx(0).receive(in);
        for (int i = 0; i < there; i++) {
            long frame = in.offset(i) - TAG_BYTES;
            Memory.put64(frame, Memory.i64(frame + TAG_BYTES));
            Memory.put32(frame + 8, Memory.i32(frame + 12));
            Memory.put32(frame + 12, tag);
            in.reshape(i, frame, in.length(i) + TAG_BYTES);
            out.take(in, i);
        }
        tagged.tx(0).send(out);
        int number = tagged.rx(0).receive(back);
        for (int i = 0; i < number; i++) {
            long frame = back.offset(i);
            if (Memory.i32(frame + 12) == tag) {
                Memory.put32(frame + 12, Memory.i32(frame + 8));
                Memory.put64(frame + TAG_BYTES, Memory.i64(frame));
                back.reshape(i, frame + TAG_BYTES, back.length(i) - TAG_BYTES);
                home.take(back, i);
            }
        }
        plain.tx(0).send(home);
        return there + number;
    }
}
