package io.guidepost.handle.operation;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.WouldWaitException;
import io.guidepost.handle.value.AdminRecord;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.IdentityList;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.handle.value.ValueType;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Access control: HS_ADMIN, groups, administrators of prefixes and of the server. Fails closed: a malformed value
 * grants nothing, and a group whose server does not respond has no members. Thread-safe.
 */
public final class AccessControl {
    private static final System.Logger LOG = System.getLogger(AccessControl.class.getName());

    /** Depth of nested groups: people nest two or three. */
    static final int DEPTH_MAX = 16;

    /** Groups expanded for one request: each is a look-up, perhaps on another server. */
    static final int GROUPS_MAX = 256;

    /** Groups of those on other servers: each delays the client, and costs the other server. */
    static final int GROUPS_ELSEWHERE_MAX = 16;

    private final HandleSettings settings;
    private final HandleRecords records;
    private final RemoteResolver remote;
    private final @Nullable AccessControl original;
    private volatile ServerAdministrators administrators;

    /**
     * Creates it over records, and a resolver for groups on other servers.
     *
     * @param remote should cache responses, as each change of a handle asks for a prefix that is kept elsewhere
     */
    public AccessControl(HandleSettings settings, HandleRecords records, RemoteResolver remote) {
        this(settings, records, remote, null);
    }

    private AccessControl(
            HandleSettings settings, HandleRecords records, RemoteResolver remote, @Nullable AccessControl original) {
        this.settings = settings;
        this.records = records;
        this.remote = remote;
        this.original = original;
        this.administrators = settings.administrators();
    }

    /**
     * Returns the same for one thread that must not wait: where the disk or another server would have to be asked,
     * {@link WouldWaitException} is thrown.
     *
     * @param unwaiting the records, {@linkplain HandleRecords#atOnce at once}
     */
    AccessControl atOnce(HandleRecords unwaiting) {
        return new AccessControl(settings, unwaiting, remote.equals(RemoteResolver.NONE) ? remote : RemoteResolver.WOULD_WAIT, this);
    }

    private ServerAdministrators administrators() {
        return original == null ? administrators : original.administrators();
    }

    /** Gives rights over the server to others, from the next request on. */
    public void administrators(ServerAdministrators next) {
        administrators = next;
    }

    /** Returns whether an identity is, or is in a group of, one of several identities. */
    public boolean isOneOf(ValueReference identity, List<ValueReference> wanted) throws IOException {
        return new Search(identity).among(wanted, 0);
    }

    /** Returns whether the HS_ADMIN values of a record grant a right to an identity. */
    public boolean has(ValueReference identity, AdminRight right, HandleRecord record) throws IOException {
        return (given(identity, record.values()).bits & right.bit()) != 0;
    }

    /** Returns whether an identity is an administrator of the server. */
    public boolean isServerAdmin(ValueReference identity) throws IOException {
        return isOneOf(identity, administrators().server());
    }

    /** Returns whether an identity may read the status of the server. */
    boolean readsStatus(ValueReference identity) throws IOException {
        return isOneOf(identity, administrators().status());
    }

    /** Checks one access of a client, see {@link #check(Principal, List)}. */
    public ResponseCode check(Principal caller, RequiredAccess demand) throws IOException {
        return check(caller, List.of(demand));
    }

    /**
     * Checks several accesses of a client, in the order of existing servers: the claimed identity; whether it is an
     * administrator at all; then the proof; then the rights.
     *
     * @return SUCCESS; CHALLENGE for an anonymous client; NOT_ADMIN; the code of the proof; NOT_PERMITTED
     */
    public ResponseCode check(Principal caller, List<RequiredAccess> demands) throws IOException {
        return switch (caller) {
            case Principal.Anonymous _ -> ResponseCode.CHALLENGE;
            case Principal.Proven proven -> check(proven.identity(), () -> ResponseCode.SUCCESS, demands);
            case Principal.Claimed claimed -> check(claimed.identity(), claimed.proof(), demands);
        };
    }

    private ResponseCode check(ValueReference identity, Principal.Proof proof, List<RequiredAccess> demands) throws IOException {
        boolean enough = true;
        for (RequiredAccess each : demands) {
            Given given = given(identity, each);
            if (!given.admin) {
                return ResponseCode.NOT_ADMIN;
            }
            enough &= each.rights().stream().allMatch(right -> (given.bits & right.bit()) != 0);
        }
        ResponseCode proven = proof.check();
        if (proven != ResponseCode.SUCCESS) {
            return proven;
        }
        return enough ? ResponseCode.SUCCESS : ResponseCode.NOT_PERMITTED;
    }

    /** What an identity was granted: whether it is an administrator at all, and the bits of its rights. */
    private record Given(boolean admin, int bits) {
        static final Given NOTHING = new Given(false, 0);
        static final Given ALL = new Given(true, AdminRight.ALL);

        Given and(Given other) {
            return new Given(admin || other.admin, bits | other.bits);
        }

        boolean has(Set<AdminRight> rights) {
            return admin && rights.stream().allMatch(right -> (bits & right.bit()) != 0);
        }
    }

    private Given given(ValueReference identity, RequiredAccess demand) throws IOException {
        Given given = switch (demand) {
            case RequiredAccess.OverServer _ -> isServerAdmin(identity) ? Given.ALL : Given.NOTHING;
            case RequiredAccess.Mirroring _ -> isOneOf(identity, administrators().replication()) ? Given.ALL : Given.NOTHING;
            case RequiredAccess.OverPrefix over -> given(identity, administrators(over.prefixHandle()));
            case RequiredAccess.OverRecord over -> {
                Given own = given(identity, over.record().values());
                yield own.has(over.rights()) || !settings.prefixAdmins()
                        ? own
                        : own.and(given(identity, administrators(above(over.record().handle()))));
            }
        };
        boolean full = settings.serverAdminFullAccess() && !given.has(demand.rights()) && isServerAdmin(identity);
        return full ? Given.ALL : given;
    }

    /**
     * Returns the record whose administrators also administer a handle: that of its prefix, or of the prefix's parent.
     */
    static Handle above(Handle handle) {
        Handle prefix = handle.prefixHandle();
        return handle.equalsFolded(prefix) ? prefix : handle.parentPrefixHandle().orElse(prefix);
    }

    private List<HandleValue> administrators(Handle prefixHandle) throws IOException {
        Optional<HandleRecord> record = records.find(prefixHandle);
        return record.isPresent()
                ? record.get().values()
                : ask(prefixHandle, List.of(), List.of(ValueType.HS_ADMIN.typeName() + "."));
    }

    private Given given(ValueReference identity, List<HandleValue> values) throws IOException {
        Given given = Given.NOTHING;
        for (HandleValue each : values) {
            if (each.is(ValueType.HS_ADMIN)) {
                Optional<AdminRecord> admin = read(each);
                boolean more = admin.isPresent() && (!given.admin || (admin.get().rights() & ~given.bits) != 0);
                if (more && isOneOf(identity, List.of(admin.get().who()))) {
                    given = given.and(new Given(true, admin.get().rights()));
                }
            }
        }
        return given;
    }

    private static Optional<AdminRecord> read(HandleValue value) {
        try {
            return Optional.of(AdminRecord.read(value.data()));
        } catch (Malformed e) {
            return Optional.empty();
        }
    }

    /** Returns another server's values of a handle; none if no server is known or it does not respond. */
    private List<HandleValue> ask(Handle handle, List<Integer> indexes, List<String> types) {
        try {
            ResolveRequest question = new ResolveRequest(handle, indexes, types, true, false, false, 0);
            return remote.resolve(question)
                    .filter(HandleResult::success)
                    .map(HandleResult::values)
                    .orElse(List.of());
        } catch (IOException e) {
            LOG.log(Level.DEBUG, () -> "the administrators by " + handle + " are unknown" + ": " + e.getMessage());
            return List.of();
        }
    }

    /** One search of an identity in a set of groups; expands each group once. */
    private final class Search {
        private final ValueReference identity;
        private final Set<ValueKey> seen = new HashSet<>();
        private int elsewhere;

        Search(ValueReference identity) {
            this.identity = identity;
        }

        boolean among(List<ValueReference> wanted, int depth) throws IOException {
            if (wanted.stream().anyMatch(each -> covers(each, identity))) {
                return true;
            }
            if (depth == DEPTH_MAX) {
                return false;
            }
            for (ValueReference each : wanted) {
                // An index of 0 means any key of the record, and names no group.
                boolean look = each.index() != 0 && seen.size() < GROUPS_MAX && seen.add(key(each));
                if (look && among(members(each), depth + 1)) {
                    return true;
                }
            }
            return false;
        }

        private List<ValueReference> members(ValueReference group) throws IOException {
            Optional<HandleRecord> record = records.find(group.handle());
            boolean asks = record.isEmpty() && elsewhere++ < GROUPS_ELSEWHERE_MAX;
            List<HandleValue> values = record.map(HandleRecord::values).orElse(List.of());
            for (HandleValue each : asks ? ask(group.handle(), List.of(group.index()), List.of()) : values) {
                if (each.index() == group.index() && each.is(ValueType.HS_VLIST)) {
                    try {
                        return IdentityList.read(each.data()).members();
                    } catch (Malformed e) {
                        return List.of();
                    }
                }
            }
            return List.of();
        }
    }

    private boolean covers(ValueReference admin, ValueReference identity) {
        return (admin.index() == 0 || admin.index() == identity.index())
                && key(admin).handle.equals(key(identity).handle);
    }

    /** The identity of a value on this server. */
    private record ValueKey(ByteBuffer handle, int index) {}

    private ValueKey key(ValueReference reference) {
        byte[] handle = records.caseSensitive()
                ? reference.handle().prefixFolded()
                : reference.handle().folded();
        return new ValueKey(ByteBuffer.wrap(handle), reference.index());
    }
}
