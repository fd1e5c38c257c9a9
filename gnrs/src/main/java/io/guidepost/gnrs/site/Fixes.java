package io.guidepost.gnrs.site;

import io.guidepost.base.Counters;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Brings single records into line with another server that has something else: fetches its form, merges it here, and
 * has it merge what it lacks.
 *
 * <p>If one of the two was away for longer than it is kept in mind what was deleted, and the other was not, what it has
 * from before that time and the other has not is taken for deleted: it is dropped at the one and not taken over by the
 * other. If both were away nothing is dropped, as then nobody can have deleted anything.
 */
final class Fixes {
    private final CatchUp home;
    private final Talk talk;
    private final OwnCopies own;
    private final Counters<SiteCount> counts;
    private final ArrayDeque<Fix> waiting = new ArrayDeque<>();
    private int inFlight;

    private record Fix(Course course, byte[] key, boolean there) {}

    Fixes(CatchUp home, Talk talk, OwnCopies own, Counters<SiteCount> counts) {
        this.home = home;
        this.talk = talk;
        this.own = own;
        this.counts = counts;
    }

    /** A record to be brought into line, of which the other server has something else, or nothing. */
    void add(Course course, byte[] key, boolean there) {
        waiting.add(new Fix(course, key, there));
    }

    boolean idle() {
        return waiting.isEmpty() && inFlight == 0;
    }

    int size() {
        return waiting.size();
    }

    /** Whether something could be asked if bytes may be spent. */
    boolean more() {
        return !waiting.isEmpty() && inFlight < CatchUpLimits.FIXES_MAX;
    }

    void work() {
        while (more() && talk.open()) {
            Fix fix = waiting.remove();
            if (fix.there) {
                pull(fix);
            } else {
                byte[] ours = own.shared(fix.key);
                if (ours != null) {
                    push(fix, kept(fix, ours));
                }
            }
        }
    }

    /** What is left of our form if what the other has not was deleted there. */
    private byte @Nullable [] kept(Fix fix, byte[] ours) {
        if (!home.awayLong() || fix.course.partner.says(SiteWire.AWAY_LONG)) {
            return ours;
        }
        byte[] left = own.without(ours, home.forgottenMillis(), home.nowMillis());
        if (left == null || OwnCopies.digest(left) != OwnCopies.digest(ours)) {
            counts.count(SiteCount.RECORDS_OUTDATED);
            own.drop(ours, fix.key, home.forgottenMillis());
        }
        return left;
    }

    private void push(Fix fix, byte @Nullable [] image) {
        if (image == null) {
            return;
        }
        Push push = new Push(fix.course.peer(), image) {
            @Override
            void ended(int code) {
                inFlight--;
                if (code == SiteWire.DONE) {
                    counts.count(SiteCount.RECORDS_PUSHED);
                    fix.course.partner.pushed();
                }
            }
        };
        if (talk.ask(push, push.bytes())) {
            inFlight++;
        }
    }

    private void pull(Fix fix) {
        Pull pull = new Pull(fix.course.peer(), fix.key) {
            @Override
            void pulled(byte @Nullable [] image) {
                inFlight--;
                Fixes.this.pulled(fix, image);
            }

            @Override
            void silent() {
                inFlight--;
            }
        };
        if (talk.ask(pull, Pull.BYTES)) {
            inFlight++;
        }
    }

    private void pulled(Fix fix, byte @Nullable [] image) {
        byte[] ours = own.shared(fix.key);
        byte[] theirs = image;
        if (theirs != null) {
            talk.heard(theirs.length);
            if (!home.awayLong() && fix.course.partner.says(SiteWire.AWAY_LONG)) {
                theirs = own.without(theirs, home.forgottenMillis(), home.nowMillis());
            }
        }
        if (ours != null) {
            ours = kept(fix, ours);
        }
        if (theirs == null) {
            push(fix, ours);
            return;
        }
        long digest = OwnCopies.digest(theirs);
        byte[] merged = own.merged(ours, theirs, home.nowMillis());
        if (merged == null) {
            // It was deleted here, and that may be forgotten: the other server is to hear of it while it is known.
            push(fix, ours);
        } else if (OwnCopies.digest(merged) != digest) {
            push(fix, merged);
        }
        boolean news = merged == null ? ours != null : ours == null || OwnCopies.digest(merged) != OwnCopies.digest(ours);
        if (news && own.merge(fix.key, theirs)) {
            counts.count(SiteCount.RECORDS_PULLED);
            fix.course.partner.pulled();
        }
    }
}
