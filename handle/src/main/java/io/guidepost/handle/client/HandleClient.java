package io.guidepost.handle.client;

import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleValue;
import io.guidepost.handle.SiteInterface;
import io.guidepost.handle.SiteRecord;
import io.guidepost.handle.SiteServer;
import io.guidepost.handle.ValueReference;
import io.guidepost.handle.message.Body;
import io.guidepost.handle.message.Message;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.Operation;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.service.Outcome;
import io.guidepost.handle.service.Question;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A client of one site: its servers, chosen by the hash of the handle. Every call waits for the answer; what the server
 * refuses is an {@link Outcome}, what keeps it from answering an {@link IOException}. Thread-safe: for much at a time call
 * it from many virtual threads, with {@link ClientSettings#withPipelined}.
 *
 * <p>Questions go by UDP, three times if need be, and then over connections; changes go over connections alone.
 */
public final class HandleClient implements AutoCloseable {
    /** How long a request is said to be good, in seconds; servers do not look at it. */
    static final int REQUEST_SECONDS = 43_200;

    private final List<Dialogue> servers;
    private final Optional<SiteRecord> knownSite;

    private HandleClient(List<Dialogue> servers, Optional<SiteRecord> knownSite) {
        this.servers = servers;
        this.knownSite = knownSite;
    }

    /**
     * A client of a site that is described. Its servers' keys are those of the description.
     *
     * @throws IOException if it has no servers, or one of them has no interfaces
     */
    public static HandleClient of(SiteRecord site, ClientSettings settings) throws IOException {
        List<Dialogue> servers = new ArrayList<>();
        for (SiteServer each : site.servers()) {
            servers.add(dialogue(
                    each.interfaces().stream().map(way -> Endpoint.of(each, way)).toList(), settings));
        }
        if (servers.isEmpty()) {
            throw new IOException("the site has no servers");
        }
        return new HandleClient(servers, Optional.of(site));
    }

    /**
     * A client of a server that is known by its addresses alone. Where its key is needed, the server is asked for it the
     * first time: whoever can stand between can be taken for it, so prefer {@link #of} where a description is at hand.
     *
     * @param ways to the same server, the preferred ones first; at least one
     */
    public static HandleClient at(List<Endpoint> ways, ClientSettings settings) throws IOException {
        return new HandleClient(List.of(dialogue(ways, settings)), Optional.empty());
    }

    private static Dialogue dialogue(List<Endpoint> ways, ClientSettings settings) throws IOException {
        // TCP before HTTPS before HTTP; UDP is chosen by operation.
        List<Endpoint> ordered = ways.stream()
                .distinct()
                .sorted(Comparator.comparingInt(each -> switch (each.transport()) {
                    case UDP -> 0;
                    case TCP -> 1;
                    case HTTPS -> 2;
                    case HTTP -> 3;
                }))
                .toList();
        if (ordered.isEmpty()) {
            throw new IOException("a server without interfaces cannot be asked");
        }
        List<Carrier> carriers = new ArrayList<>();
        for (Endpoint each : ordered) {
            carriers.add(carrier(each, settings));
        }
        return new Dialogue(ordered, carriers, settings);
    }

    private static Carrier carrier(Endpoint endpoint, ClientSettings settings) throws IOException {
        if (endpoint.address().isUnresolved()) {
            throw new IOException("the host '" + endpoint.address().getHostString() + "' is not known");
        }
        return switch (endpoint.transport()) {
            case UDP -> new UdpCarrier(endpoint.address(), settings.firstWait());
            case TCP -> new TcpCarrier(endpoint, settings);
            case HTTP, HTTPS -> new HttpCarrier(endpoint, settings);
        };
    }

    private Dialogue server(Handle handle) {
        return servers.size() == 1
                ? servers.getFirst()
                : servers.get(knownSite.map(site -> site.serverOf(handle)).orElse(0));
    }

    /** Finds values of a handle. */
    public Outcome resolve(Question question) throws IOException {
        int flags = (question.publicOnly() ? OpFlag.PUBL.bit() : 0)
                | (question.doNotRefer() ? OpFlag.DNRF.bit() : 0)
                | (question.recursive() ? OpFlag.RECU.bit() : 0);
        Body body = new Body.Resolve(question.handle(), question.indexes(), question.types());
        return outcome(
                question.handle(),
                server(question.handle()).ask(Operation.RESOLVE, body, flags, question.recursionCount()));
    }

    /** Finds all values of a handle that everybody may read. */
    public Outcome resolve(Handle handle) throws IOException {
        return resolve(Question.ofAll(handle));
    }

    /**
     * Creates a handle.
     *
     * @param overwrite replace the one that exists
     * @param mint append a suffix that the server makes; the outcome has the whole handle
     */
    public Outcome create(Handle handle, List<HandleValue> values, boolean overwrite, boolean mint)
            throws IOException {
        int flags = (overwrite ? OpFlag.OVRW.bit() : 0) | (mint ? OpFlag.MINT.bit() : 0);
        return change(Operation.CREATE, handle, new Body.Values(handle, values), flags);
    }

    /** Deletes a handle. */
    public Outcome delete(Handle handle) throws IOException {
        return change(Operation.DELETE, handle, new Body.Named(handle), 0);
    }

    /** Adds values; those whose index exists are replaced if {@code overwrite}. */
    public Outcome add(Handle handle, List<HandleValue> values, boolean overwrite) throws IOException {
        return change(
                Operation.ADD_VALUES, handle, new Body.Values(handle, values), overwrite ? OpFlag.OVRW.bit() : 0);
    }

    /** Removes values. */
    public Outcome remove(Handle handle, List<Integer> indexes) throws IOException {
        return change(Operation.REMOVE_VALUES, handle, new Body.Indexes(handle, indexes), 0);
    }

    /** Changes values. */
    public Outcome modify(Handle handle, List<HandleValue> values) throws IOException {
        return change(Operation.MODIFY_VALUES, handle, new Body.Values(handle, values), 0);
    }

    private Outcome change(Operation operation, Handle handle, Body body, int flags) throws IOException {
        return outcome(handle, server(handle).ask(operation, body, flags, 0));
    }

    /**
     * Lists the handles of a prefix, server by server.
     *
     * @param prefixHandle such as {@code 0.NA/10.5}
     * @param visitor false ends the list
     */
    public Outcome list(Handle prefixHandle, Predicate<Handle> visitor) throws IOException {
        return visitAll(Operation.LIST_HANDLES, prefixHandle, visitor);
    }

    /** Lists the prefixes that the servers are responsible for. */
    public Outcome homed(Predicate<Handle> visitor) throws IOException {
        return visitAll(Operation.LIST_PREFIXES, Handle.SLASH, visitor);
    }

    private Outcome visitAll(Operation operation, Handle about, Predicate<Handle> visitor) throws IOException {
        Outcome outcome = Outcome.done(about);
        boolean[] goOn = {true};
        for (Dialogue each : servers) {
            outcome = outcome(about, each.askForAll(operation, new Body.Named(about), message -> {
                if (message.body() instanceof Body.Handles some) {
                    goOn[0] = some.handles().stream().allMatch(visitor);
                }
                return goOn[0];
            }));
            if (!outcome.success() || !goOn[0]) {
                return outcome;
            }
        }
        return outcome;
    }

    /** Makes all servers of the site responsible for a prefix; the first refusal ends that. */
    public Outcome home(Handle prefixHandle) throws IOException {
        return changeAll(Operation.HOME_PREFIX, prefixHandle);
    }

    /** Ends that. */
    public Outcome unhome(Handle prefixHandle) throws IOException {
        return changeAll(Operation.UNHOME_PREFIX, prefixHandle);
    }

    private Outcome changeAll(Operation operation, Handle prefixHandle) throws IOException {
        Outcome outcome = Outcome.done(prefixHandle);
        for (Dialogue each : servers) {
            outcome = outcome(prefixHandle, each.ask(operation, new Body.Named(prefixHandle), 0, 0));
            if (!outcome.success()) {
                return outcome;
            }
        }
        return outcome;
    }

    /** The site as its first server describes it. */
    public SiteRecord site() throws IOException {
        Message answer = servers.getFirst().ask(Operation.GET_SITE, new Body.Named(Handle.SLASH), 0, 0);
        if (answer.body() instanceof Body.Site site) {
            return site.site();
        }
        throw new IOException("the server does not describe its site: " + text(answer));
    }

    /**
     * Has a proof with a secret key looked at by the server that keeps the key.
     *
     * @param digest of the request that was challenged, without its algorithm's number
     * @return empty if the server cannot say
     */
    public Optional<Boolean> verify(ValueReference key, byte[] nonce, byte[] digest, byte[] answer)
            throws IOException {
        Message said = server(key.handle())
                .ask(Operation.VERIFY_ANSWER, new Body.Verify(key, nonce, digest, answer), 0, 0);
        return said.body() instanceof Body.Verified verified ? Optional.of(verified.right()) : Optional.empty();
    }

    private static Outcome outcome(Handle asked, Message answer) throws IOException {
        ResponseCode code = answer.responseCode()
                .orElseThrow(() -> new IOException(
                        "the server answered with the code " + answer.header().responseCode() + ", which is none"));
        boolean replaced = answer.header().has(OpFlag.OVRW);
        return switch (answer.body()) {
            case Body.Values found -> new Outcome(code, found.handle(), found.values(), "", replaced);
            case Body.Named named -> new Outcome(code, named.handle(), List.of(), "", replaced);
            case Body.Referral referral -> new Outcome(code, referral.handle(), referral.values(), "", false);
            case Body.Text text -> new Outcome(code, asked, List.of(), text.text(), false);
            default -> new Outcome(code, asked, List.of(), "", replaced);
        };
    }

    /** What an answer says went wrong, for people. */
    static String text(Message answer) {
        String code = answer.responseCode().map(ResponseCode::text).orElse("code " + answer.header().responseCode());
        return answer.body() instanceof Body.Text text && !text.text().isBlank() ? code + " (" + text.text() + ")" : code;
    }

    /** Ends sessions and connections. */
    @Override
    public void close() {
        servers.forEach(Dialogue::close);
    }
}
