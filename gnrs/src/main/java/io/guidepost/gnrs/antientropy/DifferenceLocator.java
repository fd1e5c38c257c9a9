package io.guidepost.gnrs.antientropy;

import io.guidepost.base.Counters;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.gnrs.placement.Placer;
import io.guidepost.gnrs.replica.Deployment;
import io.guidepost.gnrs.replica.DigestRanges;
import io.guidepost.gnrs.replica.Syndromes;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Locates single records that differ from a peer's, by {@link Syndromes}: one request, and no record is read but these. They are compared
 * and reconciled as those are that a scan finds, so that a key that was computed of something else does no harm. Ranges whose
 * record is not located, as more than one differs in their group or the peer does not respond, are returned for a scan.
 */
final class DifferenceLocator {
    private final Deployment deployment;
    private final AntiEntropy home;
    private final ThrottledRequests talk;
    private final LocalReplicas copies;
    private final RecordReconciler fixes;
    private final PeerMonitor contacts;
    private final Counters<PeerCount> counts;
    private final InetSocketAddress[] servers = new InetSocketAddress[64];

    /** What is being located; a response for another one comes too late. */
    private final Set<Search> open = new LinkedHashSet<>();

    /** The ranges of one peer that differ, at most one in a group. */
    private static final class Search {
        final SyncSchedule course;
        final long[] ranges;
        final long[] unsolved = new long[4];
        final CompareRequest.Batch found = new CompareRequest.Batch();

        /** Whether nothing is awaited but that the records are reconciled. */
        boolean compared;

        Search(SyncSchedule course, long[] ranges) {
            this.course = course;
            this.ranges = ranges;
        }
    }

    DifferenceLocator(
            Deployment deployment,
            AntiEntropy home,
            ThrottledRequests talk,
            LocalReplicas copies,
            RecordReconciler fixes,
            PeerMonitor contacts,
            Counters<PeerCount> counts) {
        this.deployment = deployment;
        this.home = home;
        this.talk = talk;
        this.copies = copies;
        this.fixes = fixes;
        this.contacts = contacts;
        this.counts = counts;
    }

    /** Forgets all searches: the tables have changed. */
    void newTables() {
        open.clear();
    }

    /** Locates what differs from a peer, if its state is soluble and a request may be sent. */
    void start(SyncSchedule course) {
        Search search = new Search(course, course.partner.takeSoluble());
        int groups = 0;
        for (int range = 0; range < DigestRanges.COUNT; range++) {
            groups |= DigestRanges.contains(search.ranges, range) ? 1 << Syndromes.group(range) : 0;
        }
        Placement placement = deployment.placement().get();
        SyndromesRequest question = new SyndromesRequest(course.peer(), home.own(), placement.fingerprint(), groups) {
            @Override
            void notReady() {
                silent();
            }

            @Override
            void summed(long[] theirs) {
                if (open.contains(search)) {
                    solve(search, placement.placer(), theirs);
                }
            }

            @Override
            public void silent() {
                giveUp(search);
            }
        };
        if (groups != 0 && talk.ask(question, question.bytes())) {
            course.sweeping = true;
            open.add(search);
        } else {
            course.partner.unsolved(search.ranges);
        }
    }

    private void solve(Search search, Placer placer, long[] theirs) {
        // Those of this moment: the peer has received later writes as well.
        long[] ours = deployment.digests().syndromes(search.course.partner.address());
        for (int range = 0; range < DigestRanges.COUNT; range++) {
            int group = Syndromes.group(range);
            if (!DigestRanges.contains(search.ranges, range) || Syndromes.agree(ours, theirs, group)) {
                continue;
            }
            byte[] key = Syndromes.differing(ours, theirs, group);
            if (key != null && isOf(search.course, placer, range, key)) {
                counts.count(PeerCount.DIFFERENCES_LOCATED);
                search.found.add(key, copies.digestOf(key));
            } else {
                DigestRanges.add(search.unsolved, range);
            }
        }
        if (search.found.size == 0) {
            search.compared = true;
        } else {
            compare(search);
        }
    }

    /** Returns whether a key is of a range, and both this server and a peer keep it. */
    private boolean isOf(SyncSchedule course, Placer placer, int range, byte[] key) {
        MemorySegment segment = MemorySegment.ofArray(key);
        if (DigestRanges.of(segment, 1) != range) {
            return false;
        }
        boolean here = false;
        boolean there = false;
        for (int i = placer.servers(segment, 1, servers) - 1; i >= 0; i--) {
            here |= deployment.peers().of(servers[i]).own();
            there |= servers[i].equals(course.partner.address());
        }
        return here && there;
    }

    private void compare(Search search) {
        CompareRequest question = new CompareRequest(search.course.peer(), search.found) {
            @Override
            void differs(byte[] key, boolean there) {
                if (open.contains(search)) {
                    fixes.add(search.course, key, there);
                }
            }

            @Override
            void compared() {
                search.compared = true;
            }

            @Override
            public void silent() {
                giveUp(search);
            }
        };
        if (!talk.ask(question, search.found.bytes())) {
            giveUp(search);
        }
    }

    private void giveUp(Search search) {
        if (open.remove(search)) {
            search.course.partner.unsolved(search.ranges);
            contacts.unsolved(search.course);
        }
    }

    /** Ends searches whose records are reconciled. */
    void work() {
        if (open.isEmpty() || !fixes.idle()) {
            return;
        }
        for (Iterator<Search> all = open.iterator(); all.hasNext(); ) {
            Search each = all.next();
            if (each.compared) {
                all.remove();
                if (DigestRanges.isEmpty(each.unsolved)) {
                    contacts.swept(each.course);
                } else {
                    each.course.partner.unsolved(each.unsolved);
                    contacts.unsolved(each.course);
                }
            }
        }
    }
}
