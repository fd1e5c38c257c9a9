package io.guidepost.handle.template;

import io.guidepost.handle.Handle;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.xml.XmlElement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Expands templates for one handle. Each element is a row here; unknown ones are skipped, as in existing servers. For
 * one thread, and one handle.
 *
 * <pre>
 *  element      attributes                                what it does
 *  template     ref                                       its content, or that of the template that ref refers to
 *  foreach                                                its content for each value of the base
 *  value        index type data                           computes a value. In foreach, missing attributes are those of
 *                                                         the base value, and the index is the first free
 *                                                         one from there; elsewhere type and data are required, and the
 *                                                         index is the first free one. Data may be between the tags
 *  if           value test expression negate parameter    its content if the variable value (extension) passes the test
 *                                                         equals (default) or matches; any negate inverts it;
 *                                                         parameter is a variable for text and groups
 *  else                                                   its content if the last if before it failed; another else
 *                                                         after it inverts again
 *  def          parameter                                 a variable for the rest, with the text between the tags
 *  notfound                                               there is no such handle
 * </pre>
 */
final class TemplateExpansion {
    /** Resolves a template's {@code ref}. */
    @FunctionalInterface
    interface References {
        /**
         * Returns the templates of a value.
         *
         * @param reference {@code index:handle}
         */
        List<XmlElement> templates(String reference) throws IOException, TemplateException;
    }

    private final List<HandleValue> base;
    private final BoundedRegex expressions;
    private final References references;
    private final List<HandleValue> made = new ArrayList<>();
    private final Set<Integer> indexes = new HashSet<>();
    private boolean notFound;
    private int elements;
    private int bytes;
    private int followed;

    private TemplateExpansion(List<HandleValue> base, boolean caseSensitive, References references) {
        this.base = base;
        this.expressions = new BoundedRegex(caseSensitive);
        this.references = references;
    }

    /**
     * Returns the values that templates compute for a handle.
     *
     * @param names {@code handle}, {@code base} and {@code extension}
     * @return empty if a template decides that there is no such handle
     */
    static Optional<List<HandleValue>> of(
            List<XmlElement> templates, Names names, List<HandleValue> base, boolean caseSensitive, References references)
            throws IOException, TemplateException {
        TemplateExpansion expansion = new TemplateExpansion(base, caseSensitive, references);
        TemplateVariables variables = TemplateVariables.NONE
                .with("handle", names.handle)
                .with("base", names.base)
                .with("extension", names.extension);
        for (XmlElement each : templates) {
            expansion.template(each, variables);
        }
        return expansion.notFound ? Optional.empty() : Optional.of(expansion.made);
    }

    /** A handle and its two parts. */
    record Names(String handle, String base, String extension) {
        /** Splits a handle at the first delimiter of its suffix; the delimiter "/" is the slash after the prefix. */
        static Optional<Names> split(Handle handle, String delimiter) {
            String whole = handle.toString();
            int slash = whole.indexOf('/');
            if (delimiter.equals("/")) {
                return Optional.of(new Names(whole, "", whole.substring(slash + 1)));
            }
            int at = whole.indexOf(delimiter, slash + 1);
            return at < 0
                    ? Optional.empty()
                    : Optional.of(new Names(whole, whole.substring(0, at), whole.substring(at + delimiter.length())));
        }
    }

    private void template(XmlElement template, TemplateVariables variables) throws IOException, TemplateException {
        Optional<String> ref = template.attribute("ref");
        if (ref.isEmpty()) {
            content(template, variables, Optional.empty());
            return;
        }
        if (++followed > TemplateLimits.REFERENCES_MAX) {
            throw new TemplateException("templates refer to too many others");
        }
        for (XmlElement each : references.templates(ref.get())) {
            template(each, variables);
        }
    }

    private void content(XmlElement parent, TemplateVariables given, Optional<HandleValue> current) throws TemplateException {
        TemplateVariables variables = given;
        Tested last = new Tested(Optional.of(true), variables);
        for (XmlElement each : parent.children()) {
            if (notFound) {
                return;
            }
            if (++elements > TemplateLimits.ELEMENTS_MAX) {
                throw new TemplateException("templates have too much to do");
            }
            switch (each.name()) {
                case "foreach" -> foreach(each, variables, current);
                case "value" -> value(each, variables, current);
                case "notfound" -> notFound = true;
                case "if" -> {
                    last = tested(each, variables);
                    if (last.passed.orElse(false)) {
                        content(each, last.variables, current);
                    }
                }
                case "else" -> {
                    last = new Tested(last.passed.map(before -> !before), last.variables);
                    if (last.passed.orElse(false)) {
                        content(each, last.variables, current);
                    }
                }
                case "def" -> {
                    String name = each.attribute("parameter").orElse("");
                    variables = name.isEmpty() ? variables : variables.with(name, variables.filled(each.text()));
                }
                default -> {}
            }
        }
    }

    private void foreach(XmlElement element, TemplateVariables variables, Optional<HandleValue> current) throws TemplateException {
        if (current.isPresent()) {
            return;
        }
        for (HandleValue each : base) {
            TemplateVariables inner = variables
                    .with("index", Integer.toUnsignedString(each.index()))
                    .with("type", each.type())
                    .with("data", new String(each.data(), StandardCharsets.UTF_8));
            content(element, inner, Optional.of(each));
        }
    }

    /**
     * The result of an if.
     *
     * @param passed empty if its test is malformed: then neither it nor an else is expanded
     * @param variables for its contents, and for those of the else that follows
     */
    private record Tested(Optional<Boolean> passed, TemplateVariables variables) {}

    private Tested tested(XmlElement element, TemplateVariables variables) throws TemplateException {
        Optional<String> expression = element.attribute("expression");
        boolean negated = element.attribute("negate").isPresent();
        if (expression.isEmpty() && element.attribute("test").isEmpty()) {
            return new Tested(Optional.of(!negated), variables);
        }
        String text = variables.get(element.attribute("value").orElse("extension"));
        String test = element.attribute("test").orElse("equals");
        if (expression.isEmpty() || !test.equals("equals") && !test.equals("matches")) {
            return new Tested(Optional.empty(), variables);
        }
        List<Optional<String>> whole = List.of(Optional.of(text));
        Optional<List<Optional<String>>> found;
        if (test.equals("matches")) {
            found = expressions.match(expression.get(), text);
        } else {
            found = text.equals(expression.get()) ? Optional.of(whole) : Optional.empty();
        }
        TemplateVariables inner = element.attribute("parameter")
                .map(each -> variables.with(each, found.orElse(whole)))
                .orElse(variables);
        return new Tested(Optional.of(found.isPresent() != negated), inner);
    }

    private void value(XmlElement element, TemplateVariables variables, Optional<HandleValue> current) throws TemplateException {
        Optional<String> text = element.attribute("data")
                .or(() -> Optional.of(element.text()).filter(each -> !each.isEmpty()));
        Optional<String> type = element.attribute("type");
        if (current.isEmpty() && (text.isEmpty() || type.isEmpty())) {
            return;
        }
        HandleValue like = current.orElse(HandleValue.of(1, "", new byte[0]));
        byte[] data = text.isPresent()
                ? variables.filled(text.get()).getBytes(StandardCharsets.UTF_8)
                : like.data();
        String typeName = type.isPresent() ? variables.filled(type.get()) : like.type();
        int index = current.isEmpty() ? 1 : element.attribute("index").flatMap(TemplateExpansion::number).orElse(like.index());
        while (!indexes.add(index)) {
            index = index == Integer.MAX_VALUE ? 1 : index + 1;
        }
        bytes += HandleValue.BYTES_MIN + data.length + typeName.length();
        if (made.size() == io.guidepost.handle.HandleLimits.VALUES_MAX
                || bytes > TemplateLimits.BYTES_MAX
                || typeName.length() > io.guidepost.handle.HandleLimits.TYPE_BYTES_MAX / 4) {
            throw new TemplateException("templates compute too many values, or too long ones");
        }
        made.add(new HandleValue(
                index, typeName, data, like.permissions(), like.ttl(), like.changedSeconds(), like.references()));
    }

    private static Optional<Integer> number(String text) {
        return text.matches("[0-9]{1,9}") ? Optional.of(Integer.parseInt(text)) : Optional.empty();
    }
}
