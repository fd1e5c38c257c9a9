package io.guidepost.naming;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.names.NameForm;
import io.guidepost.web.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/http.md says what the document and the code say. */
final class HttpPageTest {
    private static final Set<String> METHODS = Set.of("get", "put", "patch", "delete", "post");

    /** The cells of the rows of a table between two marks. */
    private static List<List<String>> rows(String mark) throws IOException {
        String page = Files.readString(Path.of("../docs/http.md"));
        String table = page.substring(page.indexOf("<!-- " + mark + " -->"));
        return table.substring(0, table.indexOf("<!-- end -->")).lines()
                .filter(each -> each.startsWith("| `"))
                .map(each -> List.of(each.substring(2, each.length() - 2).replace("`", "").split(" \\| ", -1)))
                .toList();
    }

    @Test
    void itHasEachOperation() throws Exception {
        Map<?, ?> paths = requireNonNull((Map<?, ?>) JsonValue.read(NamesApi.document()).whole().object().get("paths"));
        Set<String> expected = new TreeSet<>();
        paths.forEach((path, item) -> ((Map<?, ?>) item).forEach((method, body) -> {
            if (METHODS.contains(method)) {
                expected.add(((String) method).toUpperCase(java.util.Locale.ROOT) + " " + path + " " + ((Map<?, ?>) body).get("summary"));
            }
        }));
        Set<String> found = rows("operations").stream().map(each -> String.join(" ", each)).collect(Collectors.toSet());
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void itsVectorsAreRight() throws Exception {
        List<List<String>> vectors = rows("vectors");
        assertThat(vectors).hasSizeGreaterThan(4);
        for (List<String> each : vectors) {
            NameForm name = NameForm.parse(each.get(0));
            assertThat(List.of(name.text().orElse(""), name.guid().toString())).as(each.get(0)).isEqualTo(each.subList(1, 3));
        }
    }
}
