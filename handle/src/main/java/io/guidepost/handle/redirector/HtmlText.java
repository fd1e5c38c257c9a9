package io.guidepost.handle.redirector;

/** Escapes text for HTML. */
final class HtmlText {
    private HtmlText() {}

    /** Escapes a text for use in an element, or in an attribute with quotes of either kind. */
    static String escape(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            switch (each) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.append(each < ' ' && each != '\n' && each != '\t' ? '\ufffd' : each);
            }
        }
        return out.toString();
    }

    /**
     * Returns a link, with both arguments escaped. The URL must have passed {@link RedirectTargets}, or be a path of this
     * server.
     */
    static String link(String url, String text) {
        return "<a href=\"" + escape(url) + "\">" + escape(text) + "</a>";
    }
}
