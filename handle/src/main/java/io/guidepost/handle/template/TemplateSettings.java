package io.guidepost.handle.template;

import io.guidepost.base.Malformed;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What an operator may say of templates.
 *
 * @param delimiter between base and extension, where no namespace names one ({@code template_delimiter})
 * @param namespace for prefixes that have none of their own ({@code namespace})
 * @param override whether these count for prefixes too that have their own ({@code template_ns_override})
 */
public record TemplateSettings(Optional<String> delimiter, HandleNamespace namespace, boolean override) {
    /** Prefixes alone decide. */
    public static final TemplateSettings USUAL = new TemplateSettings(Optional.empty(), HandleNamespace.NONE, false);

    boolean isEmpty() {
        return !override && delimiter.isEmpty() && namespace.templates().isEmpty();
    }

    /**
     * The settings as a configuration has them.
     *
     * @param delimiter empty for none
     * @param namespace XML as in a value of type HS_NAMESPACE; empty for none
     * @throws Malformed if the XML is none
     */
    public static TemplateSettings of(String delimiter, String namespace, boolean override) throws Malformed {
        return new TemplateSettings(
                Optional.of(delimiter).filter(each -> !each.isEmpty()),
                namespace.isBlank() ? HandleNamespace.NONE : HandleNamespace.read(namespace.getBytes(StandardCharsets.UTF_8)),
                override);
    }
}
