package io.guidepost.alto.update;

import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoIdentifiers;
import io.guidepost.alto.protocol.AltoInput;
import io.guidepost.web.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request for an update stream (RFC 8895 section 6.3).
 *
 * @param add substreams to start, by their ids
 * @param remove ids of substreams to stop
 */
record StreamRequest(Map<String, Wanted> add, List<String> remove) {
    /**
     * A substream.
     *
     * @param path of its object in the request
     * @param resource id of its resource
     * @param tag of the version that the client has
     * @param incremental whether patches are accepted
     * @param input POST body for the resource
     */
    record Wanted(String path, String resource, Optional<String> tag, boolean incremental, Optional<byte[]> input) {
        AltoError refused(String member, String value, String message) {
            return AltoError.value(path + '/' + member, value, message);
        }
    }

    static StreamRequest read(byte[] body) throws AltoError {
        AltoInput whole = AltoInput.read(body);
        Map<String, Wanted> add = new LinkedHashMap<>();
        Optional<AltoInput> adds = whole.findObject("add");
        if (adds.isPresent()) {
            for (String id : adds.get().members().keySet()) {
                if (!AltoIdentifiers.isName(id)) {
                    throw AltoError.value("add", id, "the id of a substream has 1 to 64 letters, digits, - : @ _ and .");
                }
                add.put(id, wanted(adds.get().object(id)));
            }
        }
        if (add.size() > UpdateLimits.SUBSTREAMS_MAX) {
            throw AltoError.value("add", String.valueOf(add.size()), "a stream has at most " + UpdateLimits.SUBSTREAMS_MAX);
        }
        List<String> remove = new ArrayList<>();
        if (whole.has("remove")) {
            for (JsonValue each : whole.elements("remove", Integer.MAX_VALUE)) {
                if (!(each instanceof JsonValue.Text(String text, long _))) {
                    throw AltoError.type("remove", "remove is an array of strings, with " + each.kind() + " in it");
                }
                remove.add(text);
            }
        }
        return new StreamRequest(add, remove);
    }

    private static Wanted wanted(AltoInput of) throws AltoError {
        return new Wanted(
                of.path(),
                of.text("resource-id"),
                of.findText("tag"),
                of.truth("incremental-changes", true),
                JsonTrees.body(of, "input"));
    }
}
