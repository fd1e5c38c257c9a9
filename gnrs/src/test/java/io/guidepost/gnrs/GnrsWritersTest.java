package io.guidepost.gnrs;

import static io.guidepost.gnrs.GnrsDoorStand.CLIENT;
import static io.guidepost.gnrs.GnrsDoorStand.LOOPBACK;
import static io.guidepost.gnrs.GnrsDoorTest.A;
import static io.guidepost.gnrs.GnrsDoorTest.ANY;
import static io.guidepost.gnrs.GnrsDoorTest.B;
import static io.guidepost.gnrs.GnrsDoorTest.G;
import static io.guidepost.gnrs.GnrsDoorTest.insert;
import static io.guidepost.gnrs.GnrsDoorTest.lookup;
import static io.guidepost.gnrs.GnrsDoorTest.place;
import static io.guidepost.gnrs.GnrsDoorTest.update;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.gnrs.wire.GnrsMessage.Code;
import io.guidepost.gnrs.wire.GnrsOption;
import io.guidepost.gnrs.wire.GnrsOptionType;
import io.guidepost.gnrs.wire.RefusalReason;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who may write, and how much the senders of one network may hold together. */
class GnrsWritersTest {
    private static final Guid H = Guid.ofAscii("bob");
    private static final Guid I = Guid.ofAscii("carol");
    private static final Locator C = place("10.0.0.3", 1003);

    private static Binding b(Locator locator) {
        return Binding.of(locator);
    }

    private static Code code(GnrsMessage message) {
        return ((GnrsMessage.Response) message).code();
    }

    /** The names and bytes of a network are bounded; what shrinks is always taken, and who lets a record grow pays for it. */
    @Test
    void aNetworkHoldsNoMoreNamesThanItsQuota() throws IOException {
        try (EmbeddedStore store = EmbeddedStore.open(StoreOptions.inMemory().withStepped(true))) {
            GnrsDoorStand two = new GnrsDoorStand(quotas(2, 0), store, store::work);
            assertThat(code(two.one(CLIENT, insert(G, b(A))))).isEqualTo(Code.SUCCESS);
            assertThat(code(two.one(CLIENT, insert(H, b(A))))).isEqualTo(Code.SUCCESS);
            assertThat(code(two.one(CLIENT, insert(I, b(A))))).isEqualTo(Code.FAILED);
            GnrsMessage.Insert accepting = new GnrsMessage.Insert(8, ANY, I, List.of(B), List.of(GnrsOption.accept()));
            GnrsMessage.Response told = (GnrsMessage.Response) two.one(CLIENT, accepting);
            assertThat(told.option(GnrsOptionType.REASON).map(GnrsOption::number8)).contains(RefusalReason.WRITER_QUOTA.code());
            assertThat(two.count(GnrsCount.WRITES_WRITER_QUOTA)).isEqualTo(2);
            assertThat(code(two.one(LOOPBACK, insert(I, b(A))))).as("another network").isEqualTo(Code.SUCCESS);
            assertThat(code(two.one(CLIENT, insert(G, b(B))))).as("its own grows").isEqualTo(Code.SUCCESS);
            assertThat(code(two.one(CLIENT, insert(I, b(B))))).as("it would count for it").isEqualTo(Code.FAILED);
            assertThat(code(two.one(LOOPBACK, insert(H, b(B))))).as("and now counts for the other").isEqualTo(Code.SUCCESS);
            assertThat(code(two.one(CLIENT, insert(I, b(B))))).isEqualTo(Code.SUCCESS);
            assertThat(code(two.one(CLIENT, insert(H, b(C))))).isEqualTo(Code.FAILED);
            assertThat(code(two.one(CLIENT, update(G)))).as("a delete").isEqualTo(Code.SUCCESS);
            assertThat(code(two.one(CLIENT, insert(H, b(C))))).isEqualTo(Code.SUCCESS);
        }
    }

    @Test
    void aNetworkHoldsNoMoreBytesThanItsQuota() throws IOException {
        try (EmbeddedStore store = EmbeddedStore.open(StoreOptions.inMemory().withStepped(true))) {
            GnrsDoorStand small = new GnrsDoorStand(quotas(0, 150), store, store::work);
            assertThat(code(small.one(CLIENT, insert(G, b(A))))).isEqualTo(Code.SUCCESS);
            assertThat(code(small.one(CLIENT, insert(H, b(A))))).isEqualTo(Code.FAILED);
            assertThat(code(small.one(CLIENT, update(G, b(B))))).as("as long as before").isEqualTo(Code.SUCCESS);
        }
    }

    private static GnrsSettings quotas(long names, long bytes) {
        GnrsSettings d = GnrsDoorStand.open();
        return new GnrsSettings(
                100, d.answerBytesMax(), 3, d.trusted(), d.writers(), names, bytes, 0, 0, 16, 16, Optional.empty());
    }

    /** By default the operator's own machine alone writes; a client that reads options is told why. */
    @Test
    void writesOfStrangersAreRefused() {
        GnrsDoorStand closed = new GnrsDoorStand(GnrsSettings.defaults());
        assertThat(code(closed.one(LOOPBACK, insert(G, b(A))))).isEqualTo(Code.SUCCESS);
        for (GnrsMessage write : List.of(insert(G, b(B)), update(G, b(B)), update(G))) {
            GnrsMessage.Response refusal = (GnrsMessage.Response) closed.one(CLIENT, write);
            assertThat(refusal.code()).isEqualTo(Code.FAILED);
            assertThat(refusal.options()).as("for old clients").isEmpty();
        }
        GnrsMessage.Insert accepting = new GnrsMessage.Insert(8, ANY, G, List.of(B), List.of(GnrsOption.accept()));
        GnrsMessage.Response told = (GnrsMessage.Response) closed.one(CLIENT, accepting);
        assertThat(told.option(GnrsOptionType.REASON).map(GnrsOption::number8)).contains(RefusalReason.NOT_PERMITTED.code());
        assertThat(closed.count(GnrsCount.WRITES_NOT_PERMITTED)).isEqualTo(4);
        assertThat(((GnrsMessage.LookupResponse) closed.one(CLIENT, lookup(G))).bindings()).containsExactly(b(A));
    }
}
