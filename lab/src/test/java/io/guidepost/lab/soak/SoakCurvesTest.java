package io.guidepost.lab.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

/** What grows in a process that is warm is found, and what does not is not; the plan of a run is that of its seed. */
class SoakCurvesTest {
    private static final double MEBI = 1 << 20;

    private final SoakCurves curves = new SoakCurves();

    /** A process of 600 seconds, whose memory grows by so many MiB in each minute, and its descriptors by so many. */
    private void process(long number, double mebibytes, double descriptors) {
        for (int second = 0; second < 600; second += 5) {
            double minutes = second / 60.0;
            curves.add(new SoakCurves.Sample(
                    number * 600 + second, number, 100, 1, (200 + mebibytes * minutes) * MEBI,
                    second % 20 == 0 ? (30 + mebibytes * minutes) * MEBI : Double.NaN, 30, 90 + descriptors * minutes, 0));
        }
    }

    private Set<SoakCurves.Curve> grew() {
        return curves.growth().stream().filter(SoakCurves.Growth::grew).map(SoakCurves.Growth::curve).collect(Collectors.toSet());
    }

    @Test
    void aProcessThatStaysAsItIsDoesNotGrow() {
        process(0, 10, 10);
        process(1, 0, 0);
        assertThat(grew()).as("that of the last process counts").isEmpty();
        assertThat(curves.growth()).hasSize(4).allMatch(each -> each.last() > 0);
    }

    @Test
    void memoryAndDescriptorsThatLeakAreFound() {
        process(0, 4, 3);
        assertThat(grew())
                .containsExactlyInAnyOrder(SoakCurves.Curve.RESIDENT, SoakCurves.Curve.HEAP, SoakCurves.Curve.DESCRIPTORS);
    }

    @Test
    void curvesAreDrawn() throws Exception {
        process(0, 1, 0);
        assertThat(curves.bars(SoakCurves.Curve.RESIDENT)).startsWith("▁").contains("█").endsWith("200.0 to 209.9");
        String svg = curves.svg("a title");
        assertThat(DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)))
                        .getElementsByTagName("path").getLength())
                .isEqualTo(SoakCurves.Curve.values().length);
    }

    @Test
    void aSeedGivesTheSameEventsAndEachComesBeforeOneComesAgain() {
        List<SoakEvent> all = List.of(SoakEvent.values());
        List<SoakEvent.Planned> plan = SoakEvent.plan(7, 3600, 30, all);
        assertThat(plan).isEqualTo(SoakEvent.plan(7, 3600, 30, all)).isNotEqualTo(SoakEvent.plan(8, 3600, 30, all)).hasSizeBetween(60, 180);
        assertThat(plan.subList(0, all.size())).extracting(SoakEvent.Planned::event).containsExactlyInAnyOrderElementsOf(all);
        assertThat(plan.stream().filter(each -> each.second() > 1800).map(SoakEvent.Planned::event))
                .as("a process stays, so that what grows in it is seen")
                .isNotEmpty()
                .doesNotContain(SoakEvent.KILL, SoakEvent.UPGRADE, SoakEvent.FAILED_UPGRADE);
    }
}
