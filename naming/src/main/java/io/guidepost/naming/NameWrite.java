package io.guidepost.naming;

import io.guidepost.base.CommonLimits;
import io.guidepost.base.Malformed;
import io.guidepost.names.Binding;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.NameForm;
import io.guidepost.names.NamedValues;
import io.guidepost.names.PlaceAttributes;
import io.guidepost.names.Record;
import io.guidepost.names.Value;
import io.guidepost.store.Expire;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One change of a name on its way through the store. The committer applies and completes it; one thread waits for it, or is told when it
 * is done. A store that is shared merges it: what the change makes of the record, and whether its conditions hold, is then as of the
 * record that was read.
 */
final class NameWrite implements RecordStore.Unstamped, RecordStore.Completion {
    private final NameForm name;
    private final NameEdit edit;
    private final CompletableFuture<RecordStore.Outcome> done = new CompletableFuture<>();
    private final @Nullable Told told;
    private long version;
    private boolean existed;
    private @Nullable Problem refusal;
    private List<Binding> places = List.of();
    private Map<Locator, PlaceAttributes> attributes = Map.of();

    /** Hears that a change is made or refused, on the committer's thread. */
    interface Told {
        /** The change has its {@link #result}; must not wait. */
        void done(NameWrite write);

        /** See {@link RecordStore.Completion#afterwards}. */
        Runnable afterwards();
    }

    NameWrite(NameForm name, NameEdit edit, @Nullable Told told) {
        this.name = name;
        this.edit = edit;
        this.told = told;
    }

    NameForm name() {
        return name;
    }

    @Override
    public byte[] image() {
        return RecordImage.write(Name.of(name.guid()).key(), Record.ABSENT, edit.merged(), edit.mergedValues(name));
    }

    @Override
    public boolean append() {
        return !edit.replace();
    }

    @Override
    public byte[] apply(byte[] key, byte @Nullable [] current, long next, long nowMillis) {
        try {
            return applied(key, current, next, nowMillis);
        } catch (Problem e) {
            refusal = e;
        } catch (Malformed e) {
            refusal = new Problem(Problem.Kind.SERVER_FAILED, "the record of " + name + " is damaged: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            refusal = tooLarge(e.getMessage() == null ? "the record is too large" : e.getMessage());
        }
        return KEEP;
    }

    private byte[] applied(byte[] key, byte @Nullable [] current, long next, long nowMillis) throws Problem, Malformed {
        if (current != null && (current[1] & RecordImage.DERIVED) != 0) {
            throw new Problem(Problem.Kind.DERIVED_NAME, "the record of " + name + " follows from its handle, and changes only with it");
        }
        Lease lease = edit.lease();
        if (lease != null && lease.ended()) {
            throw Leases.gone(lease.id());
        }
        long found = current == null ? Record.ABSENT : RecordImage.version(MemorySegment.ofArray(current), 0);
        existed = current != null && RecordImage.bound(MemorySegment.ofArray(current), 0, nowMillis);
        check(name, edit, existed, found);
        // Most changes replace all that there is, which then need not be read.
        Optional<Record> old = current == null || edit.replace() && (current[1] & RecordImage.VALUES) == 0
                ? Optional.empty()
                : Optional.of(Expire.left(RecordImage.read(current), nowMillis));
        if (edit.replace()) {
            places = edit.add().bindings();
            attributes = lease == null ? edit.add().attributes() : leased(lease, new HashMap<>());
        } else {
            Map<Locator, Binding> bindings = new java.util.LinkedHashMap<>();
            old.ifPresent(record -> record.bindings().forEach(each -> bindings.put(each.locator(), each)));
            edit.remove().forEach(bindings::remove);
            edit.add().bindings().forEach(each -> bindings.put(each.locator(), each));
            places = List.copyOf(bindings.values());
            attributes = leased(lease, NamedValues.attributes(old.map(Record::values).orElse(List.of())));
        }
        if (places.size() > CommonLimits.LOCATORS_MAX) {
            throw tooLarge("a name has at most " + CommonLimits.LOCATORS_MAX + " places, not " + places.size());
        }
        version = next;
        if (edit.add().bindings().isEmpty()
                && (edit.replace() ? !existed : places.equals(old.map(Record::bindings).orElse(List.of())))) {
            version = found;
            return KEEP;
        }
        List<Value> values = NamedValues.of(keptText(old), places, attributes);
        old.ifPresent(record -> record.values().stream().filter(each -> !PlaceAttributes.isOf(each)).forEach(values::add));
        byte[] image = image(key, current, next, nowMillis, places, values);
        if (image.length > CommonLimits.SHARED_RECORD_BYTES_MAX) {
            throw tooLarge("a record has at most " + CommonLimits.SHARED_RECORD_BYTES_MAX + " bytes, not " + image.length);
        }
        return image;
    }

    /** Adds what is said of the added places, which a lease may hold. */
    private Map<Locator, PlaceAttributes> leased(@Nullable Lease lease, Map<Locator, PlaceAttributes> said) {
        edit.add().attributes().forEach(
                (place, more) -> said.put(place, lease == null ? more : more.leased(lease.id(), lease.millis())));
        return said;
    }

    private static Problem tooLarge(String detail) {
        return new Problem(Problem.Kind.TOO_LARGE, detail);
    }

    /** Refuses a change whose conditions do not hold. */
    static void check(NameForm name, NameEdit edit, boolean existed, long found) throws Problem {
        if (edit.ifAbsent() && existed) {
            throw new Problem(Problem.Kind.VERSION_MISMATCH, name + " exists already");
        }
        if (edit.ifMatch().isPresent()) {
            String wanted = edit.ifMatch().get();
            boolean holds = existed && (wanted.equals("*") || wanted.equals(Long.toUnsignedString(found)));
            if (!holds) {
                String there = existed ? name + " has version " + Long.toUnsignedString(found) : name + " does not exist";
                throw new Problem(Problem.Kind.VERSION_MISMATCH, wanted.equals("*") ? there : there + ", not " + wanted);
            }
        }
    }

    /** Returns the text that the record must hold: none if the GUID is made of it. */
    private Optional<String> keptText(Optional<Record> old) {
        Optional<String> text = name.text().or(() -> old.flatMap(each -> NamedValues.text(each.values())));
        return text.filter(_ -> !NameForm.isWord(name.guid()));
    }

    /** Returns the next form of a record, {@link #DELETE} if nothing is left of it. */
    static byte[] image(
            byte[] key, byte @Nullable [] current, long version, long nowMillis, List<Binding> places, List<Value> values) {
        boolean replicated = current != null && (current[1] & RecordImage.STAMPED) != 0;
        List<Value> left = NamedValues.left(values, places, replicated);
        if (replicated && current != null) {
            return Expire.replaced(key, current, places, left, version, nowMillis);
        }
        return places.isEmpty() && left.isEmpty() ? DELETE : RecordImage.write(key, version, places, left);
    }

    @Override
    public void complete(RecordStore.Outcome outcome, long newVersion) {
        done.complete(outcome);
        if (told != null) {
            told.done(this);
        }
    }

    @Override
    public @Nullable Runnable afterwards() {
        return told == null ? null : told.afterwards();
    }

    /**
     * Waits until it is durable.
     *
     * @throws Problem if it was refused
     */
    WriteResult await() throws Problem, InterruptedException {
        try {
            done.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
        return result();
    }

    /**
     * Returns what became of it, once it is done.
     *
     * @throws Problem if it was refused
     */
    WriteResult result() throws Problem {
        RecordStore.Outcome outcome = done.getNow(RecordStore.Outcome.FAILED);
        Problem refused = refusal;
        if (refused != null) {
            throw refused;
        }
        if (outcome == RecordStore.Outcome.FAILED) {
            throw new Problem(Problem.Kind.UNAVAILABLE, "the store refuses writes, or its cluster did not say that this one was"
                    + " made: see its conditions at the admin port");
        }
        return new WriteResult(existed, new NamedRecord(name, version, places, attributes));
    }
}
