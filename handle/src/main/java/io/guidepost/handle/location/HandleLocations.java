package io.guidepost.handle.location;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.xml.XmlElement;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The data of a 10320/loc value: the locations of an object and the steps that select one.
 *
 * <pre>
 *  &lt;locations chooseby="locatt,country,weighted"&gt;
 *    &lt;location id="0" href="https://uk.example.com/" country="gb" weight="0"/&gt;
 *    &lt;location id="1" href="https://www1.example.com/" weight="1"/&gt;
 *  &lt;/locations&gt;
 * </pre>
 *
 * @param steps of the selection, in order; unknown names are left out
 * @param locations in their order; may be empty
 */
public record HandleLocations(List<SelectionStep> steps, List<HandleLocation> locations) {
    /** Copies the lists. */
    public HandleLocations {
        steps = List.copyOf(steps);
        locations = List.copyOf(locations);
    }

    /**
     * Reads a value's data.
     *
     * @param handle of the record, for locations with {@code href_template}
     * @throws Malformed with the first reason and its offset, if it is not XML within the bounds, or another document
     */
    public static HandleLocations read(byte[] data, Handle handle) throws Malformed {
        XmlElement root = XmlElement.read(data);
        if (!root.name().equalsIgnoreCase("locations")) {
            throw new Malformed("the document is <locations>, not <" + root.name() + ">", 0);
        }
        return of(root, handle);
    }

    /**
     * Returns the locations in an element of any name.
     *
     * @param handle replaces {@code {hdl}} in a location's {@code href_template}, percent-encoded
     */
    public static HandleLocations of(XmlElement root, Handle handle) {
        List<HandleLocation> locations = root.children("location")
                .map(each -> location(each, handle))
                .filter(Objects::nonNull)
                .toList();
        return new HandleLocations(root.attribute("chooseby").map(SelectionStep::list).orElse(SelectionStep.USUAL), locations);
    }

    private static @Nullable HandleLocation location(XmlElement element, Handle handle) {
        String href = element.attributes().get("href");
        if (href == null) {
            String template = element.attributes().get("href_template");
            href = template == null ? null : template.replace("{hdl}", encoded(handle));
        }
        return href == null || href.isBlank() ? null : new HandleLocation(href.strip(), element.attributes());
    }

    private static String encoded(Handle handle) {
        return URLEncoder.encode(handle.toString(), StandardCharsets.UTF_8).replace("+", "%20");
    }
}
