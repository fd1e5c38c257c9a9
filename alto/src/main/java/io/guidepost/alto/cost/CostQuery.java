package io.guidepost.alto.cost;

import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoInput;
import io.guidepost.alto.protocol.AltoLimits;
import io.guidepost.alto.protocol.CostMode;
import io.guidepost.alto.protocol.CostType;
import io.guidepost.web.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The common part of requests for filtered cost maps and endpoint costs.
 *
 * @param types requested cost types, in order
 * @param several whether the request is a multi-cost one (RFC 8189), which is answered with arrays
 * @param testable cost types that constraints may refer to
 * @param anyOf groups of constraints: a pair is returned if it satisfies one group; without groups all are
 * @param calendared for each of {@code types}, whether a calendar was requested (RFC 8896)
 */
public record CostQuery(
        List<CostType> types, boolean several, List<CostType> testable, List<List<CostConstraint>> anyOf, List<Boolean> calendared) {
    private static final String COST_TYPE = "cost-type";
    private static final String MULTI = "multi-cost-types";
    private static final String TESTABLE = "testable-cost-types";
    private static final String CONSTRAINTS = "constraints";
    private static final String OR_CONSTRAINTS = "or-constraints";
    private static final String CALENDARED = "calendared";

    /** Creates a query of one cost type. */
    public static CostQuery of(CostType type) {
        return new CostQuery(List.of(type), false, List.of(type), List.of(), List.of(false));
    }

    /** Reads the cost members of a request. */
    public static CostQuery read(AltoInput asked, List<CostMetric> offered) throws AltoError {
        boolean several = asked.has(MULTI);
        if (several && asked.has(COST_TYPE)) {
            throw asked.refused(MULTI, MULTI + " and " + COST_TYPE, "either cost-type or multi-cost-types is given, not both");
        }
        List<CostType> types = several ? types(asked, MULTI, offered) : List.of(type(asked.object(COST_TYPE), offered));
        List<CostType> testable = asked.has(TESTABLE) ? types(asked, TESTABLE, offered) : types;
        return new CostQuery(types, several, testable, constraints(asked, testable.size()), calendared(asked, types.size()));
    }

    private static List<CostType> types(AltoInput asked, String name, List<CostMetric> offered) throws AltoError {
        List<CostType> types = new ArrayList<>();
        for (AltoInput each : asked.objects(name, AltoLimits.COST_TYPES_MAX)) {
            types.add(type(each, offered));
        }
        if (types.isEmpty()) {
            throw asked.refused(name, "[]", name + " has at least one cost type");
        }
        return types;
    }

    private static CostType type(AltoInput asked, List<CostMetric> offered) throws AltoError {
        String word = asked.text("cost-mode");
        String metric = asked.text("cost-metric");
        if (offered.stream().noneMatch(each -> each.name().equals(metric))) {
            throw asked.refused("cost-metric", metric, "this resource has no such metric");
        }
        Optional<CostMode> mode = CostMode.of(word).filter(each -> each != CostMode.ARRAY);
        return new CostType(
                mode.orElseThrow(() -> asked.refused("cost-mode", word, "cost-mode is numerical or ordinal here")), metric);
    }

    private static List<List<CostConstraint>> constraints(AltoInput asked, int types) throws AltoError {
        if (asked.has(CONSTRAINTS) && asked.has(OR_CONSTRAINTS)) {
            throw asked.refused(
                    OR_CONSTRAINTS, OR_CONSTRAINTS + " and " + CONSTRAINTS,
                    "either constraints or or-constraints are given, not both");
        }
        if (asked.has(OR_CONSTRAINTS)) {
            List<List<CostConstraint>> groups = new ArrayList<>();
            int left = AltoLimits.CONSTRAINTS_MAX;
            for (JsonValue each : asked.elements(OR_CONSTRAINTS, AltoLimits.CONSTRAINTS_MAX)) {
                if (!(each instanceof JsonValue.Elements(List<JsonValue> elements, long _)) || elements.size() > left) {
                    throw asked.refused(
                            OR_CONSTRAINTS, AltoInput.told(each), "each group is an array, with at most "
                                    + AltoLimits.CONSTRAINTS_MAX + " constraints in all");
                }
                left -= elements.size();
                groups.add(group(asked, OR_CONSTRAINTS, elements, types));
            }
            return groups;
        }
        if (!asked.has(CONSTRAINTS)) {
            return List.of();
        }
        return List.of(group(asked, CONSTRAINTS, asked.elements(CONSTRAINTS, AltoLimits.CONSTRAINTS_MAX), types));
    }

    private static List<CostConstraint> group(AltoInput asked, String name, List<JsonValue> elements, int types) throws AltoError {
        List<CostConstraint> group = new ArrayList<>();
        for (JsonValue each : elements) {
            group.add(CostConstraint.read(asked, name, asked.string(name, each), types));
        }
        return group;
    }

    private static List<Boolean> calendared(AltoInput asked, int types) throws AltoError {
        if (!asked.has(CALENDARED)) {
            return java.util.Collections.nCopies(types, false);
        }
        List<Boolean> calendared = asked.truths(CALENDARED, AltoLimits.COST_TYPES_MAX);
        if (calendared.size() != types) {
            throw asked.refused(
                    CALENDARED, calendared.size() + " elements", "calendared has one element for each cost type, " + types);
        }
        return calendared;
    }
}
