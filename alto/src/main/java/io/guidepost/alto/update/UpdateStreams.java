package io.guidepost.alto.update;

import io.guidepost.alto.AltoCaller;
import io.guidepost.alto.AltoResource;
import io.guidepost.alto.ServiceEntry;
import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.alto.service.AltoDispatcher;
import io.guidepost.alto.service.AltoRoute;
import io.guidepost.base.Address;
import io.guidepost.base.SharedCounters;
import io.guidepost.web.HttpHandler;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;

/**
 * Update streams (RFC 8895): a client says which resources it wants to know of, and is told of each change as it comes.
 * Thread-safe.
 *
 * <p>For the host: the body of an answer is written on the thread that calls it back, which stays there as long as the
 * stream lasts, so {@link #lasts} says which requests need a place of their own. A write must fail if the receiver takes
 * nothing for too long; what is flushed must leave, also where it is compressed; and the thread is interrupted when the
 * receiver is gone. All streams end when the {@link AltoSnapshotMonitor} is closed.
 */
public final class UpdateStreams implements HttpHandler {
    /** Streams at a time. */
    public static final int OPEN_MAX = UpdateLimits.STREAMS_MAX;

    private final String id;
    private final UpdateSources renderings;
    private final AltoSnapshotMonitor live;
    private final PatchCache differences;
    private final Supplier<String> streamIds;
    private final LongSupplier clock;
    private final long silenceNanos;
    private final SharedCounters<UpdateCount> counts = new SharedCounters<>(UpdateCount.class);
    private final Map<String, UpdateStream> streams = new LinkedHashMap<>();

    /**
     * Makes the service.
     *
     * @param id of it in the directory; its path
     * @param renderings the resources that it tells of
     * @param live tells when there is something new
     * @param differences kept for all who tell of changes
     * @param streamIds gives texts that nobody guesses, of letters and digits, each but once
     * @param clock in nanoseconds
     */
    public UpdateStreams(
            String id,
            UpdateSources renderings,
            AltoSnapshotMonitor live,
            PatchCache differences,
            Supplier<String> streamIds,
            LongSupplier clock) {
        this(id, renderings, live, differences, streamIds, clock, UpdateLimits.SILENCE_MAX);
    }

    UpdateStreams(
            String id,
            UpdateSources renderings,
            AltoSnapshotMonitor live,
            PatchCache differences,
            Supplier<String> streamIds,
            LongSupplier clock,
            Duration silence) {
        this.id = id;
        this.renderings = renderings;
        this.live = live;
        this.differences = differences;
        this.streamIds = streamIds;
        this.clock = clock;
        this.silenceNanos = silence.toNanos();
    }

    /** This service as a line of the directory (section 6.4). */
    public AltoRoute route() {
        return new AltoRoute(
                new ServiceEntry(
                        id,
                        AltoMediaType.EVENT_STREAM,
                        Optional.of(AltoMediaType.UPDATE_STREAM_PARAMS),
                        renderings.ids(),
                        Optional.of(out -> {
                            patches(renderings, out);
                            out.writeBooleanProperty("support-stream-control", true);
                        })),
                this);
    }

    /** Says in what forms changes of each resource are told, separated by commas. */
    public static void patches(UpdateSources of, JsonGenerator out) {
        out.writeObjectPropertyStart("incremental-change-media-types");
        for (AltoResource each : of.all()) {
            String types = PatchForm.of(each.mediaType()).stream()
                    .sorted()
                    .map(PatchForm::mediaType)
                    .collect(Collectors.joining(","));
            if (!types.isEmpty()) {
                out.writeStringProperty(each.id(), types);
            }
        }
        out.writeEndObject();
    }

    /** Whether the answer to a request lasts: it opens a stream. */
    public boolean lasts(HttpRequest request) {
        return request.path().equals('/' + id);
    }

    @Override
    public HttpResponse answer(HttpRequest request) {
        String path = request.path();
        if (!request.method().equals("POST")) {
            return AltoDispatcher.fault(405, "update streams are asked for and controlled by POST").with("Allow", "POST");
        }
        if (!AltoDispatcher.brings(request, AltoMediaType.UPDATE_STREAM_PARAMS)) {
            return AltoDispatcher.fault(415, "the input of this resource is " + AltoMediaType.UPDATE_STREAM_PARAMS);
        }
        try {
            StreamRequest asked = StreamRequest.read(request.body());
            return path.equals('/' + id) ? open(asked, request) : control(asked, path.substring(id.length() + 2));
        } catch (AltoError e) {
            counts.add(UpdateCount.MALFORMED);
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
        String streamId = streamIds.get();
        String uri = AltoDispatcher.base(request) + '/' + id + '/' + streamId;
        AltoCaller caller = AltoCaller.of(request.peer().getAddress());
        UpdateStream stream = new UpdateStream(streamId, uri, caller, clock.getAsLong(), this);
        stream.control(new StreamRequest(asked.add(), List.of()), false);
        if (live.isClosed() || !take(stream)) {
            counts.add(UpdateCount.STREAMS_REFUSED);
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
            return AltoDispatcher.fault(503, "this stream has not yet heeded what it was told").with("Retry-After", "1");
        }
        counts.add(UpdateCount.CONTROLS);
        return HttpResponse.empty(204);
    }

    private boolean take(UpdateStream stream) {
        Address address = stream.caller().address();
        synchronized (streams) {
            // A client may have gone between its request and the first byte of the answer, which is never written then.
            streams.values().removeIf(
                    each -> !each.begun() && clock.getAsLong() - each.openedNanos() > UpdateLimits.BEGIN_MAX.toNanos());
            long ofAddress = streams.values().stream()
                    .filter(each -> each.caller().address().equals(address))
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

    /** Streams open now. */
    public int open() {
        synchronized (streams) {
            return streams.size();
        }
    }

    /** What was counted. */
    public SharedCounters<UpdateCount> counts() {
        return counts;
    }

    UpdateSources renderings() {
        return renderings;
    }

    AltoSnapshotMonitor live() {
        return live;
    }

    PatchCache differences() {
        return differences;
    }

    long silenceNanos() {
        return silenceNanos;
    }
}
