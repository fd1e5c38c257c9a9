package io.guidepost.naming;

import io.guidepost.names.Binding;
import io.guidepost.names.Locator;
import io.guidepost.names.NameForm;
import io.guidepost.names.NamedValues;
import io.guidepost.names.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a client wants a record to become.
 *
 * @param replace whether all places are removed first
 * @param remove places to be removed
 * @param add places to be added, or given other times and attributes
 * @param ifMatch the version that the record must have, or {@code *} for any
 * @param ifAbsent whether there must be no record
 * @param lease the lease that holds the added places, or null
 */
record NameEdit(
        boolean replace, Set<Locator> remove, PlaceReader add, Optional<String> ifMatch, boolean ifAbsent, @Nullable Lease lease) {
    /** Returns the places as other servers are told: those that are removed have ended. */
    List<Binding> merged() {
        List<Binding> merged = new ArrayList<>(add.bindings());
        remove.stream().filter(each -> !add.attributes().containsKey(each)).forEach(each -> merged.add(new Binding(each, 0, 1)));
        return merged;
    }

    /** Returns the values as other servers are told: what is said of the places, and the text unless the GUID is made of it. */
    List<Value> mergedValues(NameForm name) {
        Optional<String> text = name.text().filter(_ -> !NameForm.isWord(name.guid()) && !add.bindings().isEmpty());
        return NamedValues.of(text, add.bindings(), add.attributes());
    }

    /** Returns the same change with a lease that holds the added places. */
    NameEdit heldBy(@Nullable Lease holder) {
        return new NameEdit(replace, remove, add, ifMatch, ifAbsent, holder);
    }
}
