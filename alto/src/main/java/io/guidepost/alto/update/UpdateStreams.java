package io.guidepost.alto.update;

import io.guidepost.alto.AltoResource;
import io.guidepost.alto.DirectoryEntry;
import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.alto.service.AltoDispatcher;
import io.guidepost.alto.service.AltoRoute;
import io.guidepost.base.Address;
import io.guidepost.base.SharedCounters;
import io.guidepost.web.HttpHandler;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Update streams (RFC 8895): a client subscribes to resources and receives each change as it is published. Thread-safe.
 *
 * <p>For the HTTP server: the thread that calls the body writer stays there as long as the stream lasts, so
 * {@link #lasts} tells which requests need a thread of their own. A write must fail if the receiver takes nothing for
 * too long; a flush must send all bytes, compressed ones too; and the thread is interrupted when the receiver is gone.
 * All streams end when the {@link AltoSnapshotMonitor} is closed.
 */
public final class UpdateStreams implements HttpHandler {
    private final String id;
    private final UpdateContext context;
    private final long silenceNanos;
    private final SharedCounters<UpdateCount> counts = new SharedCounters<>(UpdateCount.class);
    private final Map<String, UpdateStream> streams = new LinkedHashMap<>();

    /** Creates the service; the id is that in the directory, and its path. */
    public UpdateStreams(String id, UpdateContext context) {
        this(id, context, UpdateLimits.SILENCE_MAX);
    }

    UpdateStreams(String id, UpdateContext context, Duration silence) {
        this.id = id;
        this.context = context;
        this.silenceNanos = silence.toNanos();
    }

    /** Returns this service as an entry of the directory (section 6.4). */
    public AltoRoute route() {
        Map<String, Object> capabilities = patches(context.renderings());
        capabilities.put("support-stream-control", true);
        return new AltoRoute(
                new DirectoryEntry(
                        id,
                        AltoMediaType.EVENT_STREAM,
                        Optional.of(AltoMediaType.UPDATE_STREAM_PARAMS),
                        context.renderings().ids(),
                        capabilities),
                this);
    }

    /** Returns the member of {@code capabilities} with the patch formats of each resource, separated by commas. */
    public static Map<String, Object> patches(UpdateSources of) {
        Map<String, Object> byId = new LinkedHashMap<>();
        for (AltoResource each : of.all()) {
            String types = PatchForm.of(each.mediaType()).stream()
                    .sorted()
                    .map(PatchForm::mediaType)
                    .collect(Collectors.joining(","));
            if (!types.isEmpty()) {
                byId.put(each.id(), types);
            }
        }
        return JsonWriter.object("incremental-change-media-types", byId);
    }

    /** Returns whether the response to a request is a stream. */
    public boolean lasts(HttpRequest request) {
        return request.path().equals('/' + id);
    }

    @Override
    public HttpResponse answer(HttpRequest request) {
        String path = request.path();
        if (!request.method().equals("POST")) {
            return AltoDispatcher.unlike("POST", "update streams are opened and controlled by POST");
        }
        if (!AltoDispatcher.brings(request, AltoMediaType.UPDATE_STREAM_PARAMS)) {
            return AltoDispatcher.fault(415, "the request body of this resource is " + AltoMediaType.UPDATE_STREAM_PARAMS);
        }
        try {
            StreamRequest asked = StreamRequest.read(request.body());
            return path.equals('/' + id) ? open(asked, request) : control(asked, path.substring(id.length() + 2));
        } catch (AltoError e) {
            counts.add(UpdateCount.MALFORMED_REQUESTS);
            return AltoDispatcher.refused(e);
        }
    }

    private HttpResponse open(StreamRequest asked, HttpRequest request) throws AltoError {
        if (!AltoDispatcher.accepts(request, AltoMediaType.EVENT_STREAM)) {
            return AltoDispatcher.fault(406, "an update stream is " + AltoMediaType.EVENT_STREAM);
        }
        if (asked.add().isEmpty()) {
            throw AltoError.missing("add");
        }
        String streamId = context.ids().get();
        String uri = AltoDispatcher.base(request) + '/' + id + '/' + streamId;
        Address caller = Address.of(request.peer().getAddress());
        UpdateStream stream = new UpdateStream(streamId, uri, caller, this, context);
        stream.control(new StreamRequest(asked.add(), List.of()), false);
        if (context.live().isClosed() || !take(stream)) {
            counts.add(UpdateCount.REFUSED_STREAMS);
            return AltoDispatcher.fault(503, "there are too many update streams").with("Retry-After", "60");
        }
        counts.add(UpdateCount.STREAMS_OPENED);
        return new HttpResponse(
                        200, List.of(Map.entry("Content-Type", AltoMediaType.EVENT_STREAM)), new HttpResponse.Stream(stream))
                .with("Cache-Control", "no-store");
    }

    private HttpResponse control(StreamRequest asked, String streamId) throws AltoError {
        UpdateStream stream;
        synchronized (streams) {
            stream = streams.get(streamId);
        }
        if (stream == null) {
            return AltoDispatcher.fault(404, "there is no such update stream, or it has ended");
        }
        if (!stream.control(asked, true)) {
            counts.add(UpdateCount.CONTROLS_REFUSED);
            return AltoDispatcher.fault(503, "this stream has not yet processed earlier control messages").with("Retry-After", "1");
        }
        counts.add(UpdateCount.CONTROLS_ACCEPTED);
        return HttpResponse.empty(204);
    }

    private boolean take(UpdateStream stream) {
        Address address = stream.caller();
        synchronized (streams) {
            // A client may go between its request and the first byte of the response, which is never written then.
            streams.values().removeIf(
                    each -> !each.begun() && context.clock().getAsLong() - each.openedNanos() > UpdateLimits.BEGIN_MAX.toNanos());
            long ofAddress = streams.values().stream()
                    .filter(each -> each.caller().equals(address))
                    .count();
            if (streams.size() >= UpdateLimits.STREAMS_MAX || ofAddress >= UpdateLimits.STREAMS_PER_ADDRESS_MAX) {
                return false;
            }
            streams.put(stream.id(), stream);
            return true;
        }
    }

    void ended(UpdateStream stream) {
        synchronized (streams) {
            streams.remove(stream.id());
        }
        counts.add(UpdateCount.STREAMS_ENDED);
    }

    /** Returns the number of open streams. */
    public int open() {
        synchronized (streams) {
            return streams.size();
        }
    }

    /** Returns the counters. */
    public SharedCounters<UpdateCount> counts() {
        return counts;
    }

    long silenceNanos() {
        return silenceNanos;
    }
}
