package io.guidepost.handle.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.store.StoreOptions;
import io.guidepost.web.JsonField;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Handles found by their values. */
class ValueSearchTest {
    private static List<String> search(RestStand door, String query) throws IOException, Malformed {
        List<String> found = new ArrayList<>();
        RestStand.Answered answer = door.get("/api/search?" + query).answer();
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        for (JsonField each : answer.json().member("handles").elements(1000)) {
            found.add(each.text());
        }
        return found;
    }

    @Test
    void handlesAreFoundAsLongAsTheyHaveTheValue() throws IOException, Malformed {
        try (RestStand door = RestStand.inMemory()) {
            door.put("1234/Ab", HandleValue.of(1, "url", "http://e.x/"), HandleValue.of(2, "Email", "a@e.x"));
            door.put("1234/b", HandleValue.of(1, "URL", "http://e.x/"), HandleValue.of(3, "URL", "http://e.x/"));
            assertThat(search(door, "type=URL&value=http://e.x/")).containsExactly("1234/Ab", "1234/b");
            assertThat(search(door, "type=email&value=a@e.x")).containsExactly("1234/Ab");
            door.put("1234/b", HandleValue.of(1, "URL", "http://e.x/2"));
            assertThat(search(door, "type=URL&value=http://e.x/")).containsExactly("1234/Ab");
            assertThat(search(door, "type=URL&value=http://e.x/2")).containsExactly("1234/b");
            door.administrators();
            assertThat(door.ask("DELETE", "/api/handles/1234/ab").byAdmin().answer().status()).isEqualTo(200);
            assertThat(search(door, "type=URL&value=http://e.x/")).isEmpty();
        }
    }

    @Test
    void whatNotEverybodyMayReadIsNotFound() throws IOException, Malformed {
        try (RestStand door = new RestStand(StoreOptions.inMemory(), Set.of("HS_SECKEY"))) {
            door.administrators();
            assertThat(search(door, "type=HS_SECKEY&value=secret")).isEmpty();
            assertThat(door.get("/api/search?type=URL&value=x").answer().status()).isEqualTo(400);
            assertThat(door.get("/api/search?type=HS_SECKEY").answer().status()).isEqualTo(400);
        }
    }

    @Test
    void aLongResultComesInPages() throws IOException, Malformed {
        try (RestStand door = RestStand.inMemory()) {
            for (int i = 0; i < 1300; i++) {
                door.put("1234/%04d".formatted(i), HandleValue.of(1, "URL", "same"));
            }
            List<String> all = new ArrayList<>();
            Optional<JsonField> next = Optional.empty();
            do {
                String after = next.isPresent() ? "&after=" + next.get().text() : "";
                JsonField page = door.get("/api/search?type=URL&value=same&pageSize=600" + after).answer().json();
                for (JsonField each : page.member("handles").elements(600)) {
                    all.add(each.text());
                }
                next = page.find("next");
            } while (next.isPresent());
            assertThat(all).hasSize(1300).doesNotHaveDuplicates().isSorted();
        }
    }

    @Test
    void theIndexOutlivesTheServerAndIsMadeForOlderRecords(@TempDir Path folder) throws IOException, Malformed {
        StoreOptions options = StoreOptions.in(folder);
        try (RestStand door = new RestStand(options, Set.of("EMAIL"))) {
            assertThat(door.index.complete(door.store)).isZero();
            for (int i = 0; i < 1500; i++) {
                door.put("1234/%04d".formatted(i), HandleValue.of(1, "URL", "u" + i), HandleValue.of(2, "EMAIL", "e" + i));
            }
        }
        try (RestStand door = new RestStand(options, Set.of("EMAIL", "URL"))) {
            assertThat(search(door, "type=EMAIL&value=e7")).containsExactly("1234/0007");
            assertThat(search(door, "type=URL&value=u7")).isEmpty();
            assertThat(door.index.complete(door.store)).isEqualTo(1500);
            assertThat(search(door, "type=URL&value=u7")).containsExactly("1234/0007");
            assertThat(search(door, "type=URL&value=u1499")).containsExactly("1234/1499");
            assertThat(door.index.complete(door.store)).isZero();
        }
        try (RestStand door = new RestStand(options, Set.of("EMAIL", "URL"))) {
            assertThat(search(door, "type=URL&value=u7")).containsExactly("1234/0007");
            assertThat(door.index.complete(door.store)).isZero();
        }
    }
}
