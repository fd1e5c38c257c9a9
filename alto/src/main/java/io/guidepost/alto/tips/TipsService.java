package io.guidepost.alto.tips;

import io.guidepost.alto.AltoResource;
import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.DirectoryEntry;
import io.guidepost.alto.ResourceContent;
import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoInput;
import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.alto.service.AltoDispatcher;
import io.guidepost.alto.service.AltoRoute;
import io.guidepost.alto.update.AltoSnapshotMonitor;
import io.guidepost.alto.update.JsonTrees;
import io.guidepost.alto.update.ResourceUpdate;
import io.guidepost.alto.update.UpdateContext;
import io.guidepost.alto.update.UpdateStreams;
import io.guidepost.base.Address;
import io.guidepost.base.SharedCounters;
import io.guidepost.web.HttpHandler;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The transport information publication service (TIPS, RFC 9569). A client opens a view of a resource and fetches its
 * versions and incremental updates, each by its own URI; it may request the next update before it exists (long
 * polling). Thread-safe.
 *
 * <pre>
 * POST   /id                      opens a view (section 6)
 * GET    /id/view/ug/from/to      what leads from one version to another; from 0: the version whole (section 7)
 * POST   /id/view/ug              where to go on (section 7.4)
 * DELETE /id/view                 closes a view, as drafts of the standard had it; else it expires
 * </pre>
 *
 * <p>For the HTTP server: the response to a request for the next update waits for it, see {@link #lasts}.
 */
public final class TipsService implements HttpHandler {
    /** A version number; anything longer exceeds all versions. */
    private static final String NUMBER = "[0-9]{1,18}";

    private final String id;
    private final UpdateContext context;
    private final AltoSnapshotMonitor live;
    private final long waitNanos;
    private final SharedCounters<TipsCount> counts = new SharedCounters<>(TipsCount.class);
    private final TipsViews views;
    private final Map<Address, Integer> waiting = new HashMap<>();
    private int waitingInAll;

    /** Creates the service; the id is that in the directory, and its path. */
    public TipsService(String id, UpdateContext context) {
        this(id, context, TipsLimits.WAIT_MAX);
    }

    TipsService(String id, UpdateContext context, Duration wait) {
        this.id = id;
        this.context = context;
        this.live = context.live();
        this.waitNanos = wait.toNanos();
        this.views = new TipsViews(context.clock(), counts);
    }

    /** Returns this service as an entry of the directory (section 5.4). */
    public AltoRoute route() {
        return new AltoRoute(
                new DirectoryEntry(
                        id,
                        AltoMediaType.TIPS,
                        Optional.of(AltoMediaType.TIPS_PARAMS),
                        context.renderings().ids(),
                        UpdateStreams.patches(context.renderings())),
                this);
    }

    /** Returns whether the response to a request may wait for the next version. */
    public boolean lasts(HttpRequest request) {
        return request.path().startsWith('/' + id + '/') && request.path().contains("/ug/");
    }

    @Override
    public HttpResponse answer(HttpRequest request) {
        String[] path = request.path().substring(1).split("/", -1);
        try {
            return switch (path.length) {
                case 1 -> posted(request) ? open(request) : unlike(request, "POST");
                case 2 -> request.method().equals("DELETE") ? close(path[1]) : unlike(request, "DELETE");
                case 3 -> !path[2].equals("ug")
                        ? absent()
                        : posted(request) ? goOn(path[1], request) : unlike(request, "POST");
                case 5 -> !path[2].equals("ug")
                        ? absent()
                        : request.isGet() ? step(path, request) : unlike(request, "GET, HEAD");
                default -> absent();
            };
        } catch (AltoError e) {
            counts.add(TipsCount.MALFORMED_REQUESTS);
            return AltoDispatcher.refused(e);
        }
    }

    private static boolean posted(HttpRequest request) {
        return request.method().equals("POST") && AltoDispatcher.brings(request, AltoMediaType.TIPS_PARAMS);
    }

    private static HttpResponse unlike(HttpRequest request, String methods) {
        return request.method().equals(methods)
                ? AltoDispatcher.fault(415, "the request body of this resource is " + AltoMediaType.TIPS_PARAMS)
                : AltoDispatcher.unlike(methods, "this URI accepts " + methods);
    }

    private static HttpResponse absent() {
        return AltoDispatcher.fault(404, "there is no such view, or it was closed");
    }

    private HttpResponse open(HttpRequest request) throws AltoError {
        if (!AltoDispatcher.accepts(request, AltoMediaType.TIPS)) {
            return AltoDispatcher.fault(406, "a view is " + AltoMediaType.TIPS);
        }
        AltoInput asked = AltoInput.read(request.body());
        String name = asked.text("resource-id");
        Optional<String> tag = asked.findText("tag");
        Optional<byte[]> input = JsonTrees.body(asked, "input");
        AltoResource resource = context.renderings()
                .find(name)
                .orElseThrow(() -> AltoError.value("resource-id", name, "no resource of this service"));
        Address caller = Address.of(request.peer().getAddress());
        // The resource itself reports an invalid or missing input.
        AltoSnapshot now = live.current();
        ResourceContent first = context.renderings().content(resource, now, input, caller);
        Optional<TipsView> view = views.open(
                context.ids().get(),
                resource,
                input,
                caller,
                () -> new UpdatesGraph(resource.id(), context.differences(), now.version(), first));
        if (view.isEmpty()) {
            counts.add(TipsCount.REFUSED_VIEWS);
            return AltoDispatcher.fault(429, "there are too many views").with("Retry-After", "60");
        }
        counts.add(TipsCount.VIEWS_OPENED);
        advance(view.get());
        String uri = AltoDispatcher.base(request) + '/' + id + '/' + view.get().id();
        UpdatesGraph.Summary summary = view.get().graph().summary(tag);
        return told(JsonWriter.object(
                "tips-view-uri", uri, "tips-view-summary", JsonWriter.object("updates-graph-summary", json(summary))));
    }

    private HttpResponse goOn(String name, HttpRequest request) throws AltoError {
        Optional<TipsView> view = views.use(name);
        if (view.isEmpty()) {
            return absent();
        }
        if (!AltoDispatcher.accepts(request, AltoMediaType.TIPS)) {
            return AltoDispatcher.fault(415, "the response is " + AltoMediaType.TIPS + ", which the request does not accept");
        }
        Optional<String> tag = AltoInput.read(request.body()).findText("tag");
        advance(view.get());
        UpdatesGraph.Summary summary = view.get().graph().summary(tag);
        return told(json(summary));
    }

    private static HttpResponse told(Map<String, Object> answer) {
        return HttpResponse.of(200, AltoMediaType.TIPS, JsonWriter.bytes(answer)).with("Cache-Control", "no-store");
    }

    private static Map<String, Object> json(UpdatesGraph.Summary summary) {
        return JsonWriter.object(
                "start-seq", summary.start(),
                "end-seq", summary.end(),
                "start-edge-rec", JsonWriter.object("seq-i", summary.from(), "seq-j", summary.to()));
    }

    private HttpResponse close(String name) {
        if (!views.close(name)) {
            return absent();
        }
        counts.add(TipsCount.VIEWS_CLOSED_CLIENT);
        live.published();
        return HttpResponse.empty(200);
    }

    /**
     * Adds the newest version to the graph on demand: the first request after a change computes the update, and the
     * others find it.
     */
    private void advance(TipsView view) throws AltoError {
        AltoSnapshot now = live.current();
        view.graph().advance(now.version(), context.renderings().content(view.resource(), now, view.input(), view.opener()));
    }

    private HttpResponse step(String[] path, HttpRequest request) throws AltoError {
        Optional<TipsView> found = views.use(path[1]);
        if (found.isEmpty() || !path[3].matches(NUMBER) || !path[4].matches(NUMBER)) {
            return absent();
        }
        TipsView view = found.get();
        long from = Long.parseLong(path[3]);
        long to = Long.parseLong(path[4]);
        advance(view);
        UpdatesGraph.Edge edge = view.graph().edge(from, to);
        if (edge == UpdatesGraph.Edge.Missing.NEXT) {
            return awaited(view, from, request);
        }
        return answer(edge, from, request);
    }

    private HttpResponse answer(UpdatesGraph.Edge edge, long from, HttpRequest request) {
        return switch (edge) {
            case UpdatesGraph.Edge.There(ResourceUpdate update) -> {
                if (!AltoDispatcher.accepts(request, update.mediaType())) {
                    yield AltoDispatcher.fault(415, "this is " + update.mediaType() + ", which the request does not accept");
                }
                counts.add(from == 0 ? TipsCount.VERSIONS_SENT_FULL : TipsCount.VERSIONS_SENT_INCREMENT);
                // The update between two versions never changes.
                yield HttpResponse.of(200, update.mediaType(), update.body())
                        .with("Cache-Control", "private, max-age=" + TipsLimits.IDLE_MAX.toSeconds());
            }
            case UpdatesGraph.Edge.Missing.GONE -> AltoDispatcher.fault(410, "this version is no longer kept: go on from another");
            case UpdatesGraph.Edge.Missing.NONE ->
                AltoDispatcher.fault(404, "there is no such update: an update leads from 0, or to the next version");
            case UpdatesGraph.Edge.Missing.EARLY -> AltoDispatcher.fault(425, "a request can wait for the next version only");
            case UpdatesGraph.Edge.Missing.NEXT ->
                AltoDispatcher.fault(425, "there is no next version yet").with("Retry-After", "0");
        };
    }

    private HttpResponse awaited(TipsView view, long from, HttpRequest request) throws AltoError {
        Address address = Address.of(request.peer().getAddress());
        if (!wait(address)) {
            counts.add(TipsCount.REFUSED_LONG_POLLS);
            return AltoDispatcher.fault(429, "too many requests wait").with("Retry-After", "5");
        }
        counts.add(TipsCount.LONG_POLLS);
        try {
            long begun = context.clock().getAsLong();
            long version = Long.MIN_VALUE;
            while (true) {
                long seen = live.current().version();
                if (seen != version) {
                    version = seen;
                    advance(view);
                    UpdatesGraph.Edge edge = view.graph().edge(from, from + 1);
                    if (edge != UpdatesGraph.Edge.Missing.NEXT) {
                        return answer(edge, from, request);
                    }
                }
                long left = waitNanos - (context.clock().getAsLong() - begun);
                Optional<Boolean> moved = live.await(() -> moved(view, seen), left);
                if (moved.isEmpty()) {
                    counts.add(TipsCount.LONG_POLL_TIMEOUTS);
                    return answer(UpdatesGraph.Edge.Missing.NEXT, from, request);
                }
                if (!moved.get()) {
                    return absent();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return answer(UpdatesGraph.Edge.Missing.NEXT, from, request);
        } finally {
            waited(address);
        }
    }

    /** Waits for a change; returns true if there is a new snapshot, false if the view was closed, empty if neither. */
    private Optional<Boolean> moved(TipsView view, long seen) {
        if (views.use(view.id()).isEmpty()) {
            return Optional.of(false);
        }
        return live.current().version() == seen ? Optional.empty() : Optional.of(true);
    }

    private boolean wait(Address address) {
        synchronized (waiting) {
            int ofAddress = waiting.getOrDefault(address, 0);
            if (waitingInAll >= TipsLimits.WAITING_MAX || ofAddress >= TipsLimits.WAITING_PER_ADDRESS_MAX) {
                return false;
            }
            waitingInAll++;
            waiting.put(address, ofAddress + 1);
            return true;
        }
    }

    private void waited(Address address) {
        synchronized (waiting) {
            waitingInAll--;
            waiting.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
        }
    }

    /** Returns the number of open views. */
    public int open() {
        return views.size();
    }

    /** Returns the number of requests that wait for the next version. */
    public int waiting() {
        synchronized (waiting) {
            return waitingInAll;
        }
    }

    /** Returns the counters. */
    public SharedCounters<TipsCount> counts() {
        return counts;
    }
}
