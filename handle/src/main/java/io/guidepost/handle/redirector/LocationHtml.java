package io.guidepost.handle.redirector;

import io.guidepost.handle.location.HandleLocation;
import io.guidepost.handle.location.HandleLocations;
import io.guidepost.handle.location.SelectionStep;
import java.util.stream.Collectors;

/** Locations as HTML for people, and as XML for programs. */
final class LocationHtml {
    private LocationHtml() {}

    static String table(HandleLocations locations) {
        StringBuilder out =
                new StringBuilder("<table><thead><tr><th>Location</th><th>Attributes</th></tr></thead><tbody>\n");
        for (HandleLocation each : locations.locations()) {
            String shown = RedirectTargets.safe(each.href())
                    .map(url -> HtmlText.link(url, each.href()))
                    .orElseGet(() -> HtmlText.escape(each.href()));
            String attributes = each.attributes().entrySet().stream()
                    .filter(attribute -> !attribute.getKey().startsWith("href"))
                    .map(attribute -> attribute.getKey() + " " + attribute.getValue())
                    .collect(Collectors.joining(", "));
            out.append("<tr><td class=\"d\">").append(shown).append("</td><td>");
            out.append(HtmlText.escape(attributes)).append("</td></tr>\n");
        }
        out.append("<tr><td colspan=\"2\"><small>Chosen by ");
        out.append(locations.steps().stream().map(SelectionStep::stepName).collect(Collectors.joining(", ")));
        return out.append(".</small></td></tr></tbody></table>\n").toString();
    }

    /** Returns them as a 10320/loc document. */
    static String xml(HandleLocations locations) {
        StringBuilder out = new StringBuilder("<locations>\n");
        for (HandleLocation each : locations.locations()) {
            out.append("<location");
            each.attributes().forEach((name, value) -> {
                if (!name.startsWith("href")) {
                    out.append(' ').append(name).append("=\"").append(HtmlText.escape(value)).append('"');
                }
            });
            out.append(" href=\"").append(HtmlText.escape(each.href())).append("\"/>\n");
        }
        return out.append("</locations>\n").toString();
    }
}
