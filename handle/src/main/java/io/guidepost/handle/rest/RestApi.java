package io.guidepost.handle.rest;

import io.guidepost.base.Malformed;
import io.guidepost.base.Sha256;
import io.guidepost.base.SharedCounters;
import io.guidepost.handle.Handle;
import io.guidepost.handle.json.SiteJson;
import io.guidepost.handle.json.ValueJson;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.Administration;
import io.guidepost.handle.operation.Authenticator;
import io.guidepost.handle.operation.HandleResolver;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.operation.HandleSettings;
import io.guidepost.handle.operation.Principal;
import io.guidepost.handle.operation.ResolveRequest;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import io.guidepost.handle.record.ValueIndex;
import io.guidepost.handle.service.CpuQuota;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.names.Name;
import io.guidepost.web.FormUrlEncoded;
import io.guidepost.web.HttpHandler;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import io.guidepost.web.JsonWriter;
import io.guidepost.web.RequestParameters;
import java.io.IOException;
import java.lang.System.Logger;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The JSON interface of the Handle door, all below {@code /api/}, in the shapes of existing servers. The first of
 * {@link #ROUTES} that fits takes a request; errors are answered in JSON too.
 *
 * <p>Responses to plain GETs of handles are cached, see {@link ResponseCache}.
 */
public final class RestApi implements HttpHandler {
    private static final Logger LOG = System.getLogger(RestApi.class.getName());

    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS");
    private static final int TAG_BYTES = 12;
    private static final String HANDLES = "/api/handles/";
    private static final String PREFIXES = "/api/prefixes/";

    /** Answers the requests of a route. */
    @FunctionalInterface
    private interface Operation {
        HttpResponse answer(RestApi api, Asked asked, Trace trace) throws IOException, Malformed, RestAuthenticator.Refused;
    }

    /**
     * A row of the routing table.
     *
     * @param method of HTTP; GET includes HEAD
     * @param path of the resource; a name in braces at its end matches the rest of the path
     */
    private record Route(String method, String path, Operation endpoint) {
        boolean covers(String asked) {
            return isOpen() ? asked.startsWith(start()) : asked.equals(path);
        }

        boolean isOpen() {
            return path.endsWith("}");
        }

        String start() {
            return path.substring(0, path.indexOf('{'));
        }
    }

    /** What {@link RestListener} hears of a request, as far as it is known. */
    private static final class Trace {
        private Optional<HandleOperation> operation = Optional.empty();
        private ResponseCode code = ResponseCode.PROTOCOL_ERROR;
        private Optional<ValueReference> who = Optional.empty();
        private String handle = "";
    }

    /** A parsed request; {@code rest} is the decoded match of the name in braces. */
    record Asked(HttpRequest request, RequestParameters parameters, String rest) {}

    private static final List<Route> ROUTES = List.of(
            new Route("GET", "/api/handles/{handle}", (api, asked, _) -> api.resolve(asked)),
            new Route("POST", "/api/handles/{handle}", (api, asked, _) -> api.resolve(asked)),
            new Route("PUT", "/api/handles/{handle}", RestApi::put),
            new Route("DELETE", "/api/handles/{handle}", RestApi::delete),
            new Route("GET", "/api/handles", (api, asked, _) -> api.list(asked)),
            new Route("POST", "/api/handles", (api, asked, _) -> api.list(asked)),
            new Route("GET", "/api/prefixes", (api, asked, _) -> api.prefixes(asked)),
            new Route("POST", "/api/prefixes/{prefix}", RestApi::home),
            new Route("DELETE", "/api/prefixes/{prefix}", RestApi::unhome),
            new Route("GET", "/api/site", (api, asked, _) -> api.site(asked)),
            new Route("POST", "/api/sessions", (api, asked, _) -> api.sessions.begin(asked.request(), asked.parameters())),
            new Route(
                    "GET", "/api/sessions/this", (api, asked, _) -> api.sessions.see(asked.request(), asked.parameters())),
            new Route(
                    "PUT", "/api/sessions/this", (api, asked, _) -> api.sessions.prove(asked.request(), asked.parameters())),
            new Route("DELETE", "/api/sessions/this", (api, asked, _) -> api.sessions.end(asked.request())),
            new Route(
                    "POST", "/api/verifications", (api, asked, _) -> api.sessions.verify(asked.request(), asked.parameters())),
            new Route("GET", "/api/search", (api, asked, _) -> api.search(asked)),
            new Route("POST", "/api/bulk", (api, asked, _) -> api.bulk(asked)),
            new Route("GET", "/api/openapi.json", (_, _, _) -> OpenApi.DOCUMENT));

    private final SharedCounters<RestCount> counts = new SharedCounters<>(RestCount.class);
    private final HandleSettings settings;
    private final HandleResolver resolver;
    private final Administration administration;
    private final HandleRecords records;
    private final HomedPrefixes homes;
    private final RestSessions open;
    private final RestAuthenticator authorization;
    private final SessionRoutes sessions;
    private final ListRoutes lists;
    private final BulkChanges bulk;
    private final ValueSearch search;
    private final ResponseCache ready;
    private final RestListener listener;
    private final InstantSource clock;

    /**
     * Creates it over the services of the door.
     *
     * @param index for searches by value; null if there is none
     * @param effort CPU quotas, shared with other interfaces
     * @param clock of the sessions
     * @param random source of session ids and nonces; must be unpredictable
     * @param listener hears of changes
     */
    public RestApi(
            HandleSettings settings,
            HandleResolver resolver,
            Administration administration,
            Authenticator identities,
            HandleRecords records,
            HomedPrefixes homes,
            @Nullable ValueIndex index,
            CpuQuota effort,
            InstantSource clock,
            RandomGenerator random,
            RestListener listener) {
        this.settings = settings;
        this.resolver = resolver;
        this.administration = administration;
        this.records = records;
        this.homes = homes;
        this.open = new RestSessions(clock, random, counts);
        this.authorization = new RestAuthenticator(identities, open, effort);
        this.sessions = new SessionRoutes(settings, open, authorization);
        this.lists = new ListRoutes(administration);
        this.bulk = new BulkChanges(administration, counts, listener, clock);
        this.search = new ValueSearch(index, records, homes);
        this.ready = new ResponseCache(records, homes, counts);
        this.listener = listener;
        this.clock = clock;
    }

    /** Returns methods and paths of all routes, as in the OpenAPI document: {@code GET /api/handles/{handle}}. */
    static List<String> routes() {
        return ROUTES.stream().map(each -> each.method() + " " + each.path()).toList();
    }

    /** Returns whether a request is for one change, of which {@link RestListener} hears. */
    public static boolean isChange(HttpRequest request) {
        return switch (request.method()) {
            case "PUT", "DELETE" -> request.path().startsWith(HANDLES) || request.path().startsWith(PREFIXES);
            case "POST" -> request.path().startsWith(PREFIXES);
            default -> false;
        };
    }

    @Override
    public @Nullable HttpResponse atOnce(HttpRequest request) {
        HttpResponse known = isPlain(request) ? ready.getIfPresent(request.target()) : null;
        return known == null ? null : CorsPolicy.with(request, unchanged(request, known));
    }

    @Override
    public HttpResponse answer(HttpRequest request) {
        RequestParameters parameters = RequestParameters.NONE;
        HttpResponse response;
        Trace trace = new Trace();
        long begun = clock.millis();
        try {
            HttpResponse known = isPlain(request) ? ready.get(request.target()) : null;
            if (known == null) {
                parameters = RequestParameters.of(request);
                JsonResponses.checkCallback(parameters);
                response = route(request, parameters, trace);
            } else {
                response = known;
            }
        } catch (Malformed e) {
            counts.add(RestCount.REFUSALS_MALFORMED);
            trace.code = ResponseCode.PROTOCOL_ERROR;
            response = JsonResponses.error(RequestParameters.NONE, 400, ResponseCode.PROTOCOL_ERROR, text(e), null);
        } catch (RestAuthenticator.Refused e) {
            trace.code = e.toWait().isPresent() ? ResponseCode.BUSY : ResponseCode.AUTHENTICATION_FAILED;
            response = refused(request, parameters, e);
        } catch (IOException | RuntimeException e) {
            counts.add(RestCount.FAILED_REQUESTS);
            trace.code = ResponseCode.ERROR;
            LOG.log(Logger.Level.ERROR, request.method() + " " + shown(request.target()) + " failed: " + e, e);
            response = JsonResponses.error(parameters, 500, ResponseCode.ERROR, "the server failed", null);
        }
        if (isChange(request)) {
            listener.changed(
                    request, new RestListener.Change(trace.operation, trace.code, trace.who, trace.handle, clock.millis() - begun));
        }
        return CorsPolicy.with(request, unchanged(request, response));
    }

    private static String text(Malformed fault) {
        return fault.offset() == 0 ? fault.reason() : fault.reason() + " (at offset " + fault.offset() + ")";
    }

    private static boolean isPlain(HttpRequest request) {
        return request.method().equals("GET") && !request.headers().containsKey("authorization");
    }

    private HttpResponse route(HttpRequest request, RequestParameters parameters, Trace trace)
            throws IOException, Malformed, RestAuthenticator.Refused {
        if (!METHODS.contains(request.method())) {
            counts.add(RestCount.REFUSALS_MALFORMED);
            String text = "Unknown method " + shown(request.method());
            return JsonResponses.error(parameters, 501, ResponseCode.PROTOCOL_ERROR, text, null);
        }
        if (request.method().equals("OPTIONS")) {
            return CorsPolicy.options(request);
        }
        String method = request.method().equals("HEAD") ? "GET" : request.method();
        String path = request.path();
        for (Route each : ROUTES) {
            if (each.method().equals(method) && each.covers(path)) {
                String rest = each.isOpen() ? FormUrlEncoded.decode(path.substring(each.start().length())) : "";
                RequestParameters all = method.equals("POST") && each.path().startsWith("/api/handles")
                        ? RequestParameters.withBody(request)
                        : parameters;
                trace.handle = rest;
                return each.endpoint().answer(this, new Asked(request, all, rest), trace);
            }
        }
        counts.add(RestCount.REFUSALS_MALFORMED);
        String text = "Unknown HTTP API endpoint " + request.method() + " " + shown(path);
        String allowed = ROUTES.stream()
                .filter(each -> each.covers(path))
                .map(each -> each.method().equals("GET") ? "GET, HEAD" : each.method())
                .collect(Collectors.joining(", "));
        return allowed.isEmpty()
                ? JsonResponses.error(parameters, 404, ResponseCode.PROTOCOL_ERROR, text, null)
                : JsonResponses.error(parameters, 405, ResponseCode.PROTOCOL_ERROR, text, null)
                        .with("Allow", allowed + ", OPTIONS");
    }

    /** Returns the part of a client's text that is echoed. */
    private static String shown(String text) {
        return text.length() <= 200 ? text : text.substring(0, 200) + "...";
    }

    // ---- resolution

    private HttpResponse resolve(Asked asked) throws IOException, Malformed, RestAuthenticator.Refused {
        if (asked.rest().isEmpty()) {
            return emptyHandle(asked.parameters());
        }
        Optional<Handle> handle = handle(asked.rest());
        if (handle.isEmpty()) {
            return JsonResponses.error(asked.parameters(), 400, ResponseCode.INVALID_HANDLE, "", asked.rest());
        }
        RestAuthenticator.Known who = authorization.of(asked.request());
        boolean anonymous = who.caller() instanceof Principal.Anonymous;
        RequestParameters parameters = asked.parameters();
        ResolveRequest question = new ResolveRequest(
                handle.get(),
                parameters.integers("index"),
                parameters.all("type"),
                parameters.flag("publicOnly", anonymous),
                parameters.flag("doNotRefer", false),
                true,
                0,
                parameters.flag("auth", false));
        NavigableSet<String> seen = homes.all();
        Optional<Name> key = records.key(handle.get());
        OptionalLong version = key.isEmpty() ? OptionalLong.empty() : records.version(key.get());
        counts.add(RestCount.REQUESTS_RESOLVE);
        HandleResult outcome = resolver.resolve(question, who.caller());
        if (outcome.code() == ResponseCode.CHALLENGE) {
            return challenge(asked, who, asked.rest());
        }
        HttpResponse response = JsonResponses.resolved(parameters, outcome);
        if (response.status() != 200) {
            return response;
        }
        HttpResponse tagged = tagged(response);
        boolean mayBeKept = question.publicOnly() && !question.authoritative();
        if (isPlain(asked.request()) && mayBeKept && key.isPresent() && version.isPresent()) {
            ready.put(asked.request().target(), key.get(), version.getAsLong(), seen, tagged);
        }
        return tagged;
    }

    private static HttpResponse emptyHandle(RequestParameters parameters) {
        return JsonResponses.error(parameters, 400, ResponseCode.INVALID_HANDLE, "Empty handle invalid", null);
    }

    private static Optional<Handle> handle(String text) {
        try {
            return Optional.of(Handle.parse(text));
        } catch (Malformed e) {
            return Optional.empty();
        }
    }

    private HttpResponse list(Asked asked) throws IOException, Malformed, RestAuthenticator.Refused {
        String prefix = asked.parameters().first("prefix");
        if (prefix == null || prefix.isEmpty()) {
            return emptyHandle(asked.parameters());
        }
        RestAuthenticator.Known who = authorization.of(asked.request());
        return lists.handles(asked.parameters(), who.caller(), prefix)
                .orElseGet(() -> challenge(asked, who, prefix));
    }

    private HttpResponse prefixes(Asked asked) throws IOException, Malformed, RestAuthenticator.Refused {
        RestAuthenticator.Known who = authorization.of(asked.request());
        return lists.prefixes(asked.parameters(), who.caller()).orElseGet(() -> challenge(asked, who, null));
    }

    private HttpResponse search(Asked asked) throws IOException, Malformed {
        counts.add(RestCount.REQUESTS_SEARCH);
        return search.answer(asked.parameters());
    }

    private HttpResponse site(Asked asked) {
        return tagged(JsonResponses.of(asked.parameters(), 200, JsonWriter.object(
                "responseCode", ResponseCode.SUCCESS.number(), "site", SiteJson.of(settings.site()))));
    }

    // ---- changes

    /** A change by an authenticated client. */
    @FunctionalInterface
    private interface Changing {
        HandleResult by(Principal caller, Handle handle) throws IOException, Malformed;
    }

    private HttpResponse change(Asked asked, Trace trace, HandleOperation operation, Changing changing)
            throws IOException, Malformed, RestAuthenticator.Refused {
        trace.operation = Optional.of(operation);
        trace.code = ResponseCode.INVALID_HANDLE;
        if (asked.rest().isEmpty()) {
            return emptyHandle(asked.parameters());
        }
        RestAuthenticator.Known who = authorization.of(asked.request());
        trace.who = who.caller().who();
        if (who.caller() instanceof Principal.Anonymous) {
            trace.code = ResponseCode.CHALLENGE;
            return challenge(asked, who, asked.rest());
        }
        Optional<Handle> handle = handle(asked.rest());
        if (handle.isEmpty()) {
            return JsonResponses.error(asked.parameters(), 400, ResponseCode.INVALID_HANDLE, "", asked.rest());
        }
        counts.add(RestCount.REQUESTS_CHANGE);
        HandleResult outcome = changing.by(who.caller(), handle.get());
        trace.code = outcome.code();
        trace.handle = outcome.handle().toString();
        return JsonResponses.changed(asked.parameters(), outcome, asked.request().method().equals("PUT"));
    }

    private HttpResponse put(Asked asked, Trace trace) throws IOException, Malformed, RestAuthenticator.Refused {
        RequestParameters parameters = asked.parameters();
        HandleOperation operation = parameters.has("index") ? HandleOperation.ADD_VALUES : HandleOperation.CREATE;
        return change(asked, trace, operation, (caller, handle) -> {
            if (!RequestParameters.isJson(asked.request())) {
                throw new Malformed("Unsupported media type " + asked.request().mediaType(), 0);
            }
            JsonField body = JsonValue.read(asked.request().body()).whole();
            checkHandle(handle, body);
            List<HandleValue> values = ValueJson.readValues(body);
            boolean overwrite = parameters.first("overwrite", "true").equalsIgnoreCase("true");
            if (!parameters.has("index")) {
                String mint = parameters.first("mintNewSuffix");
                return administration.create(caller, handle, values, overwrite, "true".equalsIgnoreCase(mint));
            }
            checkIndexes(parameters, values);
            HandleResult outcome = administration.add(caller, handle, values, overwrite);
            return outcome.code() == ResponseCode.VALUE_EXISTS ? conflict(outcome, values) : outcome;
        });
    }

    private void checkHandle(Handle handle, JsonField body) throws Malformed {
        Optional<JsonField> named =
                body.json() instanceof JsonValue.Members(var members, _) && members.containsKey("values")
                        ? body.find("handle")
                        : Optional.empty();
        boolean folds = records.caseSensitive();
        if (named.isPresent() && !Handle.parse(named.get().text()).name(folds).equals(handle.name(folds))) {
            throw new Malformed("Mismatched handle in PUT request", 0);
        }
    }

    private static void checkIndexes(RequestParameters parameters, List<HandleValue> values) throws Malformed {
        if (parameters.all("index").contains("various")) {
            return;
        }
        Set<Integer> named = new HashSet<>(parameters.integers("index"));
        if (!named.equals(values.stream().map(HandleValue::index).collect(Collectors.toSet()))) {
            throw new Malformed("Mismatched indexes in PUT request", 0);
        }
    }

    /** Returns the outcome with the text of existing servers, which names the first conflicting value. */
    private HandleResult conflict(HandleResult outcome, List<HandleValue> values) throws IOException {
        Set<Integer> there = new HashSet<>();
        records.find(outcome.handle())
                .ifPresent(record -> record.values().forEach(each -> there.add(each.index())));
        return values.stream()
                .map(HandleValue::index)
                .filter(there::contains)
                .findFirst()
                .map(index -> HandleResult.of(outcome.code(), outcome.handle(), "Index conflict for " + index))
                .orElse(outcome);
    }

    private HttpResponse delete(Asked asked, Trace trace) throws IOException, Malformed, RestAuthenticator.Refused {
        return asked.parameters().has("index")
                ? change(asked, trace, HandleOperation.REMOVE_VALUES,
                        (caller, handle) -> administration.remove(caller, handle, asked.parameters().integers("index")))
                : change(asked, trace, HandleOperation.DELETE, administration::delete);
    }

    private HttpResponse home(Asked asked, Trace trace) throws IOException, Malformed, RestAuthenticator.Refused {
        return change(asked, trace, HandleOperation.HOME_PREFIX, administration::home);
    }

    private HttpResponse unhome(Asked asked, Trace trace) throws IOException, Malformed, RestAuthenticator.Refused {
        return change(asked, trace, HandleOperation.UNHOME_PREFIX, administration::unhome);
    }

    private HttpResponse bulk(Asked asked) throws IOException, Malformed, RestAuthenticator.Refused {
        RestAuthenticator.Known who = authorization.of(asked.request());
        return who.caller() instanceof Principal.Anonymous
                ? challenge(asked, who, null)
                : bulk.answer(asked.request(), who.caller());
    }

    // ---- authentication

    private HttpResponse challenge(Asked asked, RestAuthenticator.Known who, @Nullable String handle) {
        boolean secure = asked.request().secure();
        counts.add(RestCount.REFUSALS_CHALLENGE);
        HttpResponse response = JsonResponses.error(
                asked.parameters(),
                JsonResponses.status(ResponseCode.CHALLENGE, secure),
                ResponseCode.CHALLENGE,
                "",
                handle);
        return secure ? withChallenge(asked.request(), response, who.session(), "") : response;
    }

    /** Answers credentials that are refused: 401 (RFC 9110 section 15.5.2), and 429 (RFC 6585) or 503 before they are verified. */
    private HttpResponse refused(HttpRequest request, RequestParameters parameters, RestAuthenticator.Refused refused) {
        if (refused.toWait().isPresent()) {
            counts.add(RestCount.REFUSALS_QUOTA);
            CpuQuota.Wait wait = refused.toWait().get();
            String text = refused.reason() + ": try again in " + wait.seconds() + " s";
            return JsonResponses.error(parameters, wait.ofSender() ? 429 : 503, ResponseCode.BUSY, text, null)
                    .with("Retry-After", Long.toString(wait.seconds()));
        }
        counts.add(RestCount.REFUSALS_PROOF);
        String error = ", error=\"" + refused.reason() + "\"";
        return withChallenge(request, HttpResponse.empty(401), refused.session(), error);
    }

    private HttpResponse withChallenge(
            HttpRequest request, HttpResponse response, RestSessions.@Nullable Session known, String error) {
        RestSessions.Session session = known == null ? open.begin(null) : known;
        String nonce = Base64.getEncoder().encodeToString(session.nonce());
        HttpResponse challenged = takesBasic(request) ? response.with("WWW-Authenticate", "Basic realm=\"handle\"") : response;
        return challenged.with(
                "WWW-Authenticate", "Handle sessionId=\"" + session.id() + "\", nonce=\"" + nonce + "\"" + error);
    }

    /** Returns whether Basic is offered, for which a browser asks its user: not to scripts, nor to users of another scheme. */
    private static boolean takesBasic(HttpRequest request) {
        return request.header("authorization")
                .map(each -> each.regionMatches(true, 0, "Basic", 0, 5))
                .orElseGet(() -> !request.header("x-requested-with").equals(Optional.of("XMLHttpRequest")));
    }

    // ---- conditional requests

    /** Adds an ETag of the body; a weak one, as the connection may compress the body. */
    private static HttpResponse tagged(HttpResponse response) {
        if (!(response.body() instanceof HttpResponse.Bytes(byte[] bytes))) {
            return response;
        }
        String tag = Base64.getUrlEncoder().encodeToString(Arrays.copyOf(Sha256.of(bytes), TAG_BYTES));
        return response.with("ETag", "W/\"" + tag + "\"");
    }

    /** Returns the response, or 304 if the client has it (RFC 9110 section 13.1.2). */
    private static HttpResponse unchanged(HttpRequest request, HttpResponse response) {
        if (request.header("if-none-match").isEmpty()) {
            return response;
        }
        return response.headers().stream()
                .filter(each -> each.getKey().equals("ETag") && request.has(each.getValue()))
                .findFirst()
                .map(each -> HttpResponse.empty(304).with("ETag", each.getValue()).with("Vary", "Accept-Encoding"))
                .orElse(response);
    }

    /** Returns a counter. */
    public long count(RestCount of) {
        return counts.get(of);
    }
}
