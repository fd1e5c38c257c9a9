package io.guidepost.handle.redirector;

/** Text within HTML. */
final class HtmlText {
    private HtmlText() {}

    /** The text, such that it stays text in an element as well as in an attribute with quotes of either kind. */
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

    /** A link; both are escaped here. The URL must be one that {@link RedirectTargets} let pass, or a path of this server. */
    static String link(String url, String text) {
        return "<a href=\"" + escape(url) + "\">" + escape(text) + "</a>";
    }
}
