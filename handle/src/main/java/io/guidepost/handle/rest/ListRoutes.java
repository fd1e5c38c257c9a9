package io.guidepost.handle.rest;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.Administration;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.operation.Principal;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonWriter;
import io.guidepost.web.RequestParameters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lists of handles and of prefixes. A list of handles is scanned twice: once to count, as the count precedes the
 * handles, and once to stream the page, as there may be millions.
 */
final class ListRoutes {
    private final Administration administration;

    ListRoutes(Administration administration) {
        this.administration = administration;
    }

    /** Returns the page of a list that the parameters select; empty if the client must authenticate first. */
    Optional<HttpResponse> handles(RequestParameters parameters, Principal caller, String prefix)
            throws IOException, Malformed {
        boolean whole = prefix.toUpperCase(Locale.ROOT).startsWith(Handle.PREFIX_OF_PREFIXES + "/");
        Handle prefixHandle = Handle.parse(whole ? prefix : Handle.PREFIX_OF_PREFIXES + "/" + prefix);
        long page = parameters.integer("page", 0, Integer.MAX_VALUE, 0);
        long pageSize = parameters.integer("pageSize", -1, Integer.MAX_VALUE, -1);
        Count count = new Count(pageSize < 0 ? 0 : page * pageSize);
        HandleResult outcome = administration.list(caller, prefixHandle, null, count::take);
        if (outcome.code() == ResponseCode.CHALLENGE) {
            return Optional.empty();
        }
        if (!outcome.success()) {
            return Optional.of(JsonResponses.failed(parameters, outcome, prefix));
        }
        long most = pageSize < 0 ? Long.MAX_VALUE : Math.max(0, Math.min(pageSize, count.total - count.skip));
        String callback = parameters.first("callback");
        String type = callback == null ? JsonResponses.JSON : JsonResponses.SCRIPT;
        List<Map.Entry<String, String>> headers =
                List.of(Map.entry("Content-Type", type), Map.entry("Vary", "Accept-Encoding"));
        return Optional.of(new HttpResponse(200, headers, new HttpResponse.Stream(out -> {
            out.write((callback == null ? "" : callback + "(").getBytes(StandardCharsets.UTF_8));
            JsonWriter.write(out, json -> {
                json.writeStartObject();
                json.writeNumberProperty("responseCode", ResponseCode.SUCCESS.number());
                json.writeStringProperty("prefix", prefix);
                json.writeStringProperty("totalCount", Long.toString(count.total));
                json.writeNumberProperty("page", page);
                json.writeNumberProperty("pageSize", pageSize);
                json.writeArrayPropertyStart("handles");
                if (most > 0) {
                    long[] left = {most};
                    administration.list(caller, prefixHandle, count.last, each -> {
                        json.writeString(each.toString());
                        return --left[0] > 0;
                    });
                }
                json.writeEndArray();
                json.writeEndObject();
            });
            out.write((callback == null ? "" : ");").getBytes(StandardCharsets.UTF_8));
        })));
    }

    /** Counts a list, and keeps the handle before the page. */
    private static final class Count {
        private final long skip;
        private long total;
        private @Nullable Handle last;

        Count(long skip) {
            this.skip = skip;
        }

        boolean take(Handle handle) {
            if (total++ == skip - 1) {
                last = handle;
            }
            return true;
        }
    }

    /** Returns the homed prefixes; empty if the client must authenticate first. */
    Optional<HttpResponse> prefixes(RequestParameters parameters, Principal caller) throws IOException {
        List<Handle> prefixes = new ArrayList<>();
        HandleResult outcome = administration.homed(caller, prefixes::add);
        if (outcome.code() == ResponseCode.CHALLENGE) {
            return Optional.empty();
        }
        if (!outcome.success()) {
            return Optional.of(JsonResponses.failed(parameters, outcome, null));
        }
        return Optional.of(JsonResponses.of(parameters, 200, JsonWriter.object(
                "responseCode", ResponseCode.SUCCESS.number(),
                "totalCount", Integer.toString(prefixes.size()),
                "prefixes", prefixes)));
    }
}
