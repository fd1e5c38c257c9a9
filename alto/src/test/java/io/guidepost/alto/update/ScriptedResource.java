package io.guidepost.alto.update;

import io.guidepost.alto.AltoResource;
import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.DirectoryEntry;
import io.guidepost.alto.ResourceContent;
import io.guidepost.alto.protocol.AltoError;
import io.guidepost.base.Address;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A resource that says what a test wants, by the version. */
public final class ScriptedResource extends AltoResource {
    /** What it says with an input that it does not take. */
    public static final String REFUSED = "{\"no\":1}";

    private final Function<Long, String> saying;

    public ScriptedResource(
            String id, String mediaType, Optional<String> accepts, List<String> uses, Function<Long, String> saying) {
        super(new DirectoryEntry(id, mediaType, accepts, uses, Map.of()));
        this.saying = saying;
    }

    /** Fetched by GET. */
    public static ScriptedResource of(String id, String mediaType, List<String> uses, Function<Long, String> saying) {
        return new ScriptedResource(id, mediaType, Optional.empty(), uses, saying);
    }

    @Override
    public ResourceContent content(AltoSnapshot information, byte[] input, Address caller) throws AltoError {
        String given = new String(input, StandardCharsets.UTF_8);
        String says = saying.apply(information.version());
        if (accepts().isEmpty()) {
            return new ResourceContent(mediaType(), "t" + says.hashCode(), says.getBytes(StandardCharsets.UTF_8));
        }
        if (given.isEmpty() || given.equals(REFUSED)) {
            throw AltoError.value("cost-type", "fastest", "no such cost type");
        }
        if (says.isEmpty()) {
            throw AltoError.value("pids", "P1", "no such PID");
        }
        return ResourceContent.answer(mediaType(), says.replace("INPUT", given.replace('"', '\'')).getBytes(StandardCharsets.UTF_8));
    }
}
