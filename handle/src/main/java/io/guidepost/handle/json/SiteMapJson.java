package io.guidepost.handle.json;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The map of prefixes to sites: {@code local_info.json} of existing tools.
 *
 * <pre>
 *  [{"nas":["0.NA/1234", ...], "site":{...}}]      sites: see {@link SiteJson}
 * </pre>
 */
public final class SiteMapJson {
    private SiteMapJson() {}

    /**
     * Reads {@code local_info.json}. A prefix that occurs several times has several sites, in the order of the file.
     *
     * @return sites by prefix handle ({@code 0.NA/1234})
     * @throws Malformed naming the first wrong field
     */
    public static Map<String, List<SiteRecord>> read(byte[] text) throws Malformed {
        Map<String, List<SiteRecord>> sites = new LinkedHashMap<>();
        for (JsonField each : JsonValue.read(text).whole().elements(HandleLimits.SITES_MAX)) {
            SiteRecord site = SiteJson.read(each.member("site"));
            for (JsonField prefix : each.member("nas").elements(HandleLimits.SITES_MAX)) {
                sites.computeIfAbsent(prefixHandle(prefix), _ -> new ArrayList<>()).add(site);
            }
        }
        return sites;
    }

    private static String prefixHandle(JsonField prefix) throws Malformed {
        String text = prefix.text();
        try {
            Handle handle = text.indexOf('/') < 0 ? Handle.ofPrefix(text) : Handle.parse(text);
            if (handle.isPrefixHandle()) {
                return handle.toString();
            }
        } catch (Malformed | IllegalArgumentException e) {
            throw prefix.refused("is a prefix such as 0.NA/1234: " + e.getMessage());
        }
        throw prefix.refused("is a prefix such as 0.NA/1234");
    }
}
