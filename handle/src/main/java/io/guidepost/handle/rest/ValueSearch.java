package io.guidepost.handle.rest;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import io.guidepost.handle.record.ValueIndex;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonWriter;
import io.guidepost.web.RequestParameters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds handles by a value: {@code /api/search?type=URL&value=…&pageSize=…&after=…}. */
final class ValueSearch {
    private static final int PAGE = 100;

    private final @Nullable ValueIndex index;
    private final HandleRecords records;
    private final HomedPrefixes homes;

    ValueSearch(@Nullable ValueIndex index, HandleRecords records, HomedPrefixes homes) {
        this.index = index;
        this.records = records;
        this.homes = homes;
    }

    /** Returns the page of handles after {@code after}. */
    HttpResponse answer(RequestParameters parameters) throws IOException, Malformed {
        if (index == null) {
            return JsonResponses.error(
                    parameters, 501, ResponseCode.OPERATION_NOT_SUPPORTED, "this server keeps no index of values", null);
        }
        if (!homes.isRead()) {
            throw new IOException(HomedPrefixes.UNREAD);
        }
        String type = parameters.first("type");
        String value = parameters.first("value");
        if (type == null || value == null) {
            throw new Malformed("a search has a type and a value", 0);
        }
        if (!index.has(type)) {
            throw new Malformed("values of this type are not indexed; indexed are " + String.join(", ", index.types()), 0);
        }
        int pageSize = (int) parameters.integer("pageSize", 1, HandleLimits.SEARCH_PAGE_MAX, PAGE);
        String after = parameters.first("after");
        List<Handle> found = new ArrayList<>();
        index.find(records, type, value, after == null ? null : Handle.parse(after), handle -> {
            if (homes.has(handle)) {
                found.add(handle);
            }
            return found.size() <= pageSize;
        });
        boolean more = found.size() > pageSize;
        List<Handle> page = found.subList(0, Math.min(pageSize, found.size()));
        return JsonResponses.of(parameters, 200, JsonWriter.object(
                "responseCode", ResponseCode.SUCCESS.number(),
                "type", type,
                "value", value,
                "handles", page,
                "next", more ? page.getLast() : null));
    }
}
