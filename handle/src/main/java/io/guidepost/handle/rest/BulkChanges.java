package io.guidepost.handle.rest;

import io.guidepost.base.Malformed;
import io.guidepost.base.SharedCounters;
import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.json.ValueJson;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.Administration;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.operation.Principal;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Many changes in one request: one line of JSON for each (NDJSON), and one line for each in the response, in the same
 * order.
 *
 * <pre>
 *  {"op":"create","handle":"1234/1","values":[…]}      fails if the handle exists
 *  {"op":"put","handle":"1234/1","values":[…]}         creates or replaces
 *  {"op":"add","handle":"1234/1","values":[…]}         adds or replaces these values
 *  {"op":"delete","handle":"1234/1","index":[2,3]}     deletes these values; without index the handle
 *
 *  {"line":1,"responseCode":1,"handle":"1234/1"}       or with another code and a message
 * </pre>
 *
 * Many changes are in flight at once, so that they share the store's group commits; those of one handle run in order. A
 * failed line stops no other. If the client disconnects, lines that were not begun are dropped.
 */
final class BulkChanges {
    private static final Logger LOG = System.getLogger(BulkChanges.class.getName());
    private static final String TYPE = "application/x-ndjson;charset=UTF-8";

    private final Administration administration;
    private final SharedCounters<RestCount> counts;
    private final RestListener listener;
    private final InstantSource clock;
    private final Executor threads = task -> Thread.ofVirtual().name("handle-bulk").start(task);

    BulkChanges(Administration administration, SharedCounters<RestCount> counts, RestListener listener, InstantSource clock) {
        this.administration = administration;
        this.counts = counts;
        this.listener = listener;
        this.clock = clock;
    }

    /** Runs the changes while the response is written. */
    HttpResponse answer(HttpRequest request, Principal caller) {
        byte[] body = request.body();
        return new HttpResponse(
                200,
                List.of(Map.entry("Content-Type", TYPE)),
                new HttpResponse.Stream(out -> new Run(request, caller, out).all(body)));
    }

    /** The result of a line. */
    private record Result(int line, ResponseCode code, String text, @Nullable String handle) {
        byte[] json() {
            return JsonWriter.bytes(JsonWriter.object(
                    "line", line, "responseCode", code.number(), "message", text.isEmpty() ? null : text, "handle", handle));
        }
    }

    /**
     * A change in flight.
     *
     * @param handle folded; null if the line has none
     */
    private record Going(@Nullable Handle handle, CompletableFuture<Result> result) {}

    /** The changes in flight of one request. */
    private final class Run {
        private final HttpRequest request;
        private final Principal caller;
        private final OutputStream out;
        private final ArrayDeque<Going> underWay = new ArrayDeque<>();

        /** The last change in flight of each handle, by its folded name. */
        private final Map<Handle, CompletableFuture<Result>> last = new HashMap<>();

        Run(HttpRequest request, Principal caller, OutputStream out) {
            this.request = request;
            this.caller = caller;
            this.out = out;
        }

        void all(byte[] body) throws IOException {
            int line = 0;
            for (int from = 0; from < body.length; ) {
                int end = from;
                while (end < body.length && body[end] != '\n') {
                    end++;
                }
                line++;
                if (!isBlank(body, from, end)) {
                    begin(line, Arrays.copyOfRange(body, from, end));
                }
                from = end + 1;
            }
            while (!underWay.isEmpty()) {
                finish();
            }
            out.flush();
        }

        private static boolean isBlank(byte[] body, int from, int end) {
            for (int i = from; i < end; i++) {
                if (body[i] > ' ' || body[i] < 0) {
                    return false;
                }
            }
            return true;
        }

        private void begin(int number, byte[] line) throws IOException {
            if (underWay.size() == HandleLimits.BULK_UNDER_WAY_MAX) {
                finish();
            }
            try {
                JsonField change = JsonValue.read(line).whole();
                Handle handle = Handle.parse(change.member("handle").text());
                Handle key = Handle.of(new String(handle.folded(), StandardCharsets.UTF_8));
                CompletableFuture<Result> before = last.get(key);
                CompletableFuture<Result> made = before == null
                        ? CompletableFuture.supplyAsync(() -> result(number, handle, change), threads)
                        : before.thenApplyAsync(_ -> result(number, handle, change), threads);
                last.put(key, made);
                underWay.add(new Going(key, made));
                counts.add(RestCount.BULK_LINES_WELL_FORMED);
            } catch (Malformed e) {
                counts.add(RestCount.BULK_LINES_MALFORMED);
                underWay.add(new Going(null, CompletableFuture.completedFuture(refusal(number, e, null))));
                tell(Optional.empty(), ResponseCode.PROTOCOL_ERROR, "", 0);
            }
        }

        private void finish() throws IOException {
            Going first = underWay.remove();
            out.write(first.result().join().json());
            out.write('\n');
            if (first.handle() != null) {
                last.remove(first.handle(), first.result());
            }
        }

        private Result result(int number, Handle handle, JsonField change) {
            long begun = clock.millis();
            Result result = made(number, handle, change);
            tell(operation(change), result.code(), handle.toString(), clock.millis() - begun);
            return result;
        }

        private void tell(Optional<HandleOperation> operation, ResponseCode code, String handle, long millis) {
            listener.changed(request, new RestListener.Change(operation, code, caller.who(), handle, millis));
        }

        private Result made(int number, Handle handle, JsonField change) {
            try {
                HandleResult outcome = make(caller, handle, change);
                return new Result(number, outcome.code(), outcome.text(), outcome.handle().toString());
            } catch (Malformed e) {
                return refusal(number, e, handle.toString());
            } catch (IOException | RuntimeException e) {
                LOG.log(Logger.Level.ERROR, "line " + number + " of a bulk request failed: " + e, e);
                return new Result(number, ResponseCode.ERROR, "the server failed", handle.toString());
            }
        }
    }

    private static Result refusal(int number, Malformed fault, @Nullable String handle) {
        return new Result(number, ResponseCode.PROTOCOL_ERROR, String.valueOf(fault.getMessage()), handle);
    }

    private static Optional<HandleOperation> operation(JsonField change) {
        try {
            return Optional.ofNullable(switch (change.member("op").text()) {
                case "create", "put" -> HandleOperation.CREATE;
                case "add" -> HandleOperation.ADD_VALUES;
                case "delete" -> change.find("index").isEmpty() ? HandleOperation.DELETE : HandleOperation.REMOVE_VALUES;
                default -> null;
            });
        } catch (Malformed e) {
            return Optional.empty();
        }
    }

    private HandleResult make(Principal caller, Handle handle, JsonField change) throws IOException, Malformed {
        JsonField op = change.member("op");
        return switch (op.text()) {
            case "create" -> administration.create(caller, handle, values(change), false, false);
            case "put" -> administration.create(caller, handle, values(change), true, false);
            case "add" -> administration.add(caller, handle, values(change), true);
            case "delete" -> {
                Optional<JsonField> indexes = change.find("index");
                yield indexes.isEmpty()
                        ? administration.delete(caller, handle)
                        : administration.remove(caller, handle, integers(indexes.get()));
            }
            default -> throw op.refused("is create, put, add or delete");
        };
    }

    private static List<HandleValue> values(JsonField change) throws Malformed {
        return ValueJson.readValues(change.member("values"));
    }

    private static List<Integer> integers(JsonField field) throws Malformed {
        boolean several = field.json() instanceof JsonValue.Elements;
        List<JsonField> each = several ? field.elements(HandleLimits.VALUES_MAX) : List.of(field);
        List<Integer> integers = new ArrayList<>();
        for (JsonField index : each) {
            integers.add((int) index.integer(1, Integer.MAX_VALUE));
        }
        return integers;
    }
}
