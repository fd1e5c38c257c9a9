package io.guidepost.alto.update;

import io.guidepost.alto.AltoResource;
import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.ResourceContent;
import io.guidepost.alto.protocol.AltoError;
import io.guidepost.base.Address;
import io.guidepost.web.HttpResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One update stream. Its writing thread sends the change from the version sent last to the newest, however many lie
 * between: a slow reader gets fewer and larger updates, and nothing is queued.
 *
 * <p>Control messages come on other threads. They are validated there, so that their sender learns of faults, and wait
 * in {@link #controls} for the writing thread, which alone knows {@link #substreams}.
 */
final class UpdateStream implements HttpResponse.Writing {
    private final String id;
    private final String controlUri;
    private final Address caller;
    private final long openedNanos;
    private final UpdateStreams home;
    private final UpdateContext context;

    private final Object guard = new Object();
    private final Set<String> ids = new HashSet<>();
    private final ArrayDeque<Control> controls = new ArrayDeque<>();
    private boolean begun;

    private final Map<String, Substream> substreams = new LinkedHashMap<>();
    private long version = Long.MIN_VALUE;

    /** The last content sent of a resource, under the id that the client chose. */
    private static final class Substream {
        private final String id;
        private final AltoResource resource;
        private final StreamRequest.Wanted wanted;
        private @Nullable ResourceContent last;

        Substream(String id, AltoResource resource, StreamRequest.Wanted wanted) {
            this.id = id;
            this.resource = resource;
            this.wanted = wanted;
        }
    }

    private record Control(List<Substream> added, List<String> removed, boolean told) {}

    UpdateStream(String id, String controlUri, Address caller, UpdateStreams home, UpdateContext context) {
        this.id = id;
        this.controlUri = controlUri;
        this.caller = caller;
        this.home = home;
        this.context = context;
        this.openedNanos = context.clock().getAsLong();
    }

    String id() {
        return id;
    }

    Address caller() {
        return caller;
    }

    long openedNanos() {
        return openedNanos;
    }

    /** Returns whether a thread writes it. */
    boolean begun() {
        synchronized (guard) {
            return begun;
        }
    }

    /**
     * Accepts a control message.
     *
     * @param told whether the stream announces started substreams
     * @return false if too many wait already
     * @throws AltoError if the request is invalid; nothing is changed then
     */
    boolean control(StreamRequest request, boolean told) throws AltoError {
        List<Substream> added = new ArrayList<>();
        for (Map.Entry<String, StreamRequest.Wanted> each : request.add().entrySet()) {
            added.add(substream(each.getKey(), each.getValue()));
        }
        synchronized (guard) {
            Set<String> next = new HashSet<>(ids);
            for (String each : request.remove()) {
                if (!next.remove(each)) {
                    throw AltoError.value("remove", each, "this stream has no such substream");
                }
            }
            for (String each : request.add().keySet()) {
                if (!next.add(each)) {
                    throw AltoError.value("add", each, "this stream has such a substream already");
                }
            }
            if (next.size() > UpdateLimits.SUBSTREAMS_MAX) {
                throw AltoError.value("add", String.valueOf(next.size()), "a stream has at most " + UpdateLimits.SUBSTREAMS_MAX);
            }
            if (controls.size() >= UpdateLimits.CONTROLS_WAITING_MAX) {
                return false;
            }
            ids.clear();
            ids.addAll(next);
            controls.add(new Control(added, request.remove(), told));
        }
        context.live().published();
        return true;
    }

    private Substream substream(String name, StreamRequest.Wanted wanted) throws AltoError {
        AltoResource resource = context.renderings()
                .find(wanted.resource())
                .orElseThrow(() -> wanted.refused("resource-id", wanted.resource(), "no resource of this stream"));
        if (resource.accepts().isPresent()) {
            // The resource itself reports an invalid or missing input.
            context.renderings().content(resource, context.live().current(), wanted.input(), caller);
        }
        return new Substream(name, resource, wanted);
    }

    @Override
    public void write(OutputStream out) throws IOException {
        synchronized (guard) {
            begun = true;
        }
        ServerSentEvents events = new ServerSentEvents(out);
        try {
            events.controlledAt(controlUri);
            while (true) {
                tell(events);
                if (substreams.isEmpty()) {
                    return;
                }
                if (context.live().isClosed()) {
                    events.stopped(List.copyOf(substreams.keySet()), "the server stops");
                    events.flush();
                    return;
                }
                boolean moved = context.live().await(this::moved, home.silenceNanos()).isPresent();
                if (!moved && !context.live().isClosed()) {
                    home.counts().add(UpdateCount.MESSAGES_KEEP_ALIVE);
                    events.silence();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            home.counts().add(UpdateCount.LOST_RECEIVERS);
            throw e;
        } finally {
            home.ended(this);
        }
    }

    private Optional<Boolean> moved() {
        synchronized (guard) {
            return !controls.isEmpty() || context.live().current().version() != version
                    ? Optional.of(true)
                    : Optional.empty();
        }
    }

    private void tell(ServerSentEvents events) throws IOException {
        for (Control each = next(); each != null; each = next()) {
            heed(each, events);
        }
        AltoSnapshot now = context.live().current();
        version = now.version();
        List<Substream> inOrder = new ArrayList<>(substreams.values());
        inOrder.sort(Comparator.comparingInt(each -> context.renderings().place(each.resource)));
        for (Substream each : inOrder) {
            tell(each, now, events);
        }
        events.flush();
    }

    private @Nullable Control next() {
        synchronized (guard) {
            return controls.poll();
        }
    }

    private void heed(Control control, ServerSentEvents events) throws IOException {
        if (!control.removed.isEmpty()) {
            substreams.keySet().removeAll(control.removed);
            events.stopped(control.removed, "as asked");
        }
        control.added.forEach(each -> substreams.put(each.id, each));
        if (control.told && !control.added.isEmpty()) {
            events.started(control.added.stream().map(each -> each.id).toList());
        }
    }

    private void tell(Substream substream, AltoSnapshot now, ServerSentEvents events) throws IOException {
        ResourceContent content;
        try {
            content = context.renderings().content(substream.resource, now, substream.wanted.input(), caller);
        } catch (AltoError e) {
            home.counts().add(UpdateCount.FAILED_SUBSTREAMS);
            substreams.remove(substream.id);
            synchronized (guard) {
                ids.remove(substream.id);
            }
            events.stopped(List.of(substream.id), String.valueOf(e.getMessage()));
            return;
        }
        ResourceContent last = substream.last;
        substream.last = content;
        if (last == null) {
            boolean held = !content.tag().isEmpty() && substream.wanted.tag().equals(Optional.of(content.tag()));
            if (!held) {
                send(ResourceUpdate.whole(content), substream, events);
            }
        } else if (!PatchCache.same(last, content)) {
            boolean patches = substream.wanted.incremental();
            send(
                    patches ? context.differences().between(substream.resource.id(), last, content) : ResourceUpdate.whole(content),
                    substream,
                    events);
        }
    }

    private void send(ResourceUpdate update, Substream substream, ServerSentEvents events) throws IOException {
        home.counts().add(switch (update.mediaType()) {
            case MergePatch.MEDIA_TYPE -> UpdateCount.MESSAGES_MERGE_PATCH;
            case JsonPatch.MEDIA_TYPE -> UpdateCount.MESSAGES_JSON_PATCH;
            default -> UpdateCount.MESSAGES_FULL;
        });
        events.update(update, substream.id);
    }
}
