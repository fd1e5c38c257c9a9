package io.guidepost.server.handle.connection;

import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.service.HandleRequest;
import io.guidepost.server.http.RequestHandler;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the door answers over HTTP: messages of the native protocol, some of them at once, and pages. Existing clients know
 * no chunks, so an answer of one message has its length, and that of a long list ends with its connection.
 */
record HandleHttpHandler(HandleConnectionContext room) implements RequestHandler {
    private static final String MESSAGE = "application/x-hdl-message";

    /** Bytes of the longest message: an answer that is longer is a list of several. */
    private static final int HELD_MAX = HandleEnvelope.BYTES + HandleLimits.MESSAGE_BYTES_MAX;

    private static boolean isMessage(HttpRequest request) {
        return request.method().equals("POST")
                && request.header("content-type")
                        .filter(each -> each.regionMatches(true, 0, MESSAGE, 0, MESSAGE.length()))
                        .isPresent();
    }

    private static HandleRequest call(HttpRequest request) {
        return new HandleRequest(
                request.body(),
                request.secure() ? HandleRequest.Transport.HTTPS : HandleRequest.Transport.HTTP,
                request.peer(),
                true);
    }

    @Override
    public @Nullable HttpResponse atOnce(HttpRequest request) {
        if (!isMessage(request)) {
            return room.services().pages().atOnce(request);
        }
        long begun = System.nanoTime();
        byte[] answer = room.quick().answer(request.body());
        if (answer == null) {
            return null;
        }
        room.services().accesses().message(call(request), answer, System.nanoTime() - begun);
        return HttpResponse.of(200, MESSAGE, answer);
    }

    @Override
    public HttpResponse answer(HttpRequest request) {
        return isMessage(request) ? message(request) : room.services().pages().answer(request);
    }

    private HttpResponse message(HttpRequest request) {
        HttpResponse.Writing writing = out -> room.answer(call(request), new ReplyGuard() {
            @Override
            void send(byte[] message, boolean last) throws IOException {
                out.write(message);
            }
        });
        return new HttpResponse(
                200, List.of(Map.entry("Content-Type", MESSAGE)), new HttpResponse.Unchunked(writing, HELD_MAX));
    }

    @Override
    public HttpResponse busy(HttpRequest request) {
        if (isMessage(request)) {
            return HttpResponse.of(200, MESSAGE, room.refusals().busy(request.body()));
        }
        HttpResponse response =
                HttpResponse.of(503, "application/json", error(ResponseCode.BUSY, "the server is too busy"))
                        .with("Retry-After", "1");
        room.services().accesses().busy(request, response.status());
        return response;
    }

    private static String error(ResponseCode code, String message) {
        return JsonWriter.line(JsonWriter.object("responseCode", code.number(), "message", message));
    }

    @Override
    public HttpResponse failed(HttpRequest request) {
        return HttpResponse.of(500, "application/json", error(ResponseCode.ERROR, "the server failed"));
    }

    @Override
    public void answered(HttpRequest request, int status, long nanos) {
        if (!isMessage(request)) {
            room.services().accesses().page(request, status, nanos);
        }
    }
}
