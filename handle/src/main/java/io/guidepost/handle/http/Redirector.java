package io.guidepost.handle.http;

import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleValue;
import io.guidepost.handle.Ttl;
import io.guidepost.handle.ValueType;
import io.guidepost.handle.location.Choice;
import io.guidepost.handle.location.Location;
import io.guidepost.handle.location.Locations;
import io.guidepost.handle.location.Step;
import io.guidepost.handle.location.Visitor;
import io.guidepost.handle.service.Caller;
import io.guidepost.handle.service.Outcome;
import io.guidepost.handle.service.Question;
import io.guidepost.handle.service.Resolver;
import io.guidepost.handle.xml.Element;
import io.guidepost.names.Malformed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * What a browser gets for a handle. In this order:
 *
 * <ol>
 *   <li>HS_ALIAS: it is sent to the other handle, 301;
 *   <li>10320/loc: to one of the locations, see {@link Choice}, 302;
 *   <li>URL: to the first one, 302;
 *   <li>the locations that HS_NAMESPACE of the prefix has for all its handles, 302;
 *   <li>a page of all values that everybody may read.
 * </ol>
 *
 * The parameters: {@code noredirect} and {@code action=showvalues} show the values, {@code action=showlocs} the locations;
 * {@code ignore_aliases}; {@code type} and {@code index} narrow the values down; {@code urlappend} goes behind the URL;
 * {@code locatt=name:value} prefers locations. {@code auth} and {@code cert} change nothing, as nothing is cached here.
 *
 * <p>Thread-safe.
 */
public final class Redirector implements HttpService {
    private static final System.Logger LOG = System.getLogger(Redirector.class.getName());

    private static final String HTML = "text/html; charset=UTF-8";
    private static final Set<String> REDIRECTIONS = Set.of("301", "302", "303", "307", "308");

    /** The form of dates in HTTP, RFC 9110 section 5.6.7. */
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US).withZone(ZoneOffset.UTC);

    private final Resolver resolver;
    private final Choice choice;
    private final RedirectorSettings settings;
    private final InstantSource clock;
    private final Targets targets;
    private final ValueView view;
    private final Map<RedirectorCount, LongAdder> counts = new EnumMap<>(RedirectorCount.class);

    /**
     * Over a resolver.
     *
     * @param choice among locations
     * @param clock from which TTLs count
     */
    public Redirector(Resolver resolver, Choice choice, RedirectorSettings settings, InstantSource clock) {
        this.resolver = resolver;
        this.choice = choice;
        this.settings = settings;
        this.clock = clock;
        this.targets = new Targets(settings.schemes());
        this.view = new ValueView(targets);
        for (RedirectorCount each : RedirectorCount.values()) {
            counts.put(each, new LongAdder());
        }
    }

    /** How often something happened. */
    public long count(RedirectorCount of) {
        LongAdder counter = counts.get(of);
        return counter == null ? 0 : counter.sum();
    }

    private void counted(RedirectorCount of) {
        LongAdder counter = counts.get(of);
        if (counter != null) {
            counter.increment();
        }
    }

    @Override
    public HttpResponse answer(HttpRequest request) {
        Pages pages = settings.pages(request.header("host"));
        HttpResponse response;
        try {
            response = answer(request, pages);
        } catch (Malformed e) {
            counted(RedirectorCount.REFUSED);
            response = pages.errorPage(400, "Not a handle", "", e.reason() + ".");
        } catch (IOException e) {
            counted(RedirectorCount.FAILED);
            LOG.log(System.Logger.Level.WARNING, "a page could not be made: {0}", e.toString());
            response = pages.errorPage(500, "Not possible now", "", "The server cannot read its records now.");
        }
        for (Map.Entry<String, String> each : settings.headers().entrySet()) {
            response = response.with(each.getKey(), each.getValue());
        }
        return response;
    }

    private HttpResponse answer(HttpRequest request, Pages pages) throws Malformed, IOException {
        boolean post = request.method().equals("POST");
        if (!post && !request.method().equals("GET") && !request.method().equals("HEAD")) {
            counted(RedirectorCount.REFUSED);
            return pages.errorPage(405, "Not for browsers", "", "Pages are got with GET, HEAD or POST.")
                    .with("Allow", "GET, HEAD, POST");
        }
        String path = path(request);
        return switch (path) {
            case "/robots.txt" -> HttpResponse.of(200, "text/plain; charset=UTF-8", settings.robots());
            case "/favicon.ico" -> settings.icon()
                    .map(each -> HttpResponse.of(200, "image/x-icon", each))
                    .orElseGet(() -> HttpResponse.of(200, "image/svg+xml", Pages.ICON))
                    .with("Cache-Control", "max-age=86400");
            default -> page(request, pages, path, Form.read(post ? body(request) : request.query()));
        };
    }

    /** The path; a target may also be a whole URL (RFC 9112 section 3.2.2). */
    private static String path(HttpRequest request) throws Malformed {
        String path = request.path();
        if (!path.startsWith("/")) {
            int host = path.indexOf("://");
            int slash = host < 0 ? -1 : path.indexOf('/', host + 3);
            path = slash < 0 ? "/" : path.substring(slash);
        }
        return Form.decoded(path);
    }

    private static String body(HttpRequest request) throws Malformed {
        if (request.body().length > Form.BYTES_MAX) {
            throw new Malformed("a form has at most " + Form.BYTES_MAX + " bytes", 0);
        }
        return new String(request.body(), StandardCharsets.UTF_8);
    }

    private HttpResponse page(HttpRequest request, Pages pages, String path, Form form)
            throws Malformed, IOException {
        String typed = path.equals("/") ? form.first("hdl").map(Redirector::typed).orElse("") : path.substring(1);
        if (typed.isEmpty()) {
            return pages.queryPage();
        }
        Visit visit = new Visit(Handle.parse(typed), request, pages, form);
        Outcome outcome = resolver.resolve(
                new Question(visit.handle, List.of(), List.of(), true, false, true, 0), Caller.ANONYMOUS);
        return switch (outcome.code()) {
            case SUCCESS -> found(visit, outcome.values());
            case HANDLE_NOT_FOUND -> {
                counted(RedirectorCount.NOT_FOUND);
                yield visit.error(404, "Not found", "There is no such handle.");
            }
            case VALUES_NOT_FOUND -> {
                counted(RedirectorCount.NOT_FOUND);
                yield visit.error(404, "Not found", "The handle exists, but has no values that everybody may read.");
            }
            case NOT_RESPONSIBLE, SERVICE_REFERRAL, PREFIX_REFERRAL -> {
                counted(RedirectorCount.ELSEWHERE);
                yield visit.error(404, "Not here", "This server is not responsible for the prefix of this handle.");
            }
            case BUSY, READ_ONLY -> {
                counted(RedirectorCount.FAILED);
                yield visit.error(503, "Not possible now", "The server is too busy.").with("Retry-After", "5");
            }
            default -> {
                counted(RedirectorCount.FAILED);
                yield visit.error(500, "Not possible now", "The server says: " + outcome.code().text() + ".");
            }
        };
    }

    /** A handle as people paste it: with {@code hdl:} before it. */
    private static String typed(String text) {
        String bare = text.strip();
        return bare.regionMatches(true, 0, "hdl:", 0, 4) ? bare.substring(4) : bare;
    }

    private HttpResponse found(Visit visit, List<HandleValue> all) throws IOException {
        Optional<HandleValue> alias = first(all, ValueType.HS_ALIAS);
        if (alias.isPresent() && !visit.form.says("ignore_aliases")) {
            Optional<HttpResponse> there = alias(visit, alias.get());
            if (there.isPresent()) {
                return there.get();
            }
        }
        List<HandleValue> values = all.stream().filter(visit::wants).toList();
        if (values.isEmpty()) {
            counted(RedirectorCount.NOT_FOUND);
            return visit.error(404, "Not found", "The handle exists, but has no such values.");
        }
        Optional<Destinations> destinations = destinations(visit, values);
        String action = visit.form.first("action").orElse("");
        if (action.equals("showlocs") && destinations.isPresent()) {
            counted(RedirectorCount.VALUES_SHOWN);
            return visit.pages.valuesPage("Locations", visit.handle.toString(), table(destinations.get().locations));
        }
        boolean shows = visit.form.says("noredirect") || action.equals("showvalues") || action.equals("showlocs");
        if (!shows && destinations.isPresent()) {
            Optional<HttpResponse> there = redirection(visit, destinations.get());
            if (there.isPresent()) {
                return there.get();
            }
        }
        counted(RedirectorCount.VALUES_SHOWN);
        return visit.pages.valuesPage("Values", visit.handle.toString(), view.table(values));
    }

    private static Optional<HandleValue> first(List<HandleValue> values, ValueType type) {
        return values.stream().filter(each -> each.is(type)).findFirst();
    }

    private Optional<HttpResponse> alias(Visit visit, HandleValue alias) {
        Handle other;
        try {
            ValueType.HS_ALIAS.check(alias.data());
            other = Handle.parse(new String(alias.data(), StandardCharsets.UTF_8));
        } catch (Malformed e) {
            return Optional.empty();
        }
        if (other.equalsFolded(visit.handle)) {
            return Optional.empty();
        }
        counted(RedirectorCount.ALIASES);
        String query = visit.query();
        String location = Targets.path(other) + (query.isEmpty() ? "" : "?" + query);
        return Optional.of(new HttpResponse(301, List.of(), new HttpResponse.Bytes(new byte[0]))
                .with("Location", location)
                .with("Expires", expires(alias.ttl())));
    }

    /** Where a handle leads, and how long that may be kept. */
    private record Destinations(Locations locations, Ttl ttl, boolean differs) {}

    private Optional<Destinations> destinations(Visit visit, List<HandleValue> values) throws IOException {
        Optional<HandleValue> list = first(values, ValueType.LOCATIONS);
        if (list.isPresent()) {
            try {
                Locations locations = Locations.read(list.get().data());
                if (!locations.locations().isEmpty()) {
                    return Optional.of(new Destinations(locations, list.get().ttl(), true));
                }
            } catch (Malformed e) {
                counted(RedirectorCount.MALFORMED_LOCATIONS);
            }
        }
        Optional<HandleValue> url = first(values, ValueType.URL);
        if (url.isPresent()) {
            Location one = Location.of(new String(url.get().data(), StandardCharsets.UTF_8));
            return Optional.of(new Destinations(new Locations(Step.USUAL, List.of(one)), url.get().ttl(), false));
        }
        return visit.narrowed() ? Optional.empty() : ofNamespace(visit.handle);
    }

    /** The locations that a prefix has for all its handles, with their place in {@code href_template}. */
    private Optional<Destinations> ofNamespace(Handle handle) throws IOException {
        if (handle.isPrefixHandle()) {
            return Optional.empty();
        }
        Outcome outcome = resolver.resolve(
                new Question(
                        handle.prefixHandle(), List.of(), List.of(ValueType.HS_NAMESPACE.typeName()), true, true, false, 0),
                Caller.ANONYMOUS);
        if (!outcome.success() || outcome.values().isEmpty()) {
            return Optional.empty();
        }
        HandleValue namespace = outcome.values().getFirst();
        try {
            String name = Targets.path(handle).substring(1);
            return Element.read(namespace.data())
                    .children("locations")
                    .map(each -> Locations.of(each, name))
                    .filter(each -> !each.locations().isEmpty())
                    .map(each -> new Destinations(each, namespace.ttl(), true))
                    .findFirst();
        } catch (Malformed e) {
            counted(RedirectorCount.MALFORMED_LOCATIONS);
            return Optional.empty();
        }
    }

    private Optional<HttpResponse> redirection(Visit visit, Destinations destinations) {
        Optional<Location> chosen = choice.choose(destinations.locations, visit.visitor());
        Optional<String> url = chosen.flatMap(each -> targets.safe(each.href()));
        if (chosen.isPresent() && url.isEmpty()) {
            counted(RedirectorCount.UNSAFE_URLS);
        }
        if (chosen.isEmpty() || url.isEmpty()) {
            return Optional.empty();
        }
        counted(RedirectorCount.REDIRECTED);
        String target = visit.form.first("urlappend").map(more -> Targets.appended(url.get(), more)).orElse(url.get());
        int status = chosen.get()
                .attribute("http_sc")
                .filter(REDIRECTIONS::contains)
                .map(Integer::parseInt)
                .orElse(302);
        String body = "<!DOCTYPE html><title>Redirection</title>" + Html.link(target, target) + "\n";
        HttpResponse response = HttpResponse.of(status, HTML, body)
                .with("Location", target)
                .with("Expires", expires(destinations.ttl))
                .with("Content-Security-Policy", "default-src 'none'");
        // One visitor's location is not another's.
        return Optional.of(destinations.differs ? response.with("Cache-Control", "private") : response);
    }

    private String expires(Ttl ttl) {
        Instant until = switch (ttl) {
            case Ttl.Relative(long seconds) -> clock.instant().plusSeconds(seconds);
            case Ttl.Until(long seconds) -> Instant.ofEpochSecond(seconds);
        };
        return DATE.format(until);
    }

    private String table(Locations locations) {
        StringBuilder out = new StringBuilder("<table><thead><tr><th>Location</th><th>Attributes</th></tr></thead><tbody>\n");
        for (Location each : locations.locations()) {
            String shown = targets.safe(each.href())
                    .map(url -> Html.link(url, each.href()))
                    .orElseGet(() -> Html.escape(each.href()));
            String attributes = each.attributes().entrySet().stream()
                    .filter(attribute -> !attribute.getKey().equals("href"))
                    .map(attribute -> attribute.getKey() + " " + attribute.getValue())
                    .collect(Collectors.joining(", "));
            out.append("<tr><td class=\"d\">").append(shown).append("</td><td>");
            out.append(Html.escape(attributes)).append("</td></tr>\n");
        }
        out.append("</tbody></table><p>&ensp;Chosen by ");
        out.append(locations.steps().stream().map(Step::stepName).collect(Collectors.joining(", ")));
        return out.append(".</p>\n").toString();
    }

    /** One request for a handle. */
    private static final class Visit {
        private final Handle handle;
        private final HttpRequest request;
        private final Pages pages;
        private final Form form;
        private final List<String> types;
        private final Set<String> indexes;

        Visit(Handle handle, HttpRequest request, Pages pages, Form form) {
            this.handle = handle;
            this.request = request;
            this.pages = pages;
            this.form = form;
            this.types = form.all("type");
            this.indexes = Set.copyOf(form.all("index"));
        }

        boolean narrowed() {
            return !types.isEmpty() || !indexes.isEmpty();
        }

        boolean wants(HandleValue value) {
            return !narrowed()
                    || indexes.contains(Integer.toUnsignedString(value.index()))
                    || types.stream().anyMatch(each -> ValueType.matches(each, value.type()));
        }

        /** The parameters for the next request, as they came; what was sent as a form has none. */
        String query() {
            String query = request.query();
            return request.method().equals("POST") || query.isEmpty() || !isPlain(query) ? "" : query;
        }

        private static boolean isPlain(String query) {
            return query.chars().allMatch(each -> each > ' ' && each < 0x7f && each != '"' && each != '<' && each != '>');
        }

        Visitor visitor() {
            return new Visitor(
                    request.peer().getAddress(),
                    form.all("locatt").stream().map(Visitor.Wanted::parse).toList());
        }

        HttpResponse error(int status, String title, String message) {
            return pages.errorPage(status, title, handle.toString(), message);
        }
    }
}
