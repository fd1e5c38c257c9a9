package io.guidepost.server.handle;

import io.guidepost.handle.redirector.Redirector;
import io.guidepost.handle.redirector.RedirectorCount;
import io.guidepost.handle.rest.RestApi;
import io.guidepost.handle.rest.RestCount;
import io.guidepost.handle.template.NamespaceTemplates;
import io.guidepost.handle.template.TemplateCount;
import io.guidepost.server.metrics.CounterFamilies;
import io.guidepost.server.metrics.Exposition;

/** Writes what the web side of the Handle door counts, and templates. */
final class HandleWebMetrics {
    private static final CounterFamilies<RestCount> REST = new CounterFamilies<>(RestCount.class, "guidepost_handle_rest_")
            .family("requests", "Requests of the JSON interface that were executed, by type.", "type")
            .family("bulk_lines", "Lines of bulk requests, by whether they can be read.", "result")
            .family("refusals", "Requests of the JSON interface that were refused, by reason.", "reason")
            .family("evicted_sessions", "Sessions evicted early, as there were too many.")
            .family("failed_requests", "Requests that failed with an internal error, which is in the log.");

    private static final CounterFamilies<RedirectorCount> REDIRECTOR =
            new CounterFamilies<>(RedirectorCount.class, "guidepost_handle_redirector_")
                    .family("responses", "Responses to browsers, by result.", "result")
                    .family("unsafe_urls", "URLs of forbidden schemes.")
                    .family("malformed_locations", "Values of 10320/loc that are malformed.");

    private static final CounterFamilies<TemplateCount> TEMPLATES = new CounterFamilies<>(TemplateCount.class, "guidepost_handle_")
            .family("templates", "Handles looked up by templates, by result.", "result");

    private HandleWebMetrics() {}

    public static void write(Exposition out, RestApi rest, Redirector browsers, NamespaceTemplates templates) {
        REST.write(out, rest::count);
        REDIRECTOR.write(out, browsers::count);
        TEMPLATES.write(out, templates::count);
    }
}
