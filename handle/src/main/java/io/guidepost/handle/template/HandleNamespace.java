package io.guidepost.handle.template;

import io.guidepost.base.Malformed;
import io.guidepost.handle.xml.XmlElement;
import java.util.List;
import java.util.Optional;

/**
 * What a prefix says of all its handles: a value of type HS_NAMESPACE.
 *
 * @param delimiter between base and extension of its handles, if the first template names one
 * @param templates carried out one after the other
 */
public record HandleNamespace(Optional<String> delimiter, List<XmlElement> templates) {
    /** Says nothing. */
    public static final HandleNamespace NONE = new HandleNamespace(Optional.empty(), List.of());

    /** Copies the list. */
    public HandleNamespace {
        templates = List.copyOf(templates);
    }

    /**
     * Reads a value's data; one that is a {@code <template>} by itself is taken too, as {@code ref} may point to one.
     *
     * @throws Malformed with the first reason and its offset
     */
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
