package io.guidepost.alto.update;

import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoIdentifiers;
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
        UpdateInput whole = UpdateInput.read(body);
        Map<String, Wanted> add = new LinkedHashMap<>();
        Optional<UpdateInput> adds = whole.object("add");
        if (adds.isPresent()) {
            for (String id : adds.get().members().keySet()) {
                if (!AltoIdentifiers.isName(id)) {
                    throw AltoError.value("add", id, "the id of a substream has 1 to 64 letters, digits, - : @ _ and .");
                }
                add.put(id, wanted(adds.get().object(id).orElseThrow()));
            }
        }
        if (add.size() > UpdateLimits.SUBSTREAMS_MAX) {
            throw AltoError.value("add", String.valueOf(add.size()), "a stream has at most " + UpdateLimits.SUBSTREAMS_MAX);
        }
        return new StreamRequest(add, whole.texts("remove"));
    }

    private static Wanted wanted(UpdateInput of) throws AltoError {
        return new Wanted(
                of.path(),
                of.needed("resource-id"),
                of.text("tag"),
                of.truth("incremental-changes", true),
                of.input("input"));
    }
}
