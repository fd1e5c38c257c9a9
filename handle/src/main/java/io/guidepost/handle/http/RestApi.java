package io.guidepost.handle.http;

import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleValue;
import io.guidepost.handle.json.SiteJson;
import io.guidepost.handle.json.ValueJson;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.record.Homes;
import io.guidepost.handle.record.Records;
import io.guidepost.handle.record.ValueIndex;
import io.guidepost.handle.service.Administration;
import io.guidepost.handle.service.Caller;
import io.guidepost.handle.service.Effort;
import io.guidepost.handle.service.HandleSettings;
import io.guidepost.handle.service.Identities;
import io.guidepost.handle.service.Outcome;
import io.guidepost.handle.service.Question;
import io.guidepost.handle.service.Resolver;
import io.guidepost.names.Malformed;
import io.guidepost.names.Name;
import io.guidepost.names.SharedCounters;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.HttpService;
import io.guidepost.web.Json;
import java.io.IOException;
import java.lang.System.Logger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The JSON interface of the Handle door, all below {@code /api/}, in the shapes that existing servers have. A request
 * goes to the first of {@link #ROUTES} that fits; what is wrong with it is answered in JSON too.
 *
 * <p>The answer to a plain GET of a handle is kept ready, see {@link ReadyAnswers}.
 */
public final class RestApi implements HttpService {
    private static final Logger LOG = System.getLogger(RestApi.class.getName());

    private static final String ROOT = "/api/";
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS");
    private static final int TAG_BYTES = 12;

    /** Who answers at a path. */
    @FunctionalInterface
    private interface Endpoint {
        HttpResponse answer(RestApi api, Asked asked) throws IOException, Malformed, Authorization.Refused;
    }

    /**
     * One thing that can be asked.
     *
     * @param method of HTTP; GET stands for HEAD too
     * @param path below which nothing else is, unless it ends in a name in braces, which stands for all that follows
     */
    private record Route(String method, String path, Endpoint endpoint) {
        boolean fits(String asked, String under) {
            return method.equals(asked) && (isOpen() ? under.startsWith(start()) : under.equals(path));
        }

        boolean isOpen() {
            return path.endsWith("}");
        }

        String start() {
            return path.substring(0, path.indexOf('{'));
        }
    }

    /** A request and what was read of it; {@code rest} is what stood in place of the name in braces, decoded. */
    record Asked(HttpRequest request, Parameters parameters, String rest) {}

    private static final List<Route> ROUTES = List.of(
            new Route("GET", "/api/handles/{handle}", RestApi::resolve),
            new Route("POST", "/api/handles/{handle}", RestApi::resolve),
            new Route("PUT", "/api/handles/{handle}", RestApi::put),
            new Route("DELETE", "/api/handles/{handle}", RestApi::delete),
            new Route("GET", "/api/handles", RestApi::list),
            new Route("POST", "/api/handles", RestApi::list),
            new Route("GET", "/api/prefixes", RestApi::prefixes),
            new Route("POST", "/api/prefixes/{prefix}", RestApi::home),
            new Route("DELETE", "/api/prefixes/{prefix}", RestApi::unhome),
            new Route("GET", "/api/site", RestApi::site),
            new Route("POST", "/api/sessions", (api, asked) -> api.sessions.begin(asked.request(), asked.parameters())),
            new Route(
                    "GET", "/api/sessions/this", (api, asked) -> api.sessions.see(asked.request(), asked.parameters())),
            new Route(
                    "PUT", "/api/sessions/this", (api, asked) -> api.sessions.prove(asked.request(), asked.parameters())),
            new Route("DELETE", "/api/sessions/this", (api, asked) -> api.sessions.end(asked.request())),
            new Route(
                    "POST", "/api/verifications", (api, asked) -> api.sessions.verify(asked.request(), asked.parameters())),
            new Route("GET", "/api/search", RestApi::search),
            new Route("POST", "/api/bulk", RestApi::bulk),
            new Route("GET", "/api/openapi.json", (_, _) -> OpenApi.DOCUMENT));

    private final SharedCounters<RestCount> counts = new SharedCounters<>(RestCount.class);
    private final HandleSettings settings;
    private final Resolver resolver;
    private final Administration administration;
    private final Records records;
    private final Homes homes;
    private final RestSessions open;
    private final Authorization authorization;
    private final SessionRoutes sessions;
    private final Lists lists;
    private final Bulk bulk;
    private final Search search;
    private final ReadyAnswers ready;

    /**
     * Over the services of the door.
     *
     * @param index where values are searched; null if they are not
     * @param effort what senders may cost, shared with other interfaces
     * @param clock by which sessions end
     * @param random makes their ids and nonces, and must not be predictable
     */
    public RestApi(
            HandleSettings settings,
            Resolver resolver,
            Administration administration,
            Identities identities,
            Records records,
            Homes homes,
            @Nullable ValueIndex index,
            Effort effort,
            InstantSource clock,
            RandomGenerator random) {
        this.settings = settings;
        this.resolver = resolver;
        this.administration = administration;
        this.records = records;
        this.homes = homes;
        this.open = new RestSessions(settings, clock, random, counts);
        this.authorization = new Authorization(identities, open, effort);
        this.sessions = new SessionRoutes(settings, open, authorization);
        this.lists = new Lists(administration);
        this.bulk = new Bulk(administration, counts);
        this.search = new Search(index, records, homes);
        this.ready = new ReadyAnswers(records, homes, counts);
    }

    /** Methods and paths of all routes, as the OpenAPI document names them: {@code GET /api/handles/{handle}}. */
    static List<String> routes() {
        return ROUTES.stream().map(each -> each.method() + " " + each.path()).toList();
    }

    @Override
    public @Nullable HttpResponse atOnce(HttpRequest request) {
        HttpResponse known = isPlain(request) ? ready.findAtOnce(request.target()) : null;
        return known == null ? null : CrossOrigin.with(request, unchanged(request, known));
    }

    @Override
    public HttpResponse answer(HttpRequest request) {
        Parameters parameters = Parameters.NONE;
        HttpResponse response;
        try {
            HttpResponse known = isPlain(request) ? ready.find(request.target()) : null;
            if (known == null) {
                parameters = Parameters.of(request);
                JsonAnswers.checkCallback(parameters);
                response = route(request, parameters);
            } else {
                response = known;
            }
        } catch (Malformed e) {
            counts.add(RestCount.MALFORMED);
            response = JsonAnswers.error(Parameters.NONE, 400, ResponseCode.PROTOCOL_ERROR, text(e), null);
        } catch (Authorization.Refused e) {
            counts.add(RestCount.PROOFS_REFUSED);
            response = refused(e);
        } catch (IOException | RuntimeException e) {
            counts.add(RestCount.FAILED);
            LOG.log(Logger.Level.ERROR, request.method() + " " + shown(request.target()) + " failed: " + e, e);
            response = JsonAnswers.error(parameters, 500, ResponseCode.ERROR, "the server failed", null);
        }
        return CrossOrigin.with(request, unchanged(request, response));
    }

    private static String text(Malformed fault) {
        return fault.offset() == 0 ? fault.reason() : fault.reason() + " (at offset " + fault.offset() + ")";
    }

    private static boolean isPlain(HttpRequest request) {
        return request.method().equals("GET") && !request.headers().containsKey("authorization");
    }

    private HttpResponse route(HttpRequest request, Parameters parameters)
            throws IOException, Malformed, Authorization.Refused {
        if (!METHODS.contains(request.method())) {
            counts.add(RestCount.MALFORMED);
            String text = "Unknown method " + shown(request.method());
            return JsonAnswers.error(parameters, 501, ResponseCode.PROTOCOL_ERROR, text, null);
        }
        if (request.method().equals("OPTIONS")) {
            return CrossOrigin.options(request);
        }
        String method = request.method().equals("HEAD") ? "GET" : request.method();
        String path = request.path();
        for (Route each : ROUTES) {
            if (each.fits(method, path)) {
                String rest = each.isOpen() ? Parameters.decode(path.substring(each.start().length())) : "";
                Parameters all = method.equals("POST") && each.path().startsWith("/api/handles")
                        ? Parameters.withBody(request)
                        : parameters;
                return each.endpoint().answer(this, new Asked(request, all, rest));
            }
        }
        counts.add(RestCount.MALFORMED);
        String text = "Unknown HTTP API endpoint " + request.method() + " " + shown(path);
        return JsonAnswers.error(parameters, 404, ResponseCode.PROTOCOL_ERROR, text, null);
    }

    /** So much of what a client sent as is sent back. */
    private static String shown(String text) {
        return text.length() <= 200 ? text : text.substring(0, 200) + "...";
    }

    /** Whether this answers a path. */
    public static boolean isFor(String path) {
        return path.startsWith(ROOT);
    }

    // ---- questions

    private HttpResponse resolve(Asked asked) throws IOException, Malformed, Authorization.Refused {
        if (asked.rest().isEmpty()) {
            return emptyHandle(asked.parameters());
        }
        Optional<Handle> handle = handle(asked.rest());
        if (handle.isEmpty()) {
            return JsonAnswers.error(asked.parameters(), 400, ResponseCode.INVALID_HANDLE, "", asked.rest());
        }
        Authorization.Known who = authorization.of(asked.request());
        boolean anonymous = who.caller() instanceof Caller.Anonymous;
        Parameters parameters = asked.parameters();
        Question question = new Question(
                handle.get(),
                parameters.integers("index"),
                parameters.all("type"),
                parameters.flag("publicOnly", anonymous),
                parameters.flag("doNotRefer", false),
                true,
                0);
        NavigableSet<String> seen = homes.all();
        Optional<Name> key = records.key(handle.get());
        OptionalLong version = key.isEmpty() ? OptionalLong.empty() : records.version(key.get());
        counts.add(RestCount.QUESTIONS);
        Outcome outcome = resolver.resolve(question, who.caller());
        if (outcome.code() == ResponseCode.CHALLENGE) {
            return challenge(asked, who, asked.rest());
        }
        HttpResponse response = JsonAnswers.resolved(parameters, outcome);
        if (response.status() != 200) {
            return response;
        }
        HttpResponse tagged = tagged(response);
        if (isPlain(asked.request()) && question.publicOnly() && key.isPresent() && version.isPresent()) {
            ready.keep(asked.request().target(), key.get(), version.getAsLong(), seen, tagged);
        }
        return tagged;
    }

    private static HttpResponse emptyHandle(Parameters parameters) {
        return JsonAnswers.error(parameters, 400, ResponseCode.INVALID_HANDLE, "Empty handle invalid", null);
    }

    private static Optional<Handle> handle(String text) {
        try {
            return Optional.of(Handle.parse(text));
        } catch (Malformed e) {
            return Optional.empty();
        }
    }

    private HttpResponse list(Asked asked) throws IOException, Malformed, Authorization.Refused {
        String prefix = asked.parameters().first("prefix");
        if (prefix == null || prefix.isEmpty()) {
            return emptyHandle(asked.parameters());
        }
        Authorization.Known who = authorization.of(asked.request());
        return lists.handles(asked.parameters(), who.caller(), prefix)
                .orElseGet(() -> challenge(asked, who, prefix));
    }

    private HttpResponse prefixes(Asked asked) throws IOException, Authorization.Refused {
        Authorization.Known who = authorization.of(asked.request());
        return lists.prefixes(asked.parameters(), who.caller()).orElseGet(() -> challenge(asked, who, null));
    }

    private HttpResponse search(Asked asked) throws IOException, Malformed {
        counts.add(RestCount.SEARCHES);
        return search.answer(asked.parameters());
    }

    private HttpResponse site(Asked asked) {
        return tagged(JsonAnswers.of(asked.parameters(), 200, out -> {
            out.writeStartObject();
            out.writeNumberProperty("responseCode", ResponseCode.SUCCESS.number());
            out.writeName("site");
            SiteJson.write(settings.site(), out);
            out.writeEndObject();
        }));
    }

    // ---- changes

    /** What changes something, by somebody who has shown who they are. */
    @FunctionalInterface
    private interface Changing {
        Outcome by(Caller caller, Handle handle) throws IOException, Malformed;
    }

    private HttpResponse change(Asked asked, boolean creates, Changing changing)
            throws IOException, Malformed, Authorization.Refused {
        if (asked.rest().isEmpty()) {
            return emptyHandle(asked.parameters());
        }
        Authorization.Known who = authorization.of(asked.request());
        if (who.caller() instanceof Caller.Anonymous) {
            return challenge(asked, who, asked.rest());
        }
        Optional<Handle> handle = handle(asked.rest());
        if (handle.isEmpty()) {
            return JsonAnswers.error(asked.parameters(), 400, ResponseCode.INVALID_HANDLE, "", asked.rest());
        }
        counts.add(RestCount.CHANGES);
        return JsonAnswers.changed(asked.parameters(), changing.by(who.caller(), handle.get()), creates);
    }

    private HttpResponse put(Asked asked) throws IOException, Malformed, Authorization.Refused {
        return change(asked, true, (caller, handle) -> {
            Parameters parameters = asked.parameters();
            if (!Parameters.isJson(asked.request())) {
                throw Parameters.unsupported(asked.request());
            }
            List<HandleValue> values =
                    ValueJson.readValues(Json.read(asked.request().body()).whole());
            boolean overwrite = parameters.flag("overwrite", true);
            if (!parameters.has("index")) {
                String mint = parameters.first("mintNewSuffix");
                return administration.create(caller, handle, values, overwrite, "true".equalsIgnoreCase(mint));
            }
            checkIndexes(parameters, values);
            Outcome outcome = administration.add(caller, handle, values, overwrite);
            return outcome.code() == ResponseCode.VALUE_EXISTS ? conflict(outcome, values) : outcome;
        });
    }

    private static void checkIndexes(Parameters parameters, List<HandleValue> values) throws Malformed {
        if (parameters.all("index").contains("various")) {
            return;
        }
        Set<Integer> named = new HashSet<>(parameters.integers("index"));
        if (!named.equals(values.stream().map(HandleValue::index).collect(Collectors.toSet()))) {
            throw new Malformed("Mismatched indexes in PUT request", 0);
        }
    }

    /** The outcome with the text of existing servers, which names the first of the values that exist. */
    private Outcome conflict(Outcome outcome, List<HandleValue> values) throws IOException {
        Set<Integer> there = new HashSet<>();
        records.find(outcome.handle())
                .ifPresent(record -> record.values().forEach(each -> there.add(each.index())));
        return values.stream()
                .map(HandleValue::index)
                .filter(there::contains)
                .findFirst()
                .map(index -> Outcome.of(outcome.code(), outcome.handle(), "Index conflict for " + index))
                .orElse(outcome);
    }

    private HttpResponse delete(Asked asked) throws IOException, Malformed, Authorization.Refused {
        return change(asked, false, (caller, handle) -> asked.parameters().has("index")
                ? administration.remove(caller, handle, asked.parameters().integers("index"))
                : administration.delete(caller, handle));
    }

    private HttpResponse home(Asked asked) throws IOException, Malformed, Authorization.Refused {
        return change(asked, false, administration::home);
    }

    private HttpResponse unhome(Asked asked) throws IOException, Malformed, Authorization.Refused {
        return change(asked, false, administration::unhome);
    }

    private HttpResponse bulk(Asked asked) throws IOException, Malformed, Authorization.Refused {
        Authorization.Known who = authorization.of(asked.request());
        return who.caller() instanceof Caller.Anonymous
                ? challenge(asked, who, null)
                : bulk.answer(asked.request(), who.caller());
    }

    // ---- who asks

    private HttpResponse challenge(Asked asked, Authorization.Known who, @Nullable String handle) {
        boolean secure = asked.request().secure();
        counts.add(RestCount.CHALLENGES);
        HttpResponse response = JsonAnswers.error(
                asked.parameters(),
                JsonAnswers.status(ResponseCode.CHALLENGE, secure),
                ResponseCode.CHALLENGE,
                "",
                handle);
        return secure ? withChallenge(response, who.session(), "") : response;
    }

    private HttpResponse refused(Authorization.Refused refused) {
        String error = ", error=\"" + refused.reason() + "\"";
        return withChallenge(HttpResponse.empty(401), refused.session(), error);
    }

    private HttpResponse withChallenge(HttpResponse response, RestSessions.@Nullable Session known, String error) {
        RestSessions.Session session = known == null ? open.begin(null) : known;
        String nonce = Base64.getEncoder().encodeToString(session.nonce());
        return response.with("WWW-Authenticate", "Basic realm=\"handle\"")
                .with("WWW-Authenticate", "Handle sessionId=\"" + session.id() + "\", nonce=\"" + nonce + "\"" + error);
    }

    // ---- what has not changed

    /** The answer with a tag that is another when the body is; weak, as a connection may compress the body. */
    private static HttpResponse tagged(HttpResponse response) {
        if (!(response.body() instanceof HttpResponse.Bytes(byte[] bytes))) {
            return response;
        }
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            String tag = Base64.getUrlEncoder().encodeToString(Arrays.copyOf(digest, TAG_BYTES));
            return response.with("ETag", "W/\"" + tag + "\"");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    /** The answer, or that it is the one which the client has (RFC 9110 section 13.1.2). */
    private static HttpResponse unchanged(HttpRequest request, HttpResponse response) {
        Optional<String> held = request.header("if-none-match");
        if (held.isEmpty() || !request.method().equals("GET") && !request.method().equals("HEAD")) {
            return response;
        }
        Optional<String> tag = response.headers().stream()
                .filter(each -> each.getKey().equals("ETag"))
                .map(Map.Entry::getValue)
                .findFirst();
        boolean same = tag.isPresent()
                && Arrays.stream(held.get().split(",", -1))
                        .map(String::strip)
                        .anyMatch(each -> each.equals("*") || weak(each).equals(tag.get()));
        return same
                ? HttpResponse.empty(304).with("ETag", tag.get()).with("Vary", "Accept-Encoding")
                : response;
    }

    private static String weak(String tag) {
        return tag.startsWith("W/") ? tag : "W/" + tag;
    }

    /** How often something happened. */
    public long count(RestCount of) {
        return counts.get(of);
    }
}
