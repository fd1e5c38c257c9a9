package io.guidepost.handle.operation;

import io.guidepost.handle.Handle;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.handle.value.ValueType;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Resolves handles from the local records as existing servers do (RFC 3652 section 3.2.1), in this order:
 *
 * <ol>
 * <li> the handles of {@link StatusHandles}, for clients that may read them;
 * <li> handles of prefixes that are not homed: a refusal, or recursive resolution if the server allows it and the
 * client wants it;
 * <li> the record; without one, a referral by {@link PrefixDelegation}, or a record computed by {@link RecordTemplates};
 * <li> the requested values: any of the indexes, and any of the types;
 * <li> values that are not public: omitted if the client wants that, otherwise for clients with the right. Of other clients a
 * record with such values requires the right for each index and type that no public value has, so that they do not learn which exist.
 * </ol>
 *
 * Thread-safe.
 */
public final class LocalResolver implements HandleResolver {
    /** The text of existing servers for a prefix that is not homed, verbatim: tools search for it. */
    public static final String NOT_HOME = "That prefix doesn't live here";

    /** Servers that a request may go through: real chains have two or three, a longer one is a loop. */
    static final int RECURSION_MAX = 10;

    private final HandleSettings settings;
    private final HandleRecords records;
    private final HomedPrefixes homes;
    private final AccessControl rights;
    private final RemoteResolver remote;
    private final RecordTemplates templates;
    private final PrefixDelegation delegation;
    private final StatusHandles status;

    /**
     * Creates it over records.
     *
     * @param settings of access and recursion
     * @param homes the prefixes that this server is responsible for
     * @param rights the access control
     * @param remote resolves handles of other servers
     * @param templates compute records
     * @param clock of the status handles
     */
    public LocalResolver(
            HandleSettings settings,
            HandleRecords records,
            HomedPrefixes homes,
            AccessControl rights,
            RemoteResolver remote,
            RecordTemplates templates,
            InstantSource clock) {
        this.settings = settings;
        this.records = records;
        this.homes = homes;
        this.rights = rights;
        this.remote = remote;
        this.templates = templates;
        this.delegation = new PrefixDelegation(records);
        this.status = new StatusHandles(records, homes, clock);
    }

    @Override
    public HandleResult resolve(ResolveRequest question, Principal caller) throws IOException {
        Handle handle = question.handle();
        Optional<HandleRecord> own = status.record(handle);
        if (own.isPresent()) {
            return resolveStatus(question, caller, own.get());
        }
        if (!homes.isRead()) {
            return HandleResult.of(ResponseCode.ERROR, handle, HomedPrefixes.UNREAD);
        }
        if (!homes.has(handle) || !settings.isResponsible(handle)) {
            return resolveElsewhere(question);
        }
        Optional<HandleRecord> record = question.authoritative() ? records.findAuthoritative(handle) : records.find(handle);
        if (record.isEmpty() && !question.doNotRefer()) {
            Optional<HandleResult> referral = delegation.of(handle);
            if (referral.isPresent()) {
                return referral.get();
            }
        }
        if (record.isEmpty()) {
            record = templates.expand(handle);
        }
        return record.isEmpty()
                ? HandleResult.of(ResponseCode.HANDLE_NOT_FOUND, handle, "")
                : choose(question, caller, record.get());
    }

    private HandleResult resolveElsewhere(ResolveRequest question) throws IOException {
        Handle handle = question.handle();
        if (settings.recursion() && question.recursive()) {
            if (question.recursionCount() >= RECURSION_MAX) {
                return HandleResult.of(ResponseCode.RECURSION_LIMIT, handle, "");
            }
            Optional<HandleResult> answer = ask(question);
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        return HandleResult.of(ResponseCode.NOT_RESPONSIBLE, handle, NOT_HOME);
    }

    private Optional<HandleResult> ask(ResolveRequest question) {
        try {
            return remote.resolve(new ResolveRequest(
                    question.handle(),
                    question.indexes(),
                    question.types(),
                    true,
                    question.doNotRefer(),
                    true,
                    question.recursionCount() + 1,
                    question.authoritative()));
        } catch (IOException e) {
            return Optional.of(HandleResult.of(
                    ResponseCode.ERROR, question.handle(), "the server that is responsible does not answer"));
        }
    }

    private static HandleResult choose(ResolveRequest question, List<HandleValue> wanted) {
        return wanted.isEmpty()
                ? HandleResult.of(ResponseCode.VALUES_NOT_FOUND, question.handle(), "")
                : HandleResult.found(question.handle(), wanted);
    }

    private HandleResult choose(ResolveRequest question, Principal caller, HandleRecord record) throws IOException {
        List<HandleValue> wanted = wanted(question, record);
        List<HandleValue> open = wanted.stream().filter(LocalResolver::isPublic).toList();
        if (question.publicOnly() || record.values().stream().allMatch(LocalResolver::isPublic)) {
            return choose(question, open);
        }
        ResponseCode code =
                rights.check(caller, new RequiredAccess.OverRecord(record, Set.of(AdminRight.READ_VALUE)));
        if (code == ResponseCode.SUCCESS && wanted.stream().anyMatch(LocalResolver::isUnreadable)) {
            code = ResponseCode.NOT_PERMITTED;
        }
        if (code == ResponseCode.SUCCESS) {
            return choose(question, wanted);
        }
        return isMetBy(question, open) ? choose(question, open) : HandleResult.of(code, question.handle(), "");
    }

    /**
     * Returns whether public values are what a request names, each index and type. That values exist which are not public must not
     * show, so for a client without the right to read them they are like absent ones.
     */
    private static boolean isMetBy(ResolveRequest question, List<HandleValue> open) {
        return !isForAll(question)
                && question.indexes().stream().allMatch(index -> open.stream().anyMatch(each -> each.index() == index))
                && question.types().stream()
                        .allMatch(type -> open.stream().anyMatch(each -> ValueType.matches(type, each.type())));
    }

    private static boolean isForAll(ResolveRequest question) {
        return question.indexes().isEmpty() && question.types().isEmpty();
    }

    private static boolean isPublic(HandleValue value) {
        return value.permissions().publicRead();
    }

    private static boolean isUnreadable(HandleValue value) {
        return !isPublic(value) && !value.permissions().adminRead();
    }

    private static List<HandleValue> wanted(ResolveRequest question, HandleRecord record) {
        if (isForAll(question)) {
            return record.values();
        }
        Set<Integer> indexes = new HashSet<>(question.indexes());
        return record.values().stream()
                .filter(each -> indexes.contains(each.index())
                        || question.types().stream().anyMatch(type -> ValueType.matches(type, each.type())))
                .toList();
    }

    private HandleResult resolveStatus(ResolveRequest question, Principal caller, HandleRecord record) throws IOException {
        if (question.publicOnly()) {
            return HandleResult.of(ResponseCode.VALUES_NOT_FOUND, question.handle(), "");
        }
        ResponseCode code = switch (caller) {
            case Principal.Anonymous _ -> ResponseCode.CHALLENGE;
            case Principal.Proven proven -> mayReadStatus(proven.identity());
            case Principal.Claimed claimed -> {
                ResponseCode may = mayReadStatus(claimed.identity());
                yield may == ResponseCode.SUCCESS ? claimed.proof().check() : may;
            }
        };
        return code == ResponseCode.SUCCESS
                ? choose(question, wanted(question, record))
                : HandleResult.of(code, question.handle(), "");
    }

    private ResponseCode mayReadStatus(ValueReference identity) throws IOException {
        return rights.readsStatus(identity) ? ResponseCode.SUCCESS : ResponseCode.NOT_ADMIN;
    }
}
