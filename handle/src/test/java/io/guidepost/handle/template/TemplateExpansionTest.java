package io.guidepost.handle.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.Ttl;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import net.handle.hdllib.NamespaceInfo;
import net.handle.hdllib.Util;
import org.junit.jupiter.api.Test;

/** What templates make; held against what the client library of the Handle system makes of the same ones. */
class TemplateExpansionTest {
    private static final TemplateExpansion.Names NAMES = new TemplateExpansion.Names("10.5/b@ext-1", "10.5/b", "ext-1");
    private static final List<HandleValue> BASE = List.of(
            HandleValue.of(1, "URL", "http://a/x"),
            HandleValue.of(2, "EMAIL", "me@x"),
            new HandleValue(7, "DESC", new byte[0], Permissions.SECRET, new Ttl.Relative(77), 1234, List.of()));

    private static Optional<List<HandleValue>> ours(String content, boolean caseSensitive)
            throws IOException, Malformed, TemplateException {
        String xml = "<namespace><template delimiter='@'>" + content + "</template></namespace>";
        HandleNamespace namespace = HandleNamespace.read(xml.getBytes(StandardCharsets.UTF_8));
        return TemplateExpansion.of(namespace.templates(), NAMES, BASE, caseSensitive, ref -> List.of());
    }

    private static List<String> made(String content) throws IOException, Malformed, TemplateException {
        return ours(content, false)
                .map(TemplateExpansionTest::shown)
                .orElse(List.of("not found"));
    }

    private static List<String> shown(List<HandleValue> values) {
        List<String> lines = new ArrayList<>();
        for (HandleValue each : values) {
            lines.add(each.index() + " " + each.type() + " " + new String(each.data(), StandardCharsets.UTF_8));
        }
        Collections.sort(lines);
        return lines;
    }

    private static List<String> theirs(String content, boolean caseSensitive) throws Exception {
        net.handle.hdllib.HandleValue[] base = new net.handle.hdllib.HandleValue[BASE.size()];
        for (int i = 0; i < base.length; i++) {
            HandleValue each = BASE.get(i);
            base[i] = new net.handle.hdllib.HandleValue(each.index(), Util.encodeString(each.type()), each.data());
        }
        String xml = "<namespace><template delimiter='@'>" + content + "</template></namespace>";
        net.handle.hdllib.HandleValue[] made = new NamespaceInfo(xml.getBytes(StandardCharsets.UTF_8))
                .templateConstruct(
                        base, NAMES.handle(), NAMES.base(), NAMES.extension(), caseSensitive, null, (short) 0);
        if (made == null) {
            return List.of("not found");
        }
        List<String> lines = new ArrayList<>();
        for (net.handle.hdllib.HandleValue each : made) {
            lines.add(each.getIndex() + " " + each.getTypeAsString() + " " + Util.decodeString(each.getData()));
        }
        Collections.sort(lines);
        return lines;
    }

    /** Elements, attributes and texts at random, most of them sensible. */
    private static final class Writer {
        private final SplittableRandom random;

        Writer(SplittableRandom random) {
            this.random = random;
        }

        private String one(String... of) {
            return of[random.nextInt(of.length)];
        }

        private String maybe(String name, String... of) {
            return random.nextBoolean() ? " " + name + "='" + one(of) + "'" : "";
        }

        String content(int depth) {
            StringBuilder out = new StringBuilder();
            for (int i = random.nextInt(4); i >= 0; i--) {
                out.append(element(depth));
            }
            return out.toString();
        }

        private String text() {
            return one("x", "${data}?${extension}", "${x[1]}|${x}", "$${a}${", "${nosuch}\\${", "${y[2]}${handle}", "${index}", "");
        }

        private String element(int depth) {
            int kind = depth == 0 ? 0 : random.nextInt(10);
            return switch (kind) {
                case 1, 2 -> "<foreach>" + content(depth - 1) + "</foreach>";
                case 3, 4, 5 -> "<if" + maybe("value", "extension", "type", "data", "x[1]", "nosuch", "handle")
                        + maybe("test", "equals", "matches", "matches", "other")
                        + maybe("expression", "ext-1", "URL", "url", "(.*)-(.)", "(h)(.*)", ".*", "([a-z]+)(@)?(x)?.*")
                        + (random.nextInt(6) == 0 ? " negate='true'" : "")
                        + maybe("parameter", "x", "y", "extension") + ">" + content(depth - 1) + "</if>";
                case 6, 7 -> "<else>" + content(depth - 1) + "</else>";
                case 8 -> random.nextInt(8) == 0 ? "<notfound/>" : "<unknown>" + content(depth - 1) + "</unknown>";
                default -> {
                    String start = "<value" + maybe("index", "1", "3", "12", "x", "0", "${index}")
                            + maybe("type", "URL", "T", "${type}", "${extension}")
                            + (random.nextBoolean() ? " data='" + text() + "'" : "");
                    yield random.nextInt(3) == 0 ? start + ">" + text() + "</value>" : start + "/>";
                }
            };
        }
    }

    @Test
    void templatesMakeWhatTheClientLibraryMakes() throws Exception {
        SplittableRandom random = new SplittableRandom(102);
        int withValues = 0;
        for (int i = 0; i < 5_000; i++) {
            String content = new Writer(random).content(3);
            boolean caseSensitive = random.nextBoolean();
            List<String> ours = ours(content, caseSensitive)
                    .map(TemplateExpansionTest::shown)
                    .orElse(List.of("not found"));
            assertThat(ours).as(content).isEqualTo(theirs(content, caseSensitive));
            withValues += ours.isEmpty() || ours.getFirst().equals("not found") ? 0 : 1;
        }
        assertThat(withValues).isGreaterThan(1_500);
    }

    @Test
    void aValueOfTheBaseIsChangedInPart() throws Exception {
        assertThat(made("<foreach><if value='type' test='equals' expression='URL'>"
                        + "<value data='${data}?x=${extension}'/></if><else><value/></else></foreach>"))
                .containsExactly("1 URL http://a/x?x=ext-1", "2 EMAIL me@x", "7 DESC ");
        HandleValue last = ours("<foreach><value data='d'/></foreach>", false).orElseThrow().getLast();
        assertThat(last.permissions()).isEqualTo(Permissions.SECRET);
        assertThat(last.ttl()).isEqualTo(new Ttl.Relative(77));
        assertThat(last.changedSeconds()).isEqualTo(1234);
    }

    @Test
    void groupsOfAnExpressionAreVariables() throws Exception {
        assertThat(made("<if value='extension' test='matches' expression='([a-z]*)-([0-9])' parameter='x'>"
                        + "<value type='URL' data='http://y/${x[2]}/${x[1]}'/></if>"))
                .containsExactly("1 URL http://y/1/ext");
        assertThat(made("<def parameter='p'>a${extension}</def><value type='URL' data='${p}'/>"))
                .containsExactly("1 URL aext-1");
        assertThat(made("<foreach><value/></foreach><notfound/>")).containsExactly("not found");
    }

    private static boolean passes(String expression, String text) throws IOException, Malformed, TemplateException {
        TemplateExpansion.Names names = new TemplateExpansion.Names("10.5/b@" + text, "10.5/b", text);
        HandleNamespace namespace = HandleNamespace.read(("<template><if test='matches' expression='" + expression
                        + "'><value type='T' data=''/></if></template>")
                .getBytes(StandardCharsets.UTF_8));
        return !TemplateExpansion.of(namespace.templates(), names, BASE, false, ref -> List.of())
                .orElseThrow()
                .isEmpty();
    }

    @Test
    void whatTakesTooLongFails() throws Exception {
        String text = "a".repeat(60);
        for (String each : List.of("(a+)+\\1b", "(){999999999}", "((){9999}){9999}", "(", "[", "x".repeat(2000))) {
            assertThatThrownBy(() -> passes(each, text)).as(each).isInstanceOf(TemplateException.class);
        }
        assertThat(passes("(a{1,100})", text)).isTrue();
        for (String each : List.of("(a+)+b", "(a|a)*b", "(.*)*x", "(a|b|ab)*c", "(a*)*(a*)*(a*)*b")) {
            try {
                assertThat(passes(each, text)).as(each).isFalse();
            } catch (TemplateException e) {
                assertThat(e).as(each).hasMessageContaining("too long");
            }
        }
        try {
            assertThat(passes("(a|aa)+", "a".repeat(2000))).isTrue();
        } catch (TemplateException e) {
            assertThat(e).hasMessageContaining("too long");
        }
    }

    @Test
    void whatGrowsFails() throws Malformed {
        List<HandleValue> many = new ArrayList<>();
        for (int i = 1; i <= 2000; i++) {
            many.add(HandleValue.of(i, "URL", "x".repeat(100)));
        }
        String doubled = "<def parameter='p'>${p}${p}</def>";
        for (String each : List.of(
                "<foreach><value/><value/></foreach>",
                "<foreach>" + "<unknown/>".repeat(20) + "</foreach>",
                "<foreach><value data='${data}${data}${data}'/></foreach>",
                "<def parameter='p'>xxxxxxxx</def>" + doubled.repeat(20))) {
            HandleNamespace namespace = HandleNamespace.read(("<template>" + each + "</template>").getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(() -> TemplateExpansion.of(namespace.templates(), NAMES, many, false, ref -> List.of()))
                    .as(each)
                    .isInstanceOf(TemplateException.class);
        }
    }
}
