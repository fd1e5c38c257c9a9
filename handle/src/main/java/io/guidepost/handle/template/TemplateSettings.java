package io.guidepost.handle.template;

import io.guidepost.base.Malformed;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The operator's settings of templates.
 *
 * @param delimiter between base and extension, where no namespace names one ({@code template_delimiter})
 * @param namespace for prefixes without one of their own ({@code namespace})
 * @param override whether it also replaces the prefixes' own ({@code template_ns_override})
 */
public record TemplateSettings(Optional<String> delimiter, HandleNamespace namespace, boolean override) {
    /** The defaults: the prefixes' namespaces alone. */
    public static final TemplateSettings USUAL = new TemplateSettings(Optional.empty(), HandleNamespace.NONE, false);

    boolean isEmpty() {
        return !override && delimiter.isEmpty() && namespace.templates().isEmpty();
    }

    /**
     * Parses the settings of a configuration.
     *
     * @param delimiter empty for none
     * @param namespace XML as in a value of type HS_NAMESPACE; empty for none
     * @throws Malformed if the XML is malformed
     */
    public static TemplateSettings of(String delimiter, String namespace, boolean override) throws Malformed {
        return new TemplateSettings(
                Optional.of(delimiter).filter(each -> !each.isEmpty()),
                namespace.isBlank() ? HandleNamespace.NONE : HandleNamespace.read(namespace.getBytes(StandardCharsets.UTF_8)),
                override);
    }
}
