package io.guidepost.alto.service;

import io.guidepost.alto.AltoResource;
import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.ResourceContent;
import io.guidepost.alto.StreamedContent;
import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoIdentifiers;
import io.guidepost.alto.protocol.AltoLimits;
import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.base.Address;
import io.guidepost.web.HttpHandler;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * ALTO as one HTTP service: it resolves the path to a resource, checks the request against it (RFC 7285 section 8.3)
 * and caches renderings. Thread-safe.
 *
 * <p>{@code HEAD} is answered as {@code GET}; the HTTP server leaves the body out. A GET resource is rendered once per
 * version. The set of resources is fixed when the service is created: a reload that changes the set creates another
 * service.
 */
public final class AltoDispatcher implements HttpHandler {
    /** Path of the directory. */
    public static final String DIRECTORY_PATH = "/directory";

    private static final String ANY = "*/*";
    private static final int METHOD_NOT_ALLOWED = 405;

    private final Supplier<AltoSnapshot> information;
    private final Map<String, AltoResource> resources = new LinkedHashMap<>();
    private final Map<String, AltoRoute> routes = new LinkedHashMap<>();
    private final Map<String, RenderingCache> rendered = new ConcurrentHashMap<>();
    private final ResourceDirectory directory;

    /**
     * Creates the service.
     *
     * @param information supplies the version in force
     * @param resources in the order of the directory
     * @param routes services with a path of their own, listed in the directory too
     * @throws IllegalArgumentException if an id is not valid, or comes twice
     */
    public AltoDispatcher(Supplier<AltoSnapshot> information, List<? extends AltoResource> resources, List<AltoRoute> routes) {
        this.information = information;
        for (AltoResource each : resources) {
            add(this.resources, each.id(), each);
        }
        for (AltoRoute each : routes) {
            add(this.routes, each.entry().id(), each);
        }
        this.directory = new ResourceDirectory(this.resources.values(), this.routes.values());
    }

    private <T> void add(Map<String, T> to, String id, T what) {
        boolean taken = resources.containsKey(id) || routes.containsKey(id) || id.equals(DIRECTORY_PATH.substring(1));
        if (!AltoIdentifiers.isName(id) || taken) {
            throw new IllegalArgumentException("'" + id + "' is no id of a resource, or comes twice");
        }
        to.put(id, what);
    }

    @Override
    public HttpResponse answer(HttpRequest request) {
        HttpResponse answer = request.target().equals("*") ? unlike("GET, HEAD, POST, DELETE", "") : dispatch(request);
        return request.method().equals("OPTIONS") && answer.status() == METHOD_NOT_ALLOWED ? options(answer) : answer;
    }

    /** Returns the answer to OPTIONS (RFC 9110 section 9.3.7): the methods that would have been right. */
    private static HttpResponse options(HttpResponse unlike) {
        List<Map.Entry<String, String>> allow =
                unlike.headers().stream().filter(each -> each.getKey().equals("Allow")).toList();
        return new HttpResponse(204, allow, HttpResponse.empty(204).body());
    }

    private HttpResponse dispatch(HttpRequest request) {
        String path = request.path();
        if (path.equals("/") || path.equals(DIRECTORY_PATH)) {
            return directory(request);
        }
        int end = path.indexOf('/', 1);
        String id = path.substring(Math.min(1, path.length()), end < 0 ? path.length() : end);
        AltoRoute route = routes.get(id);
        if (route != null) {
            return route.service().answer(request);
        }
        AltoResource resource = end < 0 ? resources.get(id) : null;
        return resource == null
                ? fault(404, "there is no such resource: " + DIRECTORY_PATH + " lists the existing ones")
                : answer(resource, request);
    }

    /**
     * Returns the response to a common POST if it takes microseconds; null if it may take longer, or the request has a
     * fault.
     */
    @Override
    public @Nullable HttpResponse atOnce(HttpRequest request) {
        AltoResource resource = request.method().equals("POST") ? resources.get(id(request)) : null;
        if (resource == null
                || !brings(request, resource.accepts().orElse(""))
                || !accepts(request, resource.mediaType())) {
            return null;
        }
        return resource.atOnce(information.get(), request.body(), Address.of(request.peer().getAddress()))
                .map(each -> sent(each, request))
                .orElse(null);
    }

    private static String id(HttpRequest request) {
        String path = request.path();
        return path.substring(Math.min(1, path.length()));
    }

    private HttpResponse directory(HttpRequest request) {
        if (!request.isGet()) {
            return unlike("GET, HEAD", "the directory is fetched by GET");
        }
        if (!accepts(request, AltoMediaType.DIRECTORY)) {
            return fault(406, "the directory is " + AltoMediaType.DIRECTORY + ", which the request does not accept");
        }
        return sent(directory.content(information.get(), base(request)), request);
    }

    private HttpResponse answer(AltoResource resource, HttpRequest request) {
        Optional<String> input = resource.accepts();
        if (input.isEmpty() != request.isGet() || input.isPresent() && !request.method().equals("POST")) {
            String allowed = input.isPresent() ? "POST" : "GET, HEAD";
            return unlike(allowed, "this resource accepts " + allowed);
        }
        if (input.isPresent() && !brings(request, input.get())) {
            return fault(415, "the request body of this resource is " + input.get());
        }
        if (!accepts(request, resource.mediaType())) {
            return fault(406, "this resource is " + resource.mediaType() + ", which the request does not accept");
        }
        if (request.body().length > AltoLimits.REQUEST_BYTES_MAX) {
            return fault(413, "a request body has at most " + AltoLimits.REQUEST_BYTES_MAX + " bytes");
        }
        try {
            AltoSnapshot now = information.get();
            Optional<StreamedContent> streamed = input.isPresent() ? Optional.empty() : resource.streamed(now);
            if (streamed.isPresent()) {
                return sent(streamed.get(), request);
            }
            Address caller = Address.of(request.peer().getAddress());
            return input.isPresent()
                    ? sent(resource.content(now, request.body(), caller), request)
                    : sent(get(resource, now, caller), request);
        } catch (AltoError e) {
            return refused(e);
        }
    }

    private RenderingCache get(AltoResource resource, AltoSnapshot now, Address caller) throws AltoError {
        RenderingCache held = rendered.get(resource.id());
        if (held != null && held.isOf(now)) {
            return held;
        }
        AltoError[] fault = new AltoError[1];
        RenderingCache next = rendered.compute(resource.id(), (_, last) -> {
            if (last != null && last.isOf(now)) {
                return last;
            }
            try {
                return new RenderingCache(now, resource.content(now, new byte[0], caller));
            } catch (AltoError e) {
                fault[0] = e;
                return null;
            }
        });
        if (next == null) {
            throw fault[0];
        }
        return next;
    }

    /** Sends the plain or compressed form; the tag is the same, as it identifies the content and not its bytes. */
    private static HttpResponse sent(RenderingCache rendered, HttpRequest request) {
        HttpResponse whole = sent(rendered.content(), request);
        if (!rendered.isLong() || whole.status() != 200) {
            return whole;
        }
        HttpResponse either = whole.with("Vary", "Accept-Encoding");
        return request.acceptsGzip()
                ? new HttpResponse(either.status(), either.headers(), new HttpResponse.Bytes(rendered.zipped()))
                        .with("Content-Encoding", "gzip")
                : either;
    }

    private static HttpResponse sent(StreamedContent streamed, HttpRequest request) {
        HttpResponse whole = new HttpResponse(
                200, List.of(Map.entry("Content-Type", streamed.mediaType())), new HttpResponse.Stream(streamed.writing()));
        return tagged(streamed.tag(), whole, request);
    }

    private static HttpResponse sent(ResourceContent content, HttpRequest request) {
        HttpResponse whole = HttpResponse.of(200, content.mediaType(), content.body());
        return content.tag().isEmpty() ? whole : tagged(content.tag(), whole, request);
    }

    private static HttpResponse tagged(String content, HttpResponse whole, HttpRequest request) {
        String tag = '"' + content + '"';
        return (request.has(tag) ? HttpResponse.empty(304) : whole).with("ETag", tag);
    }

    /**
     * Returns whether the Accept header allows a type; without the header every type is allowed (RFC 9110 section
     * 12.5.1).
     */
    public static boolean accepts(HttpRequest request, String type) {
        List<String> lines = request.headers().getOrDefault("accept", List.of());
        if (lines.isEmpty()) {
            return true;
        }
        String family = type.substring(0, type.indexOf('/')) + "/*";
        String whole = bare(type);
        for (String each : String.join(",", lines).split(",", -1)) {
            String range = bare(each);
            boolean fits = range.equals(whole) || range.equals(family) || range.equals(ANY);
            if (fits && !each.replace(" ", "").matches("(?i).*;q=0(\\.0*)?(;.*)?")) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the Content-Type of a request is a type. */
    public static boolean brings(HttpRequest request, String type) {
        return type.equals(request.mediaType());
    }

    /** Returns a media type without its parameters. */
    private static String bare(String type) {
        int mark = type.indexOf(';');
        return (mark < 0 ? type : type.substring(0, mark)).strip().toLowerCase(Locale.ROOT);
    }

    /** Returns the prefix of URIs: the Host header if it is valid; otherwise URIs are relative. */
    public static String base(HttpRequest request) {
        String host = request.header("host").orElse("");
        return host.matches("[A-Za-z0-9._-]{1,253}(:\\d{1,5})?|\\[[0-9A-Fa-f:.]{2,45}\\](:\\d{1,5})?")
                ? (request.secure() ? "https://" : "http://") + host
                : "";
    }

    /** Returns the response to another method than those. */
    public static HttpResponse unlike(String methods, String message) {
        return fault(METHOD_NOT_ALLOWED, message).with("Allow", methods + ", OPTIONS");
    }

    /** Returns an HTTP error response; it has a body because existing clients fail without one. */
    public static HttpResponse fault(int status, String message) {
        return HttpResponse.of(status, AltoMediaType.ERROR, AltoError.syntax(message).body());
    }

    /** Returns the error response that RFC 7285 prescribes. */
    public static HttpResponse refused(AltoError error) {
        return HttpResponse.of(400, AltoMediaType.ERROR, error.body());
    }
}
