package io.guidepost.server.handle;

import io.guidepost.handle.redirector.Redirector;
import io.guidepost.handle.redirector.RedirectorCount;
import io.guidepost.handle.rest.RestApi;
import io.guidepost.handle.rest.RestCount;
import io.guidepost.handle.template.NamespaceTemplates;
import io.guidepost.handle.template.TemplateCount;
import io.guidepost.server.metrics.Exposition;

/** Writes what the web side of the Handle door counts, and templates. */
final class HandleWebMetrics {
    private HandleWebMetrics() {}

    public static void write(Exposition out, RestApi rest, Redirector browsers, NamespaceTemplates templates) {
        out.counter("guidepost_handle_rest_events", "What happened at the JSON interface, by event.");
        for (RestCount each : RestCount.values()) {
            out.sample(rest.count(each), "event", Exposition.name(each));
        }
        out.counter("guidepost_handle_browser_events", "What became of browsers, by event.");
        for (RedirectorCount each : RedirectorCount.values()) {
            out.sample(browsers.count(each), "event", Exposition.name(each));
        }
        out.counter("guidepost_handle_template_events", "What became of handles that templates make, by event.");
        for (TemplateCount each : TemplateCount.values()) {
            out.sample(templates.count(each), "event", Exposition.name(each));
        }
    }
}
