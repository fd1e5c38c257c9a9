package io.guidepost.alto.protocol;

/** Formats error responses (RFC 7285 section 8.5.1). */
public final class AltoErrorBody {
    private static final int BYTES_EXPECTED = 160;

    private AltoErrorBody() {}

    /** Formats {@code {"meta":{"code":...}}} with the members of that code (section 8.5.2). */
    public static byte[] of(AltoError error) {
        AltoJsonWriter text = new AltoJsonWriter(BYTES_EXPECTED);
        text.put("{\"meta\":{\"code\":").text(error.code().name());
        if (error.code() == AltoError.Code.E_SYNTAX) {
            text.put(",\"syntax-error\":").text(String.valueOf(error.getMessage()));
        }
        error.field().ifPresent(each -> text.put(",\"field\":").text(each));
        error.value().ifPresent(each -> text.put(",\"value\":").text(cut(each)));
        return text.put("}}").bytes();
    }

    private static String cut(String value) {
        return value.length() <= AltoLimits.VALUE_TOLD_MAX ? value : value.substring(0, AltoLimits.VALUE_TOLD_MAX) + "...";
    }
}
