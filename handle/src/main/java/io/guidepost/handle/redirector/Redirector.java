package io.guidepost.handle.redirector;

import io.guidepost.base.Malformed;
import io.guidepost.base.SharedCounters;
import io.guidepost.handle.Handle;
import io.guidepost.handle.location.HandleLocation;
import io.guidepost.handle.location.HandleLocations;
import io.guidepost.handle.location.LocationClient;
import io.guidepost.handle.location.LocationSelector;
import io.guidepost.handle.location.SelectionStep;
import io.guidepost.handle.operation.HandleResolver;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.operation.Principal;
import io.guidepost.handle.operation.ResolveRequest;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueType;
import io.guidepost.handle.xml.XmlElement;
import io.guidepost.web.FormUrlEncoded;
import io.guidepost.web.HttpHandler;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.RequestParameters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Redirects browsers from a handle, in this order:
 *
 * <ol>
 * <li> HS_ALIAS: to the other handle, 301;
 * <li> 10320/loc, or else the first URL: to the selected location, see {@link LocationSelector}, 302;
 * <li> the locations that HS_NAMESPACE of the prefix defines for all its handles, 302;
 * <li> otherwise a page of all public values.
 * </ol>
 *
 * Parameters: {@code noredirect} and {@code action=showvalues} show the values, {@code action=showlocs} the locations
 * and {@code action=showurls} the same as XML, of the handle at the end of the aliases; {@code ignore_aliases};
 * {@code type} and {@code index} filter the values; {@code urlappend} is appended to the URL; {@code locatt=name:value}
 * prefers locations. {@code auth} and {@code cert} have no effect, as nothing is cached here.
 *
 * <p>Responses to HEAD have a body, which the connection omits. Thread-safe.
 */
public final class Redirector implements HttpHandler {
    private static final System.Logger LOG = System.getLogger(Redirector.class.getName());

    private static final String HTML = "text/html; charset=UTF-8";

    /** Aliases followed where values are shown: more than one is rare, and a loop must end. */
    private static final int ALIASES_MAX = 10;

    /** Parameters of one request: the longest legitimate ones name a dozen types and indexes. */
    private static final int FORM_PARAMETERS_MAX = 256;

    /** Bytes of a form: a handle and its parameters, each byte percent-encoded. */
    private static final int FORM_BYTES_MAX = 32_768;

    private static final Set<String> REDIRECTIONS = Set.of("301", "302", "303", "307", "308");

    /** HTTP dates, RFC 9110 section 5.6.7. */
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US).withZone(ZoneOffset.UTC);

    private final HandleResolver resolver;
    private final InstantSource clock;
    private volatile LocationSelector choice;
    private volatile RedirectorSettings settings;
    private final SharedCounters<RedirectorCount> counts = new SharedCounters<>(RedirectorCount.class);

    /**
     * Creates it over a resolver.
     *
     * @param choice selects a location
     * @param clock that TTLs are relative to
     */
    public Redirector(HandleResolver resolver, LocationSelector choice, RedirectorSettings settings, InstantSource clock) {
        this.resolver = resolver;
        this.choice = choice;
        this.settings = settings;
        this.clock = clock;
    }

    /** Sends pages of other settings, and chooses locations otherwise, from the next request on. */
    public void follow(LocationSelector locations, RedirectorSettings next) {
        choice = locations;
        settings = next;
    }

    /** Returns a counter. */
    public long count(RedirectorCount of) {
        return counts.get(of);
    }

    @Override
    public HttpResponse answer(HttpRequest request) {
        RedirectorPages pages = settings.pages(request.header("host"));
        HttpResponse response;
        try {
            response = answer(request, pages);
        } catch (Malformed e) {
            counts.add(RedirectorCount.RESPONSES_MALFORMED);
            response = pages.errorPage(400, "Not a handle", "", e.reason() + ".", "");
        } catch (IOException e) {
            counts.add(RedirectorCount.RESPONSES_FAILED);
            LOG.log(System.Logger.Level.WARNING, "a page could not be made: {0}", e.toString());
            response = pages.errorPage(500, "Not possible now", "", "The server cannot read its records now.", "");
        }
        for (Map.Entry<String, String> each : settings.headers().entrySet()) {
            response = response.with(each.getKey(), each.getValue());
        }
        return response;
    }

    private HttpResponse answer(HttpRequest request, RedirectorPages pages) throws Malformed, IOException {
        boolean post = request.method().equals("POST");
        if (!post && !request.method().equals("GET") && !request.method().equals("HEAD")) {
            counts.add(RedirectorCount.RESPONSES_MALFORMED);
            return pages.errorPage(405, "Not for browsers", "", "Pages are got with GET, HEAD or POST.", "")
                    .with("Allow", "GET, HEAD, POST");
        }
        String path = path(request);
        return switch (path) {
            case "/robots.txt" -> HttpResponse.of(200, "text/plain; charset=UTF-8", settings.robots());
            case "/favicon.ico" -> settings.icon()
                    .map(each -> HttpResponse.of(200, "image/x-icon", each))
                    .orElseGet(() -> HttpResponse.of(200, "image/svg+xml", RedirectorPages.ICON))
                    .with("Cache-Control", "max-age=86400");
            default -> page(request, pages, path, RequestParameters.of(post ? body(request) : request.query(), FORM_PARAMETERS_MAX));
        };
    }

    /** Returns the path; a target may also be an absolute URL (RFC 9112 section 3.2.2). */
    private static String path(HttpRequest request) throws Malformed {
        String path = request.path();
        if (!path.startsWith("/")) {
            int host = path.indexOf("://");
            int slash = host < 0 ? -1 : path.indexOf('/', host + 3);
            path = slash < 0 ? "/" : path.substring(slash);
        }
        return FormUrlEncoded.decode(path);
    }

    private static String body(HttpRequest request) throws Malformed {
        if (request.body().length > FORM_BYTES_MAX) {
            throw new Malformed("a form has at most " + FORM_BYTES_MAX + " bytes", 0);
        }
        return new String(request.body(), StandardCharsets.UTF_8);
    }

    private HttpResponse page(HttpRequest request, RedirectorPages pages, String path, RequestParameters form)
            throws Malformed, IOException {
        String typed = typed(path.equals("/") ? form.first("hdl", "").strip() : path.substring(1));
        if (typed.isEmpty()) {
            return pages.queryPage();
        }
        return page(new Visit(Handle.parse(typed), request, pages, form, List.of()));
    }

    private HandleResult resolve(Visit visit, Handle handle) throws IOException {
        boolean authoritative = visit.form.flag("auth", false);
        return resolver.resolve(
                new ResolveRequest(handle, List.of(), List.of(), true, false, true, 0, authoritative), Principal.ANONYMOUS);
    }

    private HttpResponse page(Visit visit) throws IOException {
        HandleResult outcome = resolve(visit, visit.handle);
        return switch (outcome.code()) {
            case SUCCESS -> found(visit, outcome.values());
            case HANDLE_NOT_FOUND -> error(RedirectorCount.RESPONSES_NOT_FOUND, visit, 404, "Not found", "There is no such handle.");
            case VALUES_NOT_FOUND ->
                error(RedirectorCount.RESPONSES_NOT_FOUND, visit, 200, "No values", "The handle exists, but has no public values.");
            case NOT_RESPONSIBLE, SERVICE_REFERRAL, PREFIX_REFERRAL -> {
                counts.add(RedirectorCount.RESPONSES_NOT_RESPONSIBLE);
                yield visit.pages.errorPage(
                        404, "Not here", visit.handle.toString(), "This server is not responsible for the prefix of this handle.",
                        ReferralHtml.ways(visit.handle, outcome.values()));
            }
            case BUSY, READ_ONLY ->
                error(RedirectorCount.RESPONSES_FAILED, visit, 503, "Not possible now", "The server is too busy.")
                        .with("Retry-After", "5");
            default ->
                error(
                        RedirectorCount.RESPONSES_FAILED, visit, 500, "Not possible now",
                        "The server says: " + outcome.code().text() + ".");
        };
    }

    private HttpResponse error(RedirectorCount count, Visit visit, int status, String title, String message) {
        counts.add(count);
        return visit.pages.errorPage(status, title, visit.handle.toString(), message, "");
    }

    /** Returns the aliases that lead from a handle back to one of them, in their order; none where they end, or lead elsewhere. */
    private List<Handle> circle(Visit visit, Handle first) throws IOException {
        List<Handle> passed = new ArrayList<>(visit.passed);
        passed.add(visit.handle);
        Optional<Handle> next = Optional.of(first);
        while (next.isPresent() && passed.size() <= ALIASES_MAX) {
            Handle handle = next.get();
            passed.add(handle);
            if (passed.subList(0, passed.size() - 1).stream().anyMatch(handle::equalsFolded)) {
                return passed;
            }
            HandleResult outcome = resolve(visit, handle);
            next = outcome.success() ? alias(handle, outcome.values()) : Optional.empty();
        }
        return List.of();
    }

    private HttpResponse inACircle(Visit visit, List<Handle> circle) {
        counts.add(RedirectorCount.RESPONSES_NOT_FOUND);
        return visit.pages.errorPage(
                404, "A loop of aliases", visit.handle.toString(),
                "The aliases of this handle lead in a circle, so none of them leads to a value. Who manages these handles can mend it.",
                "<p>" + circle.stream()
                        .map(each -> HtmlText.link(RedirectTargets.path(each) + "?noredirect&ignore_aliases", each.toString()))
                        .collect(Collectors.joining(" → ")) + "</p>\n");
    }

    /** Returns a handle without the prefix {@code hdl:} of pasted ones. */
    private static String typed(String text) {
        return text.regionMatches(true, 0, "hdl:", 0, 4) ? text.substring(4) : text;
    }

    private HttpResponse found(Visit visit, List<HandleValue> all) throws IOException {
        List<HandleValue> values = all.stream().filter(visit::wants).toList();
        if (values.isEmpty()) {
            return error(RedirectorCount.RESPONSES_NOT_FOUND, visit, 200, "No values", "The handle exists, but has no such values.");
        }
        Optional<Handle> other = visit.form.has("ignore_aliases") ? Optional.empty() : alias(visit.handle, values);
        if (other.isPresent()) {
            List<Handle> circle = visit.passed.isEmpty() ? circle(visit, other.get()) : List.of();
            if (!circle.isEmpty()) {
                return inACircle(visit, circle);
            }
            if (visit.shows() && visit.passed.size() >= ALIASES_MAX) {
                return error(RedirectorCount.RESPONSES_NOT_FOUND, visit, 404, "Not found",
                        "More than " + ALIASES_MAX + " aliases lead on from this handle.");
            }
        }
        if (other.isPresent() && visit.shows()) {
            return page(visit.of(other.get()));
        }
        if (other.isPresent()) {
            counts.add(RedirectorCount.RESPONSES_ALIAS);
            String query = visit.query();
            return HttpResponse.empty(301)
                    .with("Location", RedirectTargets.path(other.get()) + (query.isEmpty() ? "" : "?" + query))
                    .with("Expires", expires(first(values, ValueType.HS_ALIAS).map(HandleValue::ttl).orElse(Ttl.usual())));
        }
        Destinations destinations = destinations(visit, values);
        Optional<HttpResponse> there = visit.shows() ? Optional.empty() : redirection(visit, destinations);
        if (there.isPresent()) {
            return there.get();
        }
        counts.add(RedirectorCount.RESPONSES_VALUES);
        String handle = visit.handle.toString();
        return switch (visit.action()) {
            case "showurls" -> HttpResponse.of(
                    200, "text/xml; charset=UTF-8", LocationHtml.xml(destinations.locations));
            case "showlocs" -> visit.pages.valuesPage("Locations", handle, LocationHtml.table(destinations.locations));
            default -> visit.pages.valuesPage("Values", handle, ValueHtml.table(values));
        };
    }

    private static Optional<Handle> alias(Handle handle, List<HandleValue> values) {
        Optional<HandleValue> alias = first(values, ValueType.HS_ALIAS);
        try {
            if (alias.isEmpty()) {
                return Optional.empty();
            }
            ValueType.HS_ALIAS.check(alias.get().data());
            Handle other = Handle.parse(new String(alias.get().data(), StandardCharsets.UTF_8));
            return other.equalsFolded(handle) ? Optional.empty() : Optional.of(other);
        } catch (Malformed e) {
            return Optional.empty();
        }
    }

    private static Optional<HandleValue> first(List<HandleValue> values, ValueType type) {
        return values.stream().filter(each -> each.is(type)).findFirst();
    }

    /** The locations of a handle and their TTL. */
    private record Destinations(HandleLocations locations, Ttl ttl, boolean differs) {
        static final Destinations NONE = new Destinations(new HandleLocations(SelectionStep.USUAL, List.of()), Ttl.usual(), false);

        boolean isEmpty() {
            return locations.locations().isEmpty();
        }
    }

    /** Returns the locations of the record with each URL as one more: the first URL alone if there are no others. */
    private Destinations destinations(Visit visit, List<HandleValue> values) throws IOException {
        Destinations listed = Destinations.NONE;
        Optional<HandleValue> list = first(values, ValueType.LOCATIONS);
        if (list.isPresent()) {
            try {
                HandleLocations read = HandleLocations.read(list.get().data(), visit.handle);
                listed = read.locations().isEmpty() ? listed : new Destinations(read, list.get().ttl(), true);
            } catch (Malformed e) {
                counts.add(RedirectorCount.MALFORMED_LOCATIONS);
            }
        }
        List<HandleLocation> all = new ArrayList<>(listed.locations.locations());
        Ttl ttl = listed.ttl;
        for (HandleValue each : values) {
            if (each.is(ValueType.URL)) {
                ttl = all.isEmpty() ? each.ttl() : ttl;
                all.add(HandleLocation.ofUrl(new String(each.data(), StandardCharsets.UTF_8), all.isEmpty() ? 1 : 0));
            }
        }
        if (all.isEmpty()) {
            return visit.narrowed() ? Destinations.NONE : ofNamespace(visit.handle);
        }
        return new Destinations(new HandleLocations(listed.locations.steps(), all), ttl, listed.differs);
    }

    /** Returns the locations that a prefix defines for all its handles, with the handle in {@code href_template}. */
    private Destinations ofNamespace(Handle handle) throws IOException {
        if (handle.isPrefixHandle()) {
            return Destinations.NONE;
        }
        List<String> types = List.of(ValueType.HS_NAMESPACE.typeName());
        HandleResult outcome = resolver.resolve(
                new ResolveRequest(handle.prefixHandle(), List.of(), types, true, true, false, 0), Principal.ANONYMOUS);
        if (!outcome.success() || outcome.values().isEmpty()) {
            return Destinations.NONE;
        }
        HandleValue namespace = outcome.values().getFirst();
        try {
            return XmlElement.read(namespace.data())
                    .children("locations")
                    .map(each -> new Destinations(HandleLocations.of(each, handle), namespace.ttl(), true))
                    .filter(each -> !each.isEmpty())
                    .findFirst()
                    .orElse(Destinations.NONE);
        } catch (Malformed e) {
            counts.add(RedirectorCount.MALFORMED_LOCATIONS);
            return Destinations.NONE;
        }
    }

    private Optional<HttpResponse> redirection(Visit visit, Destinations destinations) {
        Optional<HandleLocation> chosen = choice.choose(destinations.locations, visit.visitor());
        Optional<String> url = chosen.flatMap(each -> RedirectTargets.safe(each.href()));
        if (chosen.isPresent() && url.isEmpty()) {
            counts.add(RedirectorCount.UNSAFE_URLS);
        }
        if (chosen.isEmpty() || url.isEmpty()) {
            return Optional.empty();
        }
        counts.add(RedirectorCount.RESPONSES_LOCATION);
        String target = visit.form.has("urlappend") ? RedirectTargets.appended(url.get(), visit.form.first("urlappend", "")) : url.get();
        int status = chosen.get()
                .attribute("http_sc")
                .filter(REDIRECTIONS::contains)
                .map(Integer::parseInt)
                .orElse(302);
        String body = "<!DOCTYPE html><title>Redirection</title>" + HtmlText.link(target, target) + "\n";
        HttpResponse response = HttpResponse.of(status, HTML, body)
                .with("Location", target)
                .with("Expires", expires(destinations.ttl))
                .with("Content-Security-Policy", "default-src 'none'");
        // The location selected for one client does not hold for another.
        return Optional.of(destinations.differs ? response.with("Cache-Control", "private") : response);
    }

    private String expires(Ttl ttl) {
        Instant until = switch (ttl) {
            case Ttl.Relative(long seconds) -> clock.instant().plusSeconds(seconds);
            case Ttl.Until(long seconds) -> Instant.ofEpochSecond(seconds);
        };
        return DATE.format(until);
    }

    /** One request for a handle; the handles whose aliases led to it come before. */
    private static final class Visit {
        private static final Set<String> ACTIONS = Set.of("showvalues", "showlocs", "showurls");

        private final Handle handle;
        private final HttpRequest request;
        private final RedirectorPages pages;
        private final RequestParameters form;
        private final List<String> types;
        private final Set<String> indexes;
        private final List<Handle> passed;

        Visit(Handle handle, HttpRequest request, RedirectorPages pages, RequestParameters form, List<Handle> passed) {
            this.handle = handle;
            this.request = request;
            this.pages = pages;
            this.form = form;
            this.types = form.all("type");
            this.indexes = Set.copyOf(form.all("index"));
            this.passed = passed;
        }

        /** Returns a visit of the handle that an alias leads to. */
        Visit of(Handle other) {
            List<Handle> more = new ArrayList<>(passed);
            more.add(handle);
            return new Visit(other, request, pages, form, more);
        }

        String action() {
            return form.first("action", "");
        }

        /** Returns whether the client wants a page rather than a redirect. */
        boolean shows() {
            return form.has("noredirect") || ACTIONS.contains(action());
        }

        boolean narrowed() {
            return !types.isEmpty() || !indexes.isEmpty();
        }

        boolean wants(HandleValue value) {
            return !narrowed()
                    || indexes.contains(Integer.toUnsignedString(value.index()))
                    || types.stream().anyMatch(each -> ValueType.matches(each, value.type()));
        }

        /** Returns the query string for the next request, unchanged; a submitted form has none. */
        String query() {
            String query = request.query();
            return request.method().equals("POST") || query.isEmpty() || !isPlain(query) ? "" : query;
        }

        private static boolean isPlain(String query) {
            return query.chars().allMatch(each -> each > ' ' && each < 0x7f && each != '"' && each != '<' && each != '>');
        }

        LocationClient visitor() {
            return new LocationClient(
                    request.peer().getAddress(),
                    form.all("locatt").stream().map(LocationClient.Wanted::parse).toList());
        }
    }
}
