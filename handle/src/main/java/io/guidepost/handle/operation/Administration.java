package io.guidepost.handle.operation;

import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import io.guidepost.handle.record.PendingEdit;
import io.guidepost.handle.record.RecordEdit;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.store.RecordStore;
import io.guidepost.store.WritesRefusedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Administration of records, for every transport; the order of checks is that of existing servers. Each method returns
 * when the change is durable. An anonymous caller gets {@code CHALLENGE} where rights are needed. Thread-safe.
 *
 * <p>The rights are checked on the record as it was read, which may take a while: groups and keys may live on other
 * servers. The store then takes the change only if the record is still the same (optimistic concurrency control);
 * otherwise all is checked again.
 */
public final class Administration {
    /** Attempts of a change before it fails, because other clients keep changing the record. */
    private static final int TRIES_MAX = 64;

    private static final String DISK_REFUSES =
            "the server's disk takes no changes now, so nothing was changed; reading goes on, try again later";

    private final HandleSettings settings;
    private final HandleRecords records;
    private final HomedPrefixes homes;
    private final AccessControl rights;
    private final RandomGenerator random;

    /** Creates it over records; {@code random} makes the suffixes of MINT, and must be unpredictable. */
    public Administration(
            HandleSettings settings, HandleRecords records, HomedPrefixes homes, AccessControl rights, RandomGenerator random) {
        this.settings = settings;
        this.records = records;
        this.homes = homes;
        this.rights = rights;
        this.random = random;
    }

    /**
     * Returns the same for one thread that must not wait, whose changes are submitted and not awaited: where the disk or another
     * server would have to be asked, {@link io.guidepost.handle.record.WouldWaitException} is thrown.
     *
     * @param unsettled as for {@link HandleRecords#atOnce}
     */
    public Administration atOnce(Predicate<Handle> unsettled) {
        HandleRecords unwaiting = records.atOnce(unsettled);
        return new Administration(settings, unwaiting, homes, rights.atOnce(unwaiting), random);
    }

    /** Creates a handle; replaces an existing one if {@code overwrite}, appends a random suffix if {@code mint}. */
    public HandleResult create(Principal caller, Handle handle, List<HandleValue> values, boolean overwrite, boolean mint)
            throws IOException {
        return creating(caller, handle, values, overwrite, mint).await();
    }

    /** Returns {@link #create} as a change that the caller submits, and need not wait for. */
    public RecordChange creating(Principal caller, Handle handle, List<HandleValue> values, boolean overwrite, boolean mint) {
        Optional<Handle> named = mint ? minted(handle) : Optional.of(handle);
        if (named.isEmpty()) {
            return new Refusal(HandleResult.of(ResponseCode.INVALID_HANDLE, handle, "too long for another suffix"));
        }
        Handle made = named.get();
        return changing(caller, made, faultIn(made, values), current -> {
            if (current.isPresent() && !overwrite) {
                return new Plan.No(ResponseCode.HANDLE_EXISTS, "");
            }
            List<RequiredAccess> demands = new ArrayList<>();
            demands.add(creation(made));
            current.ifPresent(record -> demands.add(new RequiredAccess.OverRecord(record, Set.of(deletion(made)))));
            return new Plan.Yes(demands, List.of(), now -> {
                List<HandleValue> stamped = values.stream()
                        .map(each -> stamp(each, current.flatMap(record -> record.value(each.index())), now))
                        .toList();
                return new RecordEdit.Next.Written(new HandleRecord(made, stamped), current.isPresent());
            });
        });
    }

    /** Returns the right to create a handle; for a derived prefix, that over its parent. */
    private static RequiredAccess creation(Handle made) {
        return made.isPrefixHandle()
                ? new RequiredAccess.OverPrefix(AccessControl.above(made), Set.of(AdminRight.ADD_DERIVED_PREFIX))
                : new RequiredAccess.OverPrefix(made.prefixHandle(), Set.of(AdminRight.CREATE_HANDLE));
    }

    private static AdminRight deletion(Handle handle) {
        return handle.isPrefixHandle() ? AdminRight.DELETE_DERIVED_PREFIX : AdminRight.DELETE_HANDLE;
    }

    /**
     * Returns the handle with a random UUID of version 4 (RFC 9562 section 5.4) appended; empty if that is too long.
     */
    private Optional<Handle> minted(Handle handle) {
        long high = random.nextLong() & ~0xf000L | 0x4000L;
        long low = random.nextLong() & ~(3L << 62) | 1L << 63;
        String suffix = new UUID(high, low).toString();
        boolean room = handle.length() + suffix.length() <= HandleLimits.HANDLE_BYTES_MAX;
        return room && handle.isUtf8() ? Optional.of(Handle.of(handle + suffix)) : Optional.empty();
    }

    /** Deletes a handle. */
    public HandleResult delete(Principal caller, Handle handle) throws IOException {
        return change(caller, handle, Optional.empty(), current -> {
            if (current.isEmpty()) {
                boolean unknown = caller instanceof Principal.Anonymous;
                return new Plan.No(unknown ? ResponseCode.CHALLENGE : ResponseCode.HANDLE_NOT_FOUND, "");
            }
            RequiredAccess demand = new RequiredAccess.OverRecord(current.get(), Set.of(deletion(handle)));
            return new Plan.Yes(List.of(demand), List.of(), _ -> new RecordEdit.Next.Deleted());
        });
    }

    /** Adds values; replaces those whose index exists if {@code overwrite}. */
    public HandleResult add(Principal caller, Handle handle, List<HandleValue> values, boolean overwrite) throws IOException {
        return edit(caller, handle, faultIn(handle, values), record -> {
            List<HandleValue> replaced = new ArrayList<>();
            Set<AdminRight> needed = EnumSet.noneOf(AdminRight.class);
            for (HandleValue each : values) {
                Optional<HandleValue> old = record.value(each.index());
                if (old.isPresent() && !overwrite) {
                    return new Plan.No(ResponseCode.VALUE_EXISTS, "there is a value of index " + shown(each.index()));
                }
                old.ifPresent(replaced::add);
                needed.addAll(old.isPresent() ? ValueChangeRights.toModify(old.get(), each) : ValueChangeRights.toAdd(each));
            }
            return new Plan.Yes(
                    List.of(new RequiredAccess.OverRecord(record, needed)),
                    replaced,
                    now -> new RecordEdit.Next.Written(with(record, values, now), !replaced.isEmpty()));
        });
    }

    /** Removes values. */
    public HandleResult remove(Principal caller, Handle handle, List<Integer> indexes) throws IOException {
        Optional<HandleResult> fault = indexes.isEmpty()
                ? Optional.of(HandleResult.of(ResponseCode.INVALID_VALUE, handle, "there is nothing to remove"))
                : Optional.empty();
        return edit(caller, handle, fault, record -> {
            List<HandleValue> gone = new ArrayList<>();
            Set<AdminRight> needed = EnumSet.noneOf(AdminRight.class);
            for (int each : Set.copyOf(indexes)) {
                Optional<HandleValue> old = record.value(each);
                if (old.isEmpty()) {
                    return new Plan.No(ResponseCode.VALUES_NOT_FOUND, "");
                }
                gone.add(old.get());
                needed.add(ValueChangeRights.toRemove(old.get()));
            }
            List<HandleValue> left =
                    record.values().stream().filter(each -> !indexes.contains(each.index())).toList();
            return new Plan.Yes(List.of(new RequiredAccess.OverRecord(record, needed)), gone, _ -> left.isEmpty()
                    ? new RecordEdit.Next.Refused(ResponseCode.INVALID_VALUE, "the last value goes with the handle only")
                    : new RecordEdit.Next.Written(new HandleRecord(record.handle(), left), false));
        });
    }

    /** Changes values. */
    public HandleResult modify(Principal caller, Handle handle, List<HandleValue> values) throws IOException {
        return edit(caller, handle, faultIn(handle, values), record -> {
            List<HandleValue> replaced = new ArrayList<>();
            Set<AdminRight> needed = EnumSet.noneOf(AdminRight.class);
            for (HandleValue each : values) {
                Optional<HandleValue> old = record.value(each.index());
                if (old.isEmpty()) {
                    return new Plan.No(ResponseCode.VALUES_NOT_FOUND, "");
                }
                if (!ValueChangeRights.anyoneMay(old.get(), each)) {
                    replaced.add(old.get());
                    needed.addAll(ValueChangeRights.toModify(old.get(), each));
                }
            }
            List<RequiredAccess> demands = needed.isEmpty() ? List.of() : List.of(new RequiredAccess.OverRecord(record, needed));
            return new Plan.Yes(
                    demands, replaced, now -> new RecordEdit.Next.Written(with(record, values, now), false));
        });
    }

    /**
     * Lists the handles of a prefix in the order of their folded names, in their creators' spelling.
     *
     * @param prefixHandle such as {@code 0.NA/10.5}
     * @param after the handle to resume after, or null to begin at the first
     * @param visitor called only if the caller may list; false ends the list
     */
    public HandleResult list(Principal caller, Handle prefixHandle, @Nullable Handle after, Predicate<Handle> visitor)
            throws IOException {
        if (!settings.listing()) {
            return HandleResult.of(ResponseCode.OPERATION_NOT_SUPPORTED, prefixHandle, "this server lists no handles");
        }
        if (!prefixHandle.isPrefixHandle() || !prefixHandle.isUtf8()) {
            return HandleResult.of(ResponseCode.INVALID_HANDLE, prefixHandle, "a prefix is written as 0.NA/prefix");
        }
        byte[] folded = prefixHandle.folded();
        if (!homes.isRead()) {
            return unread(prefixHandle);
        }
        if (!homes.all().contains(new String(folded, StandardCharsets.UTF_8))) {
            return notHere(prefixHandle);
        }
        ResponseCode code =
                rights.check(caller, new RequiredAccess.OverPrefix(prefixHandle, Set.of(AdminRight.LIST_HANDLES)));
        if (code != ResponseCode.SUCCESS) {
            return HandleResult.of(code, prefixHandle, "");
        }
        int from = Handle.PREFIX_OF_PREFIXES.length() + 1;
        byte[] start = Arrays.copyOfRange(folded, from, folded.length + 1);
        start[start.length - 1] = '/';
        records.scan(start, after, record -> visitor.test(record.handle()));
        return HandleResult.done(prefixHandle);
    }

    /** Makes this server responsible for a prefix. */
    public HandleResult home(Principal caller, Handle prefixHandle) throws IOException {
        return changeHomes(caller, prefixHandle, () -> {
            homes.home(prefixHandle);
            return HandleResult.done(prefixHandle);
        });
    }

    /** Ends the responsibility for a prefix. */
    public HandleResult unhome(Principal caller, Handle prefixHandle) throws IOException {
        return changeHomes(
                caller,
                prefixHandle,
                () -> homes.unhome(prefixHandle) ? HandleResult.done(prefixHandle) : notHere(prefixHandle));
    }

    /** A change in the store. */
    @FunctionalInterface
    private interface Storing {
        HandleResult store() throws IOException;
    }

    /** Runs a change, and refuses it if the disk takes no writes. The disk's error is for operators, and in the log. */
    private static HandleResult stored(Handle handle, Storing change) throws IOException {
        try {
            return change.store();
        } catch (WritesRefusedException e) {
            return HandleResult.of(ResponseCode.READ_ONLY, handle, DISK_REFUSES);
        }
    }

    private HandleResult changeHomes(Principal caller, Handle prefixHandle, Storing change) throws IOException {
        if (settings.readOnly()) {
            return HandleResult.of(ResponseCode.READ_ONLY, prefixHandle, "");
        }
        boolean name = prefixHandle.isPrefixHandle() && prefixHandle.isUtf8() && !prefixHandle.suffix().isEmpty();
        if (!name || records.key(prefixHandle).isEmpty()) {
            return HandleResult.of(ResponseCode.INVALID_HANDLE, prefixHandle, "a prefix is written as 0.NA/prefix");
        }
        if (!homes.isRead()) {
            return unread(prefixHandle);
        }
        ResponseCode code = rights.check(caller, new RequiredAccess.OverServer());
        return code == ResponseCode.SUCCESS ? stored(prefixHandle, change) : HandleResult.of(code, prefixHandle, "");
    }

    /** Lists the prefixes that this server is responsible for. */
    public HandleResult homed(Principal caller, Predicate<Handle> visitor) throws IOException {
        if (!homes.isRead()) {
            return unread(Handle.SLASH);
        }
        ResponseCode code = rights.check(caller, new RequiredAccess.OverServer());
        if (code != ResponseCode.SUCCESS) {
            return HandleResult.of(code, Handle.SLASH, "");
        }
        for (String each : homes.all()) {
            if (!visitor.test(Handle.of(each))) {
                break;
            }
        }
        return HandleResult.done(Handle.SLASH);
    }

    /** The plan of a change, before the access check. */
    private sealed interface Plan {
        /** The change is refused for every caller. */
        record No(ResponseCode code, String text) implements Plan {}

        /**
         * The change is valid.
         *
         * @param demands the required rights; empty if any client may make the change
         * @param touched values that administrators must be allowed to change
         * @param next computes the next form of the record
         */
        record Yes(List<RequiredAccess> demands, List<HandleValue> touched, Forming next) implements Plan {}

        /** Computes the next form of a record. */
        @FunctionalInterface
        interface Forming {
            /** Returns it for a time, seconds since 1970. */
            RecordEdit.Next at(long nowSeconds);
        }
    }

    /** Plans the change of a record as it was read. */
    @FunctionalInterface
    private interface Planning<R> {
        Plan plan(R current);
    }

    /** Changes an existing record. */
    private HandleResult edit(Principal caller, Handle handle, Optional<HandleResult> fault, Planning<HandleRecord> planning)
            throws IOException {
        return change(caller, handle, fault, current -> current.isPresent()
                ? planning.plan(current.get())
                : new Plan.No(ResponseCode.HANDLE_NOT_FOUND, ""));
    }

    /** Changes a record, unless the handle is invalid, or the request is: {@code fault}. */
    private HandleResult change(
            Principal caller, Handle handle, Optional<HandleResult> fault, Planning<Optional<HandleRecord>> planning)
            throws IOException {
        return changing(caller, handle, fault, planning).await();
    }

    private RecordChange changing(
            Principal caller, Handle handle, Optional<HandleResult> fault, Planning<Optional<HandleRecord>> planning) {
        Optional<HandleResult> first = faultOf(handle).or(() -> fault);
        return first.isPresent() ? new Refusal(first.get()) : new Attempts(caller, handle, planning);
    }

    /** A change that is refused whatever the record is. */
    private static final class Refusal extends RecordChange {
        private final HandleResult result;

        Refusal(HandleResult result) {
            this.result = result;
        }

        @Override
        public HandleResult submit(RecordStore.Completion then) {
            return result;
        }

        @Override
        public HandleResult outcome() {
            return result;
        }
    }

    /** A change that is tried, as others may change the record between the access check and the store. */
    private final class Attempts extends RecordChange {
        private final Handle handle;
        private final Planning<Optional<HandleRecord>> planning;
        private Principal asking;
        private int tries;
        private @Nullable PendingEdit pending;

        /** Whether the committer found another record than was checked. */
        private volatile boolean moved;

        Attempts(Principal caller, Handle handle, Planning<Optional<HandleRecord>> planning) {
            this.asking = caller;
            this.handle = handle;
            this.planning = planning;
        }

        @Override
        public @Nullable HandleResult submit(RecordStore.Completion then) throws IOException {
            if (tries++ == TRIES_MAX) {
                return HandleResult.of(ResponseCode.BUSY, handle, "others keep changing this record");
            }
            Optional<byte[]> image = records.image(handle);
            Optional<HandleRecord> read = image.isEmpty() ? Optional.empty() : Optional.of(HandleRecords.read(image.get()));
            switch (planning.plan(read)) {
                case Plan.No no -> {
                    return refusal(asking, handle, read, no);
                }
                case Plan.Yes yes -> {
                    ResponseCode code = judge(asking, yes);
                    if (code != ResponseCode.SUCCESS) {
                        return HandleResult.of(code, handle, "");
                    }
                    asking = asking instanceof Principal.Claimed claimed ? new Principal.Proven(claimed.identity()) : asking;
                    moved = false;
                    pending = records.submit(handle, image, (current, now) -> formed(yes.next(), read, current, now), then)
                            .orElse(null);
                    return pending == null
                            ? HandleResult.of(ResponseCode.BUSY, handle, "the queue of the store is full")
                            : null;
                }
            }
        }

        /** Returns the next form of the record if it is unchanged since it was read. */
        private RecordEdit.Next formed(
                Plan.Forming next, Optional<HandleRecord> read, Optional<HandleRecord> current, long now) {
            if (!current.equals(read)) {
                moved = true;
                return new RecordEdit.Next.Refused(ResponseCode.BUSY, "");
            }
            RecordEdit.Next formed = next.at(now);
            return formed instanceof RecordEdit.Next.Written written && !RecordSize.fits(written.record())
                    ? new RecordEdit.Next.Refused(ResponseCode.INVALID_VALUE, RecordSize.TEXT)
                    : formed;
        }

        @Override
        public @Nullable HandleResult outcome() throws IOException {
            RecordEdit.Next result;
            try {
                result = Objects.requireNonNull(pending).result();
            } catch (WritesRefusedException e) {
                return HandleResult.of(ResponseCode.READ_ONLY, handle, DISK_REFUSES);
            }
            if (moved) {
                return null;
            }
            return switch (result) {
                case RecordEdit.Next.Written written ->
                    new HandleResult(ResponseCode.SUCCESS, handle, List.of(), "", written.replaced());
                case RecordEdit.Next.Deleted _ -> HandleResult.done(handle);
                case RecordEdit.Next.Refused refused -> HandleResult.of(refused.code(), handle, refused.text());
            };
        }
    }

    /** Returns the refusal of a change; one that tells which values there are is for the administrators of the record. */
    private HandleResult refusal(Principal caller, Handle handle, Optional<HandleRecord> read, Plan.No plan) throws IOException {
        boolean tells = plan.code() == ResponseCode.VALUE_EXISTS || plan.code() == ResponseCode.VALUES_NOT_FOUND;
        ResponseCode code = tells && read.isPresent()
                ? rights.check(caller, new RequiredAccess.OverRecord(read.get(), Set.of()))
                : ResponseCode.SUCCESS;
        return code == ResponseCode.SUCCESS
                ? HandleResult.of(plan.code(), handle, plan.text())
                : HandleResult.of(code, handle, "");
    }

    private ResponseCode judge(Principal caller, Plan.Yes plan) throws IOException {
        if (plan.demands().isEmpty()) {
            return ResponseCode.SUCCESS;
        }
        ResponseCode code = rights.check(caller, plan.demands());
        boolean locked =
                plan.touched().stream().anyMatch(each -> !each.permissions().adminWrite());
        return code == ResponseCode.SUCCESS && locked ? ResponseCode.NOT_PERMITTED : code;
    }

    /** Returns the reason why a handle is invalid, or not this server's. */
    private Optional<HandleResult> faultOf(Handle handle) {
        if (settings.readOnly()) {
            return Optional.of(HandleResult.of(ResponseCode.READ_ONLY, handle, ""));
        }
        if (!homes.isRead()) {
            return Optional.of(unread(handle));
        }
        if (!homes.has(handle) || !settings.isResponsible(handle)) {
            return Optional.of(notHere(handle));
        }
        boolean named = handle.isUtf8() && records.key(handle).isPresent();
        return named ? Optional.empty() : Optional.of(HandleResult.of(ResponseCode.INVALID_HANDLE, handle, ""));
    }

    private static HandleResult unread(Handle handle) {
        return HandleResult.of(ResponseCode.ERROR, handle, HomedPrefixes.UNREAD);
    }

    private static HandleResult notHere(Handle handle) {
        return HandleResult.of(ResponseCode.NOT_RESPONSIBLE, handle, LocalResolver.NOT_HOME);
    }

    /** Returns the reason why values must not be written. */
    private static Optional<HandleResult> faultIn(Handle handle, List<HandleValue> values) {
        if (values.isEmpty()) {
            return Optional.of(HandleResult.of(ResponseCode.INVALID_VALUE, handle, "there are no values"));
        }
        for (HandleValue each : values) {
            if (each.index() <= 0) {
                return Optional.of(HandleResult.of(
                        ResponseCode.INVALID_VALUE, handle, "an index is 1 to 2147483647, not " + shown(each.index())));
            }
        }
        Set<Integer> seen = new HashSet<>();
        for (HandleValue each : values) {
            if (!seen.add(each.index())) {
                return Optional.of(
                        HandleResult.of(ResponseCode.VALUE_EXISTS, handle, "two values have the index " + each.index()));
            }
        }
        return Optional.empty();
    }

    private static String shown(int index) {
        return Integer.toUnsignedString(index);
    }

    /** Returns the record with values added, or replaced where their indexes exist. */
    private static HandleRecord with(HandleRecord record, List<HandleValue> values, long now) {
        Set<Integer> indexes = new HashSet<>();
        List<HandleValue> all = new ArrayList<>();
        for (HandleValue each : values) {
            indexes.add(each.index());
            all.add(stamp(each, record.value(each.index()), now));
        }
        record.values().stream().filter(each -> !indexes.contains(each.index())).forEach(all::add);
        return new HandleRecord(record.handle(), all);
    }

    /** Returns the value with the current time, unless it is unchanged. */
    private static HandleValue stamp(HandleValue value, Optional<HandleValue> old, long now) {
        boolean same = old.isPresent() && value.changedAt(old.get().changedSeconds()).equals(old.get());
        return same ? old.get() : value.changedAt(now);
    }
}
