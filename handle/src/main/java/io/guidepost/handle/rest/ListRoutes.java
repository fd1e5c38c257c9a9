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

    /**
     * The page of a list, as existing servers read it: a client that does not name both its number, from 0 on,
     * and its size gets the whole list.
     */
    private record Page(long number, long size) {
        static Page of(RequestParameters parameters) throws Malformed {
            return new Page(
                    parameters.integer("page", Integer.MIN_VALUE, Integer.MAX_VALUE, -1),
                    parameters.integer("pageSize", Integer.MIN_VALUE, Integer.MAX_VALUE, -1));
        }

        boolean isOne() {
            return number >= 0 && size >= 0;
        }

        /** Returns the number of entries before the page. */
        long skip() {
            return isOne() ? number * size : 0;
        }

        /** Returns the number of entries of the page in a list of a length. */
        long entries(long total) {
            return isOne() ? Math.max(0, Math.min(size, total - skip())) : total;
        }
    }

    /** Returns the page of a list that the parameters select; empty if the client must authenticate first. */
    Optional<HttpResponse> handles(RequestParameters parameters, Principal caller, String prefix)
            throws IOException, Malformed {
        boolean whole = prefix.toUpperCase(Locale.ROOT).startsWith(Handle.PREFIX_OF_PREFIXES + "/");
        Handle prefixHandle = Handle.parse(whole ? prefix : Handle.PREFIX_OF_PREFIXES + "/" + prefix);
        Page page = Page.of(parameters);
        Count count = new Count(page.skip());
        HandleResult outcome = administration.list(caller, prefixHandle, null, count::take);
        if (outcome.code() == ResponseCode.CHALLENGE) {
            return Optional.empty();
        }
        if (!outcome.success()) {
            return Optional.of(JsonResponses.failed(parameters, outcome, prefix));
        }
        long most = page.entries(count.total);
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
                if (page.isOne()) {
                    json.writeNumberProperty("page", page.number());
                    json.writeNumberProperty("pageSize", page.size());
                }
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

    /** Returns the homed prefixes that the parameters select; empty if the client must authenticate first. */
    Optional<HttpResponse> prefixes(RequestParameters parameters, Principal caller) throws IOException, Malformed {
        Page page = Page.of(parameters);
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
                "page", page.isOne() ? page.number() : null,
                "pageSize", page.isOne() ? page.size() : null,
                "prefixes", prefixes.stream().skip(page.skip()).limit(page.entries(prefixes.size())).toList())));
    }
}
