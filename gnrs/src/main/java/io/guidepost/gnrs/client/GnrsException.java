package io.guidepost.gnrs.client;

import io.guidepost.gnrs.wire.RefusalReason;
import io.guidepost.names.Locator;
import java.io.IOException;
import java.util.Locale;

/** Thrown for a request that failed: the server refused it, or did not answer. */
public final class GnrsException extends IOException {
    private final GnrsResponse answer;

    GnrsException(GnrsResponse answer) {
        super(message(answer));
        this.answer = answer;
    }

    private static String message(GnrsResponse answer) {
        String what = answer.request().kind() + " of " + answer.request().guid();
        return switch (answer.outcome()) {
            case TIMEOUT -> silence(answer, what);
            case UNREACHABLE -> silence(answer, what) + ": nothing listens at that port";
            case FAILED, SUCCESS -> Locator.of(answer.server()) + " answered FAILED to " + what + ": "
                    + answer.copies().map(GnrsException::copies)
                            .or(() -> answer.reason().map(RefusalReason::sentence))
                            .orElse("it is overloaded, out of room, or keeps other names");
        };
    }

    private static String copies(GnrsResponse.Copies copies) {
        return copies.held() + " of the " + copies.needed()
                + " servers that must hold it confirmed that they do; it may yet take effect";
    }

    private static String silence(GnrsResponse answer, String what) {
        return String.format(
                Locale.ROOT,
                "no answer from %s to %s within %d ms (%d datagrams sent)",
                Locator.of(answer.server()),
                what,
                answer.roundTripNanos() / 1_000_000,
                answer.datagrams());
    }

    /** Returns the outcome of the request. */
    public GnrsResponse answer() {
        return answer;
    }
}
