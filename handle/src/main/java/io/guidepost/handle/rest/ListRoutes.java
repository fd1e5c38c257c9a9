package io.guidepost.handle.rest;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.Administration;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.operation.Principal;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
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
    Optional<HttpResponse> handles(RestParameters parameters, Principal caller, String prefix)
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
            return Optional.of(JsonResponses.error(
                    parameters, JsonResponses.status(outcome.code(), false), outcome.code(), outcome.text(), prefix));
        }
        long most = pageSize < 0 ? Long.MAX_VALUE : Math.max(0, Math.min(pageSize, count.total - count.skip));
        String start = head(prefix, count.total, page, pageSize);
        String callback = parameters.first("callback");
        String before = callback == null ? "" : callback + "(";
        String after = callback == null ? "" : ");";
        String type = callback == null ? JsonResponses.JSON : JsonResponses.SCRIPT;
        List<Map.Entry<String, String>> headers =
                List.of(Map.entry("Content-Type", type), Map.entry("Vary", "Accept-Encoding"));
        return Optional.of(new HttpResponse(
                200, headers, new HttpResponse.Stream(out -> {
                    out.write((before + start).getBytes(StandardCharsets.UTF_8));
                    if (most > 0) {
                        write(caller, prefixHandle, count.last, new Page(out, most));
                    }
                    out.write(("]}" + after).getBytes(StandardCharsets.UTF_8));
                })));
    }

    private void write(Principal caller, Handle prefixHandle, @Nullable Handle after, Page page) throws IOException {
        try {
            administration.list(caller, prefixHandle, after, page::take);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static String head(String prefix, long total, long page, long pageSize) {
        String whole = new String(
                JsonWriter.bytes(out -> {
                    out.writeStartObject();
                    out.writeNumberProperty("responseCode", ResponseCode.SUCCESS.number());
                    out.writeStringProperty("prefix", prefix);
                    out.writeStringProperty("totalCount", Long.toString(total));
                    out.writeNumberProperty("page", page);
                    out.writeNumberProperty("pageSize", pageSize);
                    out.writeArrayPropertyStart("handles");
                    out.writeEndArray();
                    out.writeEndObject();
                }),
                StandardCharsets.UTF_8);
        return whole.substring(0, whole.length() - 2);
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

    /** Writes the handles of a page. */
    private static final class Page {
        private final OutputStream out;
        private long left;
        private boolean first = true;

        Page(OutputStream out, long most) {
            this.out = out;
            this.left = most;
        }

        boolean take(Handle handle) {
            try {
                if (!first) {
                    out.write(',');
                }
                first = false;
                out.write(JsonWriter.bytes(json -> json.writeString(handle.toString())));
                return --left > 0;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Returns the homed prefixes; empty if the client must authenticate first. */
    Optional<HttpResponse> prefixes(RestParameters parameters, Principal caller) throws IOException {
        List<Handle> prefixes = new ArrayList<>();
        HandleResult outcome = administration.homed(caller, prefixes::add);
        if (outcome.code() == ResponseCode.CHALLENGE) {
            return Optional.empty();
        }
        if (!outcome.success()) {
            return Optional.of(JsonResponses.error(
                    parameters, JsonResponses.status(outcome.code(), false), outcome.code(), outcome.text(), null));
        }
        return Optional.of(JsonResponses.of(parameters, 200, out -> {
            out.writeStartObject();
            out.writeNumberProperty("responseCode", ResponseCode.SUCCESS.number());
            out.writeStringProperty("totalCount", Integer.toString(prefixes.size()));
            out.writeArrayPropertyStart("prefixes");
            prefixes.forEach(each -> out.writeString(each.toString()));
            out.writeEndArray();
            out.writeEndObject();
        }));
    }
}
