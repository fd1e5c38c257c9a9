package io.guidepost.handle.template;

import io.guidepost.base.Malformed;
import io.guidepost.handle.xml.XmlElement;
import java.util.List;
import java.util.Optional;

/**
 * The namespace of a prefix's handles: a value of type HS_NAMESPACE.
 *
 * @param delimiter between base and extension of its handles, if the first template names one
 * @param templates expanded in order
 */
public record HandleNamespace(Optional<String> delimiter, List<XmlElement> templates) {
    /** An empty namespace. */
    public static final HandleNamespace NONE = new HandleNamespace(Optional.empty(), List.of());

    /** Copies the list. */
    public HandleNamespace {
        templates = List.copyOf(templates);
    }

    /** Parses a value's data; a lone {@code <template>} is accepted too, as {@code ref} may refer to one. */
    public static HandleNamespace read(byte[] data) throws Malformed {
        XmlElement root = XmlElement.read(data);
        List<XmlElement> templates = root.name().equals("template")
                ? List.of(root)
                : root.children().stream()
                        .filter(each -> each.name().equals("template"))
                        .toList();
        return new HandleNamespace(
                templates.stream()
                        .findFirst()
                        .flatMap(each -> each.attribute("delimiter"))
                        .filter(each -> !each.isEmpty()),
                templates);
    }
}
