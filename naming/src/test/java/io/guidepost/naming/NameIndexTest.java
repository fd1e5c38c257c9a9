package io.guidepost.naming;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.names.Binding;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.NameForm;
import io.guidepost.names.NamedValues;
import io.guidepost.names.PlaceAttributes;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a write of a name costs the committer: entries of the index are only scanned, and not read before they are written. */
class NameIndexTest {
    private static final String LEASE = "0123456789abcdef0123456789abcdef";

    @Test
    void noEntryIsReadOrLookedUp() throws Malformed {
        NameForm name = NameForm.parse("orders.prod.eu-west-1.example");
        byte[] key = Name.of(name.guid()).key();
        byte[] leased = image(name, PlaceAttributes.NONE.leased(LEASE, 60_000));
        byte[] plain = image(name, PlaceAttributes.NONE);
        assertThat(entries(key, null, leased)).isEqualTo(2);
        assertThat(entries(key, leased, plain)).isEqualTo(1);
        assertThat(entries(key, plain, leased)).isEqualTo(1);
        assertThat(entries(key, leased, leased)).isZero();
        assertThat(entries(key, leased, null)).isEqualTo(2);
    }

    private static byte[] image(NameForm name, PlaceAttributes attributes) throws Malformed {
        List<Binding> places = List.of(new Binding(Locator.parse("192.0.2.17:7000"), 1000, 0));
        Map<Locator, PlaceAttributes> said = Map.of(places.getFirst().locator(), attributes);
        return RecordImage.write(Name.of(name.guid()).key(), 1, places, NamedValues.of(name.text(), places, said));
    }

    private static int entries(byte[] key, byte @Nullable [] before, byte @Nullable [] after) {
        List<byte[]> keys = new ArrayList<>();
        new NameIndex().derive(key, before, after, (entry, change) -> {
            assertThat(change).isInstanceOf(RecordStore.KnownReplace.class);
            assertThat(Name.Namespace.isScanned(entry[0])).isTrue();
            keys.add(entry);
        });
        return keys.size();
    }
}
