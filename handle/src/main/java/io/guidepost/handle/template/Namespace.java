package io.guidepost.handle.template;

import io.guidepost.handle.xml.Element;
import io.guidepost.names.Malformed;
import java.util.List;
import java.util.Optional;

/**
 * What a prefix says of all its handles: a value of type HS_NAMESPACE.
 *
 * @param delimiter between base and extension of its handles, if the first template names one
 * @param templates carried out one after the other
 */
public record Namespace(Optional<String> delimiter, List<Element> templates) {
    /** Says nothing. */
    public static final Namespace NONE = new Namespace(Optional.empty(), List.of());

    /** Copies the list. */
    public Namespace {
        templates = List.copyOf(templates);
    }

    /**
     * Reads a value's data; one that is a {@code <template>} by itself is taken too, as {@code ref} may point to one.
     *
     * @throws Malformed with the first reason and its offset
     */
    public static Namespace read(byte[] data) throws Malformed {
        Element root = Element.read(data);
        List<Element> templates = root.name().equals("template")
                ? List.of(root)
                : root.children().stream()
                        .filter(each -> each.name().equals("template"))
                        .toList();
        return new Namespace(
                templates.stream()
                        .findFirst()
                        .flatMap(each -> each.attribute("delimiter"))
                        .filter(each -> !each.isEmpty()),
                templates);
    }
}
