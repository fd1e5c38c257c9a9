package io.guidepost.naming;

import io.guidepost.base.Malformed;
import io.guidepost.names.Locator;
import io.guidepost.names.NameForm;
import io.guidepost.web.DeferredReply;
import io.guidepost.web.FormUrlEncoded;
import io.guidepost.web.HttpHandler;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonWriter;
import io.guidepost.web.RequestParameters;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names over HTTP as {@code openapi.json} describes them: a function of requests and the store. Thread-safe; waits for the disk.
 */
public final class NamesApi implements HttpHandler {
    private static final String NAMES = "/v1/names";
    private static final String BATCH = "/v1/names:batch";
    private static final String LEASES = "/v1/leases/";
    private static final String DOCUMENT = "/v1/openapi.json";
    private static final String RENEW = ":renew";
    private static final String JSON = "application/json";
    private static final Set<String> LEASE = Set.of("lease");
    private static final Set<String> CHANGES = Set.of("PUT", "PATCH", "DELETE");

    private final NameDirectory names;
    private final NameRecords records;
    private final byte[] document;

    /** Creates the API of a service. */
    public NamesApi(NameDirectory names) {
        this.names = names;
        this.records = names.records();
        this.document = document();
    }

    /** Returns the OpenAPI document. */
    public static byte[] document() {
        try (InputStream in = NamesApi.class.getResourceAsStream("openapi.json")) {
            if (in == null) {
                throw new IllegalStateException("the module has no openapi.json");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Returns whether a request is for a stream of events. */
    public static boolean watches(HttpRequest request) {
        return request.method().equals("GET") && request.path().equals(NAMES) && request.query().contains("watch=1");
    }

    /** Returns the answer of a server that has too much to do. */
    public static HttpResponse busy(String detail) {
        return new Problem(Problem.Kind.UNAVAILABLE, detail).response();
    }

    /** Returns the answer to a request that failed here. */
    public static HttpResponse failed() {
        return new Problem(Problem.Kind.SERVER_FAILED, "the server failed: its log says why").response();
    }

    /** Answers what the index alone can: a plain GET of a name, in some microseconds. */
    @Override
    public @Nullable HttpResponse atOnce(HttpRequest request) {
        String target = request.target();
        if (!request.method().equals("GET") || !target.startsWith(NAMES + "/") || target.indexOf('?') >= 0) {
            return null;
        }
        try {
            NameForm name = form(target.substring(NAMES.length() + 1));
            names.access().checkRead(request);
            Optional<NamedRecord> found = records.indexed(name);
            if (found.isEmpty()) {
                return null;
            }
            Optional<InetAddress> near = names.nearestTo(request.peer().getAddress());
            NamedRecord ordered = near.isPresent() ? records.ordered(found.get(), near.get()) : found.get();
            return names.access().readable(request, found(request, ordered));
        } catch (Problem | IOException e) {
            // Said by answer().
            return null;
        }
    }

    /** Begins a change of one name if no other server is asked and the body is short: the committer makes it, and no thread waits. */
    @Override
    public boolean begin(HttpRequest request, DeferredReply reply) {
        String path = request.path();
        if (!CHANGES.contains(request.method()) || !path.startsWith(NAMES + "/")
                || request.body().length > NamingLimits.LOOP_BODY_BYTES_MAX || names.isShared() || names.isOnAFleet()) {
            return false;
        }
        Change change;
        try {
            change = change(request, form(path.substring(NAMES.length() + 1)), RequestParameters.of(request));
        } catch (Problem | Malformed e) {
            reply.ready(() -> answered(request, () -> {
                throw e;
            }));
            reply.wake().run();
            return true;
        }
        boolean taken = records.submit(new NameWrite(change.name, change.edit, new NameWrite.Told() {
            @Override
            public void done(NameWrite write) {
                reply.ready(() -> answered(request, () -> changed(change, write::result)));
            }

            @Override
            public Runnable afterwards() {
                return reply.wake();
            }
        }));
        if (!taken) {
            forget(change);
        }
        return taken;
    }

    @Override
    public HttpResponse answer(HttpRequest request) {
        return answered(request, () -> routed(request));
    }

    private interface Answering {
        HttpResponse answer() throws Problem, Malformed, IOException, InterruptedException;
    }

    private HttpResponse answered(HttpRequest request, Answering answering) {
        return names.access().readable(request, orProblem(answering));
    }

    private static HttpResponse orProblem(Answering answering) {
        try {
            return answering.answer();
        } catch (Problem e) {
            return e.response();
        } catch (Malformed e) {
            return new Problem(Problem.Kind.MALFORMED_REQUEST, e.reason()).response();
        } catch (IOException e) {
            return new Problem(Problem.Kind.UNAVAILABLE, e.getMessage() == null ? "the disk cannot be read" : e.getMessage()).response();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Problem(Problem.Kind.UNAVAILABLE, "the server ends").response();
        }
    }

    private HttpResponse routed(HttpRequest request) throws Problem, Malformed, IOException, InterruptedException {
        String path = request.path();
        if (path.startsWith(NAMES + "/")) {
            return name(request, form(path.substring(NAMES.length() + 1)));
        }
        if (path.equals(NAMES)) {
            return allowed(request, "GET, HEAD") ? list(request) : options(request, "GET, HEAD");
        }
        if (path.equals(BATCH)) {
            return allowed(request, "POST") ? batch(request) : options(request, "POST");
        }
        if (path.startsWith(LEASES)) {
            return lease(request, path.substring(LEASES.length()));
        }
        if (path.equals(DOCUMENT)) {
            return allowed(request, "GET, HEAD") ? HttpResponse.of(200, JSON, document) : options(request, "GET, HEAD");
        }
        throw new Problem(Problem.Kind.NO_SUCH_RESOURCE, "there is no " + path + ": " + DOCUMENT + " lists what there is");
    }

    private static boolean allowed(HttpRequest request, String methods) {
        return List.of(methods.split(", ", -1)).contains(request.method());
    }

    /** Answers OPTIONS, and refuses other methods. */
    private static HttpResponse options(HttpRequest request, String methods) {
        return request.method().equals("OPTIONS")
                ? HttpResponse.empty(204).with("Allow", methods)
                : new Problem(Problem.Kind.METHOD_NOT_ALLOWED, request.path() + " takes " + methods).response().with("Allow", methods);
    }

    private static NameForm form(String encoded) throws Problem {
        try {
            return NameForm.parse(FormUrlEncoded.decode(encoded));
        } catch (Malformed e) {
            throw new Problem(Problem.Kind.MALFORMED_NAME, e.reason());
        }
    }

    private HttpResponse name(HttpRequest request, NameForm name) throws Problem, Malformed, IOException, InterruptedException {
        RequestParameters parameters = RequestParameters.of(request);
        if (request.isGet()) {
            return get(request, name, parameters);
        }
        if (!CHANGES.contains(request.method())) {
            return options(request, "GET, HEAD, PUT, PATCH, DELETE");
        }
        Change change = change(request, name, parameters);
        return changed(change, () -> names.write(name, change.edit));
    }

    /**
     * A change that a request asks for, and may ask for.
     *
     * @param removes whether it is a DELETE
     */
    private record Change(NameForm name, NameEdit edit, boolean removes) {}

    private Change change(HttpRequest request, NameForm name, RequestParameters parameters) throws Problem, Malformed {
        boolean removes = request.method().equals("DELETE");
        known(parameters, removes ? Set.of() : LEASE);
        names.access().checkWrite(request, name);
        if (removes) {
            return new Change(name, new NameEdit(true, Set.of(), PlaceReader.NONE, ifMatch(request), false, null), true);
        }
        json(request);
        NameEdit edit = request.method().equals("PUT")
                ? new NameEdit(
                        true,
                        Set.of(),
                        body(() -> BatchReader.put(request.body(), name, records.nowMillis())),
                        ifMatch(request),
                        ifAbsent(request),
                        null)
                : body(() -> BatchReader.patch(request.body(), ifMatch(request), ifAbsent(request), records.nowMillis()));
        String lease = parameters.first("lease");
        return new Change(name, lease == null ? edit : edit.heldBy(names.leases().of(lease)), false);
    }

    private static void known(RequestParameters parameters, Set<String> names) throws Problem {
        for (String each : parameters.names()) {
            if (!each.isEmpty() && !names.contains(each)) {
                throw new Problem(Problem.Kind.MALFORMED_REQUEST, "there is no parameter '" + each + "' here"
                        + (names.isEmpty() ? "" : ": there are " + String.join(", ", new java.util.TreeSet<>(names))));
            }
        }
        for (String each : names) {
            if (parameters.first(each, "").length() > NamingLimits.PARAMETER_CHARS_MAX) {
                throw new Problem(Problem.Kind.TOO_LARGE, each + " has at most " + NamingLimits.PARAMETER_CHARS_MAX + " characters");
            }
        }
    }

    private static void json(HttpRequest request) throws Problem {
        if (!request.mediaType().equals(JSON)) {
            throw new Problem(Problem.Kind.UNSUPPORTED_MEDIA_TYPE, "the body is " + JSON);
        }
        if (request.body().length > NamingLimits.BODY_BYTES_MAX) {
            String bound = "a body has at most " + NamingLimits.BODY_BYTES_MAX + " bytes, not ";
            throw new Problem(Problem.Kind.TOO_LARGE, bound + request.body().length);
        }
    }

    private interface Reading<T> {
        T read() throws Malformed, Problem;
    }

    private static <T> T body(Reading<T> reading) throws Problem {
        try {
            return reading.read();
        } catch (Malformed e) {
            throw new Problem(Problem.Kind.MALFORMED_JSON, e.reason());
        }
    }

    private static Optional<String> ifMatch(HttpRequest request) throws Problem {
        Optional<String> header = request.header("if-match").map(String::strip);
        if (header.isEmpty() || header.get().equals("*")) {
            return header;
        }
        String tag = header.get();
        if (tag.length() < 3 || !tag.startsWith("\"") || !tag.endsWith("\"") || tag.indexOf('"', 1) != tag.length() - 1) {
            throw new Problem(Problem.Kind.MALFORMED_REQUEST, "If-Match is one version in double quotes, or *");
        }
        return Optional.of(tag.substring(1, tag.length() - 1));
    }

    private static boolean ifAbsent(HttpRequest request) throws Problem {
        Optional<String> header = request.header("if-none-match").map(String::strip);
        if (header.isPresent() && !header.get().equals("*")) {
            throw new Problem(Problem.Kind.MALFORMED_REQUEST, "If-None-Match of a change is *");
        }
        return header.isPresent();
    }

    private static Problem nowhere(NameForm name) {
        return new Problem(Problem.Kind.NO_SUCH_NAME, name + " has no places");
    }

    private HttpResponse get(HttpRequest request, NameForm name, RequestParameters parameters) throws Problem, IOException {
        known(parameters, Set.of("recursive", "nearest"));
        names.access().checkRead(request);
        NamedRecord found = read(name, parameters.flag("recursive", false), parameters.first("nearest"), request.peer().getAddress());
        return found(request, found);
    }

    private static HttpResponse found(HttpRequest request, NamedRecord found) {
        return request.has(found.tag())
                ? new HttpResponse(304, List.of(Map.entry("ETag", found.tag())), new HttpResponse.Bytes(new byte[0]))
                : response(200, found, null);
    }

    private NamedRecord read(NameForm name, boolean recursive, @Nullable String nearest, InetAddress client) throws Problem, IOException {
        Optional<InetAddress> near = nearest == null ? names.nearestTo(client) : Optional.of(NameRecords.near(nearest));
        NamedRecord found = (recursive ? records.resolve(name) : records.get(name)).orElseThrow(() -> nowhere(name));
        return near.isPresent() ? records.ordered(found, near.get()) : found;
    }

    private static HttpResponse response(int status, NamedRecord record, @Nullable Map<String, Object> lease) {
        return new HttpResponse(
                status,
                List.of(Map.entry("Content-Type", JSON), Map.entry("ETag", record.tag())),
                new HttpResponse.Bytes(JsonWriter.bytes(out -> record.writeTo(out, lease))));
    }

    private interface Writing {
        WriteResult result() throws Problem, InterruptedException, IOException;
    }

    private HttpResponse changed(Change change, Writing writing) throws Problem, InterruptedException, IOException {
        WriteResult write;
        try {
            write = writing.result();
        } catch (Problem e) {
            forget(change);
            throw e;
        }
        if (change.removes && !write.existed()) {
            throw nowhere(change.name);
        }
        NamedRecord record = write.record();
        if (record.places().isEmpty()) {
            return HttpResponse.empty(204);
        }
        Lease lease = change.edit.lease();
        return response(write.existed() ? 200 : 201, record, lease == null ? null : lease.json(lease.names().size()));
    }

    /** Forgets a lease that was given for a change which is not made. */
    private void forget(Change change) {
        Lease lease = change.edit.lease();
        if (lease != null) {
            names.ownLeases().forget(lease);
        }
    }

    private HttpResponse list(HttpRequest request) throws Problem, Malformed, IOException, InterruptedException {
        RequestParameters parameters = RequestParameters.of(request);
        known(parameters, Set.of("prefix", "limit", "after", "watch", "since"));
        names.access().checkRead(request);
        String prefix = Normalizer.normalize(parameters.first("prefix", ""), Normalizer.Form.NFC);
        if (parameters.first("watch", "0").equals("1")) {
            names.checkWatch();
            String since = request.header("last-event-id").filter(each -> !each.isEmpty()).orElse(parameters.first("since", ""));
            Optional<Position> position = since.isEmpty() ? Optional.empty() : Optional.of(Position.parse(since));
            return watch(names.watch(prefix, position, NamingLimits.SILENCE_MAX));
        }
        int limit = (int) parameters.integer("limit", 1, NamingLimits.PAGE_MAX, NamingLimits.PAGE_STANDARD);
        @Nullable String position = names.isOnAFleet() ? null : names.history().position().toString();
        List<Object> found = new ArrayList<>();
        String last = "";
        boolean more = true;
        for (String after = parameters.first("after", ""); more && found.size() < limit; after = last) {
            List<String> texts = new ArrayList<>();
            int wanted = limit - found.size();
            NameIndex.texts(records.store(), prefix, after, text -> texts.add(text) && texts.size() < wanted);
            for (String each : texts) {
                records.get(NameForm.parse(each)).ifPresent(found::add);
                last = each;
            }
            more = texts.size() == wanted;
        }
        return HttpResponse.of(200, JSON, JsonWriter.bytes((Object) JsonWriter.object(
                "names", found, "next", more ? last : null, "position", position)));
    }

    private static HttpResponse watch(HttpResponse.Writing watch) {
        // Why no compression? Each stream would take hundreds of KiB for it.
        return new HttpResponse(
                200,
                List.of(
                        Map.entry("Content-Type", "text/event-stream"),
                        Map.entry("Cache-Control", "no-store"),
                        Map.entry("Content-Encoding", "identity")),
                new HttpResponse.Stream(watch));
    }

    private HttpResponse batch(HttpRequest request) throws Problem, IOException, InterruptedException {
        json(request);
        List<BatchReader.Operation> operations = body(() -> BatchReader.batch(request.body(), records.nowMillis()));
        List<Object> results = new NameBatch(names, request, (operation, client) ->
                read(operation.name(), operation.recursive(), operation.nearest(), client)).run(operations);
        return HttpResponse.of(200, JSON, JsonWriter.bytes((Object) JsonWriter.object("results", results)));
    }

    private HttpResponse lease(HttpRequest request, String rest) throws Problem, InterruptedException {
        if (rest.endsWith(RENEW)) {
            if (!request.method().equals("POST")) {
                return options(request, "POST");
            }
            names.access().checkWriter(request);
            Lease lease = names.leases().renew(rest.substring(0, rest.length() - RENEW.length()));
            return HttpResponse.of(200, JSON, JsonWriter.bytes((Object) lease.json(lease.names().size())));
        }
        if (!request.method().equals("DELETE")) {
            return options(request, "DELETE");
        }
        names.access().checkWriter(request);
        names.leases().end(rest);
        return HttpResponse.empty(204);
    }
}
