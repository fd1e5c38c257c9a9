package io.guidepost.handle.template;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The variables in scope at an element of a template: text, and perhaps the groups of the expression that matched it.
 * Unknown ones are empty. Immutable: inner scopes extend the outer one's chain.
 *
 * <p>In text, <code>${name}</code> stands for the variable, and <code>${name[n]}</code> for group n of it. A backslash
 * escapes the next character, and so does a dollar sign another one.
 */
final class TemplateVariables {
    static final TemplateVariables NONE = new TemplateVariables(null, "", List.of());

    private final @Nullable TemplateVariables outer;
    private final String name;
    private final List<Optional<String>> groups;

    private TemplateVariables(@Nullable TemplateVariables outer, String name, List<Optional<String>> groups) {
        this.outer = outer;
        this.name = name;
        this.groups = groups;
    }

    TemplateVariables with(String another, String text) {
        return with(another, List.of(Optional.of(text)));
    }

    TemplateVariables with(String another, List<Optional<String>> found) {
        return new TemplateVariables(this, another, found);
    }

    /** Returns the value of {@code name} or {@code name[n]}. */
    String get(String reference) {
        int open = reference.indexOf('[');
        if (open < 0) {
            return get(reference, 0);
        }
        String digits = reference.endsWith("]") ? reference.substring(open + 1, reference.length() - 1) : "";
        return digits.matches("[0-9]{1,4}") ? get(reference.substring(0, open), Integer.parseInt(digits)) : "";
    }

    private String get(String wanted, int group) {
        for (TemplateVariables each = this; each != null; each = each.outer) {
            if (each.name.equals(wanted)) {
                return group < each.groups.size() ? each.groups.get(group).orElse("") : "";
            }
        }
        return "";
    }

    /** Returns a text with its variables replaced, once: their values are not expanded again. */
    String filled(String text) throws TemplateException {
        StringBuilder out = new StringBuilder(text.length() + 32);
        int at = 0;
        while (at < text.length()) {
            char each = text.charAt(at);
            boolean last = at + 1 == text.length();
            if (each == '\\' && !last) {
                out.append(text.charAt(at + 1));
                at += 2;
            } else if (each == '$' && !last && text.charAt(at + 1) == '{') {
                int close = text.indexOf('}', at);
                if (close < 0) {
                    return out.append(text, at, text.length()).toString();
                }
                out.append(get(text.substring(at + 2, close)));
                at = close + 1;
            } else {
                boolean pair = each == '$' && !last;
                out.append(text, at, pair ? at + 2 : at + 1);
                at += pair ? 2 : 1;
            }
            if (out.length() > TemplateLimits.BYTES_MAX) {
                throw new TemplateException("a value is too long");
            }
        }
        return out.toString();
    }
}
