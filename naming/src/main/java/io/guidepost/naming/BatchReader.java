package io.guidepost.naming;

import io.guidepost.base.CommonLimits;
import io.guidepost.base.Malformed;
import io.guidepost.names.Locator;
import io.guidepost.names.NameForm;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The bodies of requests, as the API's schemas have them. */
final class BatchReader {
    private static final Set<String> PUT = Set.of("name", "guid", "version", "places", "lease");
    private static final Set<String> PATCH = Set.of("add", "remove");
    private static final Set<String> OPERATION =
            Set.of("op", "name", "places", "add", "remove", "ifMatch", "ifNoneMatch", "lease", "recursive", "nearest");

    /** What an operation of a batch does. */
    enum Op {
        GET,
        PUT,
        PATCH,
        DELETE
    }

    /**
     * One operation of a batch.
     *
     * @param edit the change, without its lease; null for a read
     * @param lease the parameter of that name, or null
     */
    record Operation(
            Op op, NameForm name, @Nullable NameEdit edit, @Nullable String lease, boolean recursive, @Nullable String nearest) {}

    private BatchReader() {}

    /** Reads the body of a PUT. */
    static PlaceReader put(byte[] body, NameForm name, long nowMillis) throws Malformed {
        JsonField whole = JsonValue.read(body, NamingLimits.BODY_BYTES_MAX).whole();
        PlaceReader.known(whole, PUT);
        Optional<JsonField> named = whole.find("name");
        if (named.isPresent() && !name(named.get()).guid().equals(name.guid())) {
            throw named.get().refused("is another name than that of the path");
        }
        Optional<JsonField> guid = whole.find("guid");
        if (guid.isPresent() && !guid.get().text().equals(name.guid().toString())) {
            throw guid.get().refused("is not the GUID of " + name + ", which is " + name.guid());
        }
        return places(whole, nowMillis);
    }

    private static PlaceReader places(JsonField whole, long nowMillis) throws Malformed {
        JsonField member = whole.member("places");
        PlaceReader places = PlaceReader.read(whole, "places", nowMillis);
        if (places.bindings().isEmpty()) {
            throw member.refused("has at least one place; DELETE removes a name");
        }
        return places;
    }

    /** Reads the body of a PATCH. */
    static NameEdit patch(byte[] body, Optional<String> ifMatch, boolean ifAbsent, long nowMillis) throws Malformed {
        JsonField whole = JsonValue.read(body, NamingLimits.BODY_BYTES_MAX).whole();
        PlaceReader.known(whole, PATCH);
        return new NameEdit(false, removed(whole), PlaceReader.read(whole, "add", nowMillis), ifMatch, ifAbsent, null);
    }

    private static Set<Locator> removed(JsonField whole) throws Malformed {
        Set<Locator> removed = new LinkedHashSet<>();
        for (JsonField each : whole.read("remove", List.<JsonField>of(), field -> field.elements(CommonLimits.LOCATORS_MAX))) {
            removed.add(PlaceReader.locator(each));
        }
        return removed;
    }

    /** Reads the body of a batch; one that is malformed anywhere is refused as a whole. */
    static List<Operation> batch(byte[] body, long nowMillis) throws Malformed {
        JsonField whole = JsonValue.read(body, NamingLimits.BODY_BYTES_MAX).whole();
        PlaceReader.known(whole, Set.of("operations"));
        List<Operation> operations = new ArrayList<>();
        for (JsonField each : whole.member("operations").elements(NamingLimits.OPERATIONS_MAX)) {
            PlaceReader.known(each, OPERATION);
            operations.add(operation(each, nowMillis));
        }
        return operations;
    }

    private static Operation operation(JsonField of, long nowMillis) throws Malformed {
        Op op = op(of.member("op"));
        NameForm name = name(of.member("name"));
        Optional<String> ifMatch = of.find("ifMatch").isPresent() ? Optional.of(of.member("ifMatch").text()) : Optional.empty();
        boolean ifAbsent = of.find("ifNoneMatch").isPresent();
        if (ifAbsent && !of.member("ifNoneMatch").text().equals("*")) {
            throw of.member("ifNoneMatch").refused("is *");
        }
        NameEdit edit = switch (op) {
            case GET -> null;
            case PUT -> new NameEdit(true, Set.of(), places(of, nowMillis), ifMatch, ifAbsent, null);
            case PATCH -> new NameEdit(false, removed(of), PlaceReader.read(of, "add", nowMillis), ifMatch, ifAbsent, null);
            case DELETE -> new NameEdit(true, Set.of(), PlaceReader.NONE, ifMatch, ifAbsent, null);
        };
        String lease = of.find("lease").isPresent() ? of.member("lease").text() : null;
        String nearest = of.find("nearest").isPresent() ? of.member("nearest").text() : null;
        return new Operation(op, name, edit, lease, of.read("recursive", false, JsonField::truth), nearest);
    }

    private static Op op(JsonField field) throws Malformed {
        try {
            String text = field.text();
            if (text.equals(text.toLowerCase(Locale.ROOT))) {
                return Op.valueOf(text.toUpperCase(Locale.ROOT));
            }
        } catch (IllegalArgumentException e) {
            // Refused below, as one in capitals.
        }
        throw field.refused("is get, put, patch or delete");
    }

    private static NameForm name(JsonField field) throws Malformed {
        try {
            return NameForm.parse(field.text());
        } catch (Malformed e) {
            throw new Malformed(field.path() + ": " + e.reason(), field.json().at());
        }
    }
}
