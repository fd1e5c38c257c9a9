package io.guidepost.packet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.packet.Burst;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import io.guidepost.packet.memory.MemoryLink;
import org.junit.jupiter.api.Test;

class DatagramResponderTest {
    private static final int BURST = 8;

    private final MemoryLink link = new MemoryLink(FrameSettings.of("test").withBurstMax(BURST));
    private final Port server = link.left();
    private final Port client = link.right();
    private final Burst questions = client.tx(0).burst();
    private final Burst got = client.rx(0).burst();
    private final int[] ends = new int[1];

    private DatagramResponder responder() {
        DatagramHandler echo = new DatagramHandler() {
            @Override
            public void packet(Burst in, int index, Burst out) {
                out.copy(in, index);
            }

            @Override
            public void end(Burst out) {
                ends[0]++;
            }
        };
        return new DatagramResponder(server.rx(0), server.tx(0), echo);
    }

    /** Those who need not wait have their answers before the handler turns to the others. */
    @Test
    void whatIsHeldBackDoesNotHoldUpTheOthers() {
        int[] before = {-1};
        DatagramHandler half = new DatagramHandler() {
            @Override
            public void packet(Burst in, int index, Burst out) {
                if (index % 2 == 0) {
                    out.copy(in, index);
                }
            }

            @Override
            public boolean holdsBack() {
                return true;
            }

            @Override
            public void end(Burst out) {
                before[0] = client.rx(0).receive(got);
                out.append(60);
            }
        };
        DatagramResponder responder = new DatagramResponder(server.rx(0), server.tx(0), half);
        ask(4);
        responder.work(0);
        assertThat(before[0]).isEqualTo(2);
        assertThat(client.rx(0).receive(got)).isEqualTo(1);
    }

    private void ask(int number) {
        for (int i = 0; i < number; i++) {
            questions.append(60);
        }
        assertThat(client.tx(0).send(questions)).isZero();
    }

    @Test
    void answersLeaveInTheTurnThatTheyAreMadeIn() {
        DatagramResponder responder = responder();
        ask(3);
        assertThat(responder.work(0)).isEqualTo(3);
        assertThat(client.rx(0).receive(got)).isEqualTo(3);
        assertThat(responder.restNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(responder.work(0)).isZero();
        assertThat(ends[0]).as("every turn ends, with packets or without").isEqualTo(2);
    }
}
