package io.guidepost.scaffold.gateway;

import java.util.List;

/** Questions of DNS to a gateway, for {@code ./guidepost fuzz}. */
public final class ZoneFuzz {
    private static final ZoneAnswers ZONE = new ZoneAnswers("svc.internal", true);

    private ZoneFuzz() {}

    /** Tries one. */
    public static void fuzz(byte[] datagram) {
        ZoneQuestion question = ZoneQuestion.read(datagram);
        if (question == null) {
            return;
        }
        String object = ZONE.object(question);
        if (object == null) {
            check(question, ZONE.answer(question));
        } else {
            check(question, ZONE.answer(question, 0x6440_0005, true));
            check(question, ZONE.answer(question, 0, true));
            check(question, ZONE.answer(question, 0, false));
        }
    }

    private static void check(ZoneQuestion question, byte[] answer) {
        if (answer.length > 512 || answer.length < ZoneQuestion.HEADER_BYTES) {
            throw new AssertionError("an answer of " + answer.length + " bytes");
        }
        if (answer[0] != question.bytes()[0] || answer[1] != question.bytes()[1] || answer[2] >= 0) {
            throw new AssertionError("no answer to this question");
        }
    }

    /** Right questions. */
    public static List<byte[]> seeds() {
        return List.of(
                ZoneAnswersTest.question("web.svc.internal", ZoneAnswers.TYPE_A, 1, true),
                ZoneAnswersTest.question("a.b.SVC.internal", ZoneAnswers.TYPE_AAAA, 1, false),
                ZoneAnswersTest.question("svc.internal", ZoneAnswers.TYPE_SOA, 1, true),
                ZoneAnswersTest.question("example.org", ZoneAnswers.TYPE_ANY, 255, false));
    }
}
