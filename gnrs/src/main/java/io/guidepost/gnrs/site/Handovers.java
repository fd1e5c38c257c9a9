package io.guidepost.gnrs.site;

import io.guidepost.base.Counters;
import io.guidepost.gnrs.Placement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Hands records over that are placed at other servers now: each is merged there, and when a quorum of them holds it, it
 * is removed here, unless it has changed meanwhile. Who does not confirm it gets a hint.
 */
final class Handovers {
    private final Talk talk;
    private final OwnCopies own;
    private final Hints hints;
    private final Partners partners;
    private final SiteSettings settings;
    private final Counters<SiteCount> counts;
    private final Set<byte[]> keys = new TreeSet<>(java.util.Arrays::compareUnsigned);

    /** One record on its way. */
    private final class Transfer {
        private final byte[] key;
        private final byte[] image;
        private final int needed;
        private final Placement by;
        private final Set<Peer> left;
        private final List<Peer> failed = new ArrayList<>();
        private int held;

        Transfer(byte[] key, byte[] image, int needed, Placement by, Set<Peer> left, Set<Peer> unable) {
            this.key = key;
            this.image = image;
            this.needed = needed;
            this.by = by;
            this.left = left;
            this.failed.addAll(unable);
        }

        void ended(Peer peer, boolean done) {
            left.remove(peer);
            if (done) {
                held++;
            } else {
                failed.add(peer);
            }
            if (left.isEmpty()) {
                keys.remove(key);
                if (held >= needed && own.remove(key, OwnCopies.digest(image), by)) {
                    counts.count(SiteCount.RECORDS_HANDED_OVER);
                    failed.forEach(each -> hints.add(each, image));
                }
            }
        }
    }

    Handovers(Talk talk, OwnCopies own, Deployment deployment, Counters<SiteCount> counts) {
        this.talk = talk;
        this.own = own;
        this.hints = deployment.hints();
        this.partners = deployment.partners();
        this.settings = deployment.settings();
        this.counts = counts;
    }

    boolean idle() {
        return keys.isEmpty();
    }

    /** Whether one more may be started, to so many servers. */
    boolean open(int servers) {
        return keys.size() < CatchUpLimits.HANDOVERS_MAX && talk.room() >= servers && talk.open();
    }

    /**
     * Starts to hand a record over, if {@link #open}.
     *
     * @param by the placement in force
     * @param servers all servers where it is placed by that
     */
    void start(byte[] key, Placement by, List<Peer> servers) {
        byte[] image = keys.contains(key) ? null : own.shared(key);
        if (image == null) {
            return;
        }
        Set<Peer> able = new LinkedHashSet<>();
        Set<Peer> unable = new LinkedHashSet<>();
        for (Peer each : servers) {
            if (each.site().kind() == Site.Kind.GUIDEPOST) {
                // One with other tables may be about to hand the same record over to here: both would let go of it.
                boolean same = partners.of(each).tables() == Partner.Tables.SAME;
                (same ? able : unable).add(each);
            }
        }
        int needed = settings.quorum().of(servers.size());
        if (able.size() < needed) {
            // Those of the first version do not count: they keep no stamps, and would lose what was deleted.
            return;
        }
        keys.add(key);
        Transfer transfer = new Transfer(key, image, needed, by, new LinkedHashSet<>(able), unable);
        for (Peer each : able) {
            Push push = new Push(each, image) {
                @Override
                void ended(int code) {
                    transfer.ended(each, code == SiteWire.DONE);
                }
            };
            if (!talk.ask(push, push.bytes())) {
                transfer.ended(each, false);
            }
        }
    }
}
