package io.guidepost.alto.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.alto.ResourceContent;
import io.guidepost.base.Malformed;
import io.guidepost.web.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A patch makes of one document the other, whatever they are. */
class JsonPatchTest {
    private static final int ROUNDS = 3_000;

    private static JsonValue read(String text) throws Malformed {
        return JsonValue.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static String text(JsonValue json) {
        return new String(JsonTrees.bytes(json), StandardCharsets.UTF_8).replace('"', '\'');
    }

    /** The cases of RFC 7396 appendix A. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock = """
        {'a':'b'}|{'a':'c'}|{'a':'c'}
        {'a':'b'}|{'b':'c'}|{'a':'b','b':'c'}
        {'a':'b'}|{'a':null}|{}
        {'a':'b','b':'c'}|{'a':null}|{'b':'c'}
        {'a':['b']}|{'a':'c'}|{'a':'c'}
        {'a':'c'}|{'a':['b']}|{'a':['b']}
        {'a':{'b':'c'}}|{'a':{'b':'d','c':null}}|{'a':{'b':'d'}}
        {'a':[{'b':'c'}]}|{'a':[1]}|{'a':[1]}
        ['a','b']|['c','d']|['c','d']
        {'a':'b'}|['c']|['c']
        {'a':'foo'}|null|null
        {'a':'foo'}|'bar'|'bar'
        {'e':null}|{'a':1}|{'e':null,'a':1}
        [1,2]|{'a':'b','c':null}|{'a':'b'}
        {}|{'a':{'bb':{'ccc':null}}}|{'a':{'bb':{}}}
        """)
    void mergePatchesAreApplied(String document, String patch, String result) throws Malformed {
        assertThat(text(JsonPatchApplication.merge(read(document), read(patch)))).isEqualTo(result);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock = """
        {'a':1}|[{'op':'add','path':'/b','value':[null]}]|{'a':1,'b':[null]}
        {'a':[1,3]}|[{'op':'add','path':'/a/1','value':2}]|{'a':[1,2,3]}
        {'a':[1]}|[{'op':'add','path':'/a/-','value':2}]|{'a':[1,2]}
        {'a':1,'b':2}|[{'op':'remove','path':'/b'}]|{'a':1}
        {'a':[1,2,3]}|[{'op':'remove','path':'/a/1'}]|{'a':[1,3]}
        {'a':1}|[{'op':'replace','path':'','value':[]}]|[]
        {'a':{'b':1},'c':{}}|[{'op':'move','from':'/a/b','path':'/c/d'}]|{'a':{},'c':{'d':1}}
        {'a':{'b':[1]}}|[{'op':'copy','from':'/a','path':'/c'},{'op':'add','path':'/c/b/0','value':0}]|{'a':{'b':[1]},'c':{'b':[0,1]}}
        {'a/b':{'m~n':1}}|[{'op':'replace','path':'/a~1b/m~0n','value':2}]|{'a/b':{'m~n':2}}
        {'':1}|[{'op':'test','path':'/','value':1}]|{'':1}
        """)
    void jsonPatchesAreApplied(String document, String patch, String result) throws Malformed {
        JsonValue before = read(document);
        assertThat(text(JsonPatchApplication.apply(before, read(patch)))).isEqualTo(result);
        assertThat(text(before)).as("the document is left as it is").isEqualTo(document);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock = """
        {}|{'op':'remove','path':'/a'}
        {}|[{'op':'remove','path':'/a'}]
        {}|[{'op':'remove','path':''}]
        {}|[{'op':'replace','path':'/a','value':1}]
        {}|[{'op':'add','path':'/a'}]
        {}|[{'op':'add','path':'a','value':1}]
        {}|[{'op':'add','path':'/a/b','value':1}]
        {}|[{'op':'grow','path':'/a','value':1}]
        {}|[{'path':'/a','value':1}]
        {'a':[1]}|[{'op':'add','path':'/a/2','value':1}]
        {'a':[1]}|[{'op':'add','path':'/a/01','value':1}]
        {'a':[1]}|[{'op':'remove','path':'/a/-'}]
        {'a':[1]}|[{'op':'remove','path':'/a/-1'}]
        {'a':[1]}|[{'op':'remove','path':'/a/99999999999'}]
        {'a':{'b':1}}|[{'op':'move','from':'/a','path':'/a/b'}]
        {'a':1}|[{'op':'test','path':'/a','value':2}]
        """)
    void aPatchThatDoesNotFitIsRefused(String document, String patch) throws Malformed {
        JsonValue before = read(document);
        JsonValue operations = read(patch);
        assertThatThrownBy(() -> JsonPatchApplication.apply(before, operations)).isInstanceOf(Malformed.class);
    }

    @Test
    void whatPatchesSayIsWhatIsMissing() throws Malformed {
        Random random = new Random(7396);
        int merged = 0;
        for (int round = 0; round < ROUNDS; round++) {
            JsonValue from = value(random, 4);
            JsonValue to = random.nextInt(8) == 0 ? value(random, 4) : changed(random, from);
            String what = text(from) + " to " + text(to);
            Optional<JsonValue> merge = MergePatch.diff(from, to);
            if (merge.isPresent()) {
                merged++;
                assertThat(JsonTrees.same(JsonPatchApplication.merge(from, merge.get()), to)).as(what).isTrue();
            } else {
                assertThat(hasNullMember(to)).as("no merge patch, " + what).isTrue();
            }
            JsonValue patch = JsonPatch.diff(from, to).orElseThrow();
            assertThat(JsonTrees.same(JsonPatchApplication.apply(from, patch), to)).as(what + " by " + text(patch)).isTrue();
            TreeDiff unlike = TreeDiff.of(JsonTrees.bytes(from), JsonTrees.bytes(to));
            JsonValue ofRest = JsonPatch.diff(JsonValue.read(unlike.from()), JsonValue.read(unlike.to())).orElseThrow();
            assertThat(JsonTrees.same(JsonPatchApplication.apply(from, ofRest), to)).as(what + ", of what differs").isTrue();
            Optional<JsonValue> mergeOfRest = MergePatch.diff(JsonValue.read(unlike.from()), JsonValue.read(unlike.to()));
            assertThat(mergeOfRest.isPresent() || merge.isEmpty()).as(what + ", merge patch of what differs").isTrue();
            if (mergeOfRest.isPresent()) {
                assertThat(JsonTrees.same(JsonPatchApplication.merge(from, mergeOfRest.get()), to)).as(what + ", of what differs").isTrue();
            }
            JsonValue again = JsonValue.read(JsonTrees.bytes(patch));
            assertThat(JsonTrees.same(JsonPatchApplication.apply(from, again), to)).as(what + ", as text").isTrue();
        }
        assertThat(merged).isGreaterThan(ROUNDS / 4);
    }

    @Test
    void onePrefixOfManyIsOneOperation() throws Malformed {
        Map<String, JsonValue> pids = new LinkedHashMap<>();
        for (int pid = 0; pid < 100; pid++) {
            pids.put("p" + pid, prefixes(pid, 300));
        }
        JsonValue from = new JsonValue.Members(pids, 0);
        Map<String, JsonValue> next = new LinkedHashMap<>(pids);
        List<JsonValue> fewer = new ArrayList<>(((JsonValue.Elements) prefixes(7, 300)).elements());
        JsonValue moved = fewer.remove(150);
        next.put("p7", new JsonValue.Elements(fewer, 0));
        List<JsonValue> more = new ArrayList<>(((JsonValue.Elements) prefixes(8, 300)).elements());
        more.add(10, moved);
        next.put("p8", new JsonValue.Elements(more, 0));
        JsonValue to = new JsonValue.Members(next, 0);
        assertThat(text(JsonPatch.diff(from, to).orElseThrow()))
                .isEqualTo("[{'op':'remove','path':'/p7/150'},{'op':'add','path':'/p8/10','value':'10.7.150.0/24'}]");

        ResourceUpdate update = new PatchCache().between("net", content("1", from), content("2", to));
        assertThat(update.mediaType()).isEqualTo("application/json-patch+json");
        assertThat(update.body()).hasSizeLessThan(200);
    }

    /** What is the same in both is in neither, whatever stands in strings, and however it is spaced. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock = """
        {'a':1,'b':2}|{'a':1,'b':3}|{'b':2}|{'b':3}
        {'a':{'x':[1,2],'y':0},'b':{'z':1}}|{'a':{'x':[1,2],'y':1},'b':{'z':1}}|{'a':{'y':0}}|{'a':{'y':1}}
        {'a':1}|{'b':1}|{'a':1}|{'b':1}
        { 'a' : [ {} , '}' ] , 'b' : 1 }|{'b':1 ,'a':[ {} , '}' ] }|{}|{}
        {'a}':'{\\\\','b':'\\'','c':true}|{'a}':'{\\\\','b':'\\'','c':null}|{'c':true}|{'c':null}
        {}|{}|{}|{}
        [1]|[2]|[1]|[2]
        {'a':[1]}|{'a':{'b':1}}|{'a':[1]}|{'a':{'b':1}}
        {'a':1|{'a':2|{'a':1|{'a':2
        """)
    void whatIsAlikeIsLeftOut(String from, String to, String leftOfFrom, String leftOfTo) {
        TreeDiff unlike = TreeDiff.of(bytes(from), bytes(to));
        assertThat(unlike.from()).asString().isEqualTo(leftOfFrom.replace('\'', '"'));
        assertThat(unlike.to()).asString().isEqualTo(leftOfTo.replace('\'', '"'));
    }

    private static JsonValue prefixes(int pid, int count) {
        List<JsonValue> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(new JsonValue.Text("10." + pid + "." + i + ".0/24", 0));
        }
        return new JsonValue.Elements(all, 0);
    }

    private static ResourceContent content(String tag, JsonValue json) {
        return new ResourceContent("application/alto-networkmap+json", tag, JsonTrees.bytes(json));
    }

    @Test
    void theSmallestIsTold() {
        PatchCache differences = new PatchCache();
        ResourceContent last = new ResourceContent("application/alto-costmap+json", "1", bytes("{'cost-map':{'a':{'a':0,'b':17,'c':12}}}"));
        ResourceContent next = new ResourceContent("application/alto-costmap+json", "2", bytes("{'cost-map':{'a':{'a':0,'b':17,'c':13}}}"));
        ResourceContent other = new ResourceContent("application/alto-costmap+json", "3", bytes("{'d':1}"));
        ResourceContent nulls = new ResourceContent("application/alto-costmap+json", "4",
                bytes("{'cost-map':{'a':{'a':0,'b':null,'c':12}}}"));
        assertThat(differences.between("c", last, next).mediaType()).isEqualTo("application/merge-patch+json");
        assertThat(differences.between("c", last, next))
                .as("made once").isSameAs(differences.between("c", last, next));
        assertThat(differences.between("c", last, other).body()).isSameAs(other.body());
        assertThat(differences.between("c", last, nulls).body()).isSameAs(nulls.body());
        ResourceContent parts = new ResourceContent("multipart/related;boundary=x", "", bytes("--x--"));
        assertThat(differences.between("p", parts, parts).mediaType()).isEqualTo("multipart/related;boundary=x");
    }

    private static byte[] bytes(String text) {
        return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    private static JsonValue value(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 5)) {
            case 0 -> new JsonValue.Number(String.valueOf(random.nextInt(5)), 0);
            case 1, 2 -> new JsonValue.Text(name(random), 0);
            case 3 -> new JsonValue.Truth(random.nextBoolean(), 0);
            case 4 -> random.nextInt(3) == 0 ? new JsonValue.Null(0) : new JsonValue.Number("1.5", 0);
            case 5, 6 -> {
                boolean texts = random.nextBoolean();
                List<JsonValue> elements = new ArrayList<>();
                for (int i = random.nextInt(6); i > 0; i--) {
                    elements.add(texts ? new JsonValue.Text(name(random), 0) : value(random, depth - 1));
                }
                yield new JsonValue.Elements(elements, 0);
            }
            default -> {
                Map<String, JsonValue> members = new LinkedHashMap<>();
                for (int i = random.nextInt(6); i > 0; i--) {
                    members.put(name(random), value(random, depth - 1));
                }
                yield new JsonValue.Members(members, 0);
            }
        };
    }

    private static String name(Random random) {
        return List.of("a", "b", "a/b", "~", "~1", "", "10.0.0.0/8", "\u00e9\"", "0", "-", "x").get(random.nextInt(11));
    }

    private static JsonValue changed(Random random, JsonValue from) {
        if (random.nextInt(12) == 0) {
            return value(random, 2);
        }
        return switch (from) {
            case JsonValue.Members(Map<String, JsonValue> members, long _) -> {
                Map<String, JsonValue> next = new LinkedHashMap<>();
                members.forEach((name, each) -> {
                    if (random.nextInt(6) > 0) {
                        next.put(name, random.nextInt(3) == 0 ? changed(random, each) : each);
                    }
                });
                if (random.nextBoolean()) {
                    next.put(name(random), value(random, 2));
                }
                yield new JsonValue.Members(next, 0);
            }
            case JsonValue.Elements(List<JsonValue> elements, long _) -> {
                List<JsonValue> next = new ArrayList<>();
                elements.forEach(each -> {
                    if (random.nextInt(6) > 0) {
                        next.add(random.nextInt(4) == 0 ? changed(random, each) : each);
                    }
                });
                if (random.nextBoolean()) {
                    next.add(random.nextInt(next.size() + 1), new JsonValue.Text(name(random), 0));
                }
                yield new JsonValue.Elements(next, 0);
            }
            default -> random.nextInt(4) == 0 ? value(random, 1) : from;
        };
    }

    private static boolean hasNullMember(JsonValue json) {
        return json instanceof JsonValue.Members(Map<String, JsonValue> members, long _)
                && members.values().stream().anyMatch(each -> each instanceof JsonValue.Null || hasNullMember(each));
    }
}
