package io.guidepost.handle.redirector;

import io.guidepost.base.Sha256;
import io.guidepost.web.HttpResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/**
 * The redirector's pages: built-in, or the operator's own. In an operator's page these placeholders are replaced:
 *
 * <pre>
 *  {{handle}}   the requested handle, as text
 *  {{title}}    the title of the page
 *  {{message}}  the error, or nothing
 *  {{content}}  the table of values, or nothing; HTML
 * </pre>
 *
 * Immutable.
 *
 * @param query the page with the form, at {@code /}
 * @param response the page of values
 * @param error the error page
 */
record RedirectorPages(Optional<String> query, Optional<String> response, Optional<String> error) {
    /** The built-in pages. */
    public static final RedirectorPages OF_THE_HOUSE = new RedirectorPages(Optional.empty(), Optional.empty(), Optional.empty());

    /** Bytes of one page from a file: each visit sends it again. */
    public static final int PAGE_BYTES_MAX = 1 << 20;

    static final String STYLE =
            """
            :root{color-scheme:light dark;--b:#fbfaf7;--t:#22262b;--m:#6a7280;--l:#1d5fa8;--r:#e3e0d8;--c:#fff}
            @media(prefers-color-scheme:dark){:root{--b:#15181c;--t:#e4e6e9;--m:#98a1ad;--l:#7db4f0;--r:#2c3138;--c:#1c2026}}
            *{box-sizing:border-box}body{margin:0;background:var(--b);color:var(--t);
            font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
            main{max-width:64rem;margin:0 auto;padding:2.5rem 1.25rem}h1{font-size:1.5rem;font-weight:600;
            margin:0 0 1.25rem;overflow-wrap:anywhere}h1 small{display:block;color:var(--m);font-size:.85rem;
            font-weight:400}a{color:var(--l)}p{max-width:40rem}.card{background:var(--c);border:1px solid var(--r);
            border-radius:.6rem;overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{text-align:left;
            vertical-align:top;padding:.6rem .9rem;border-top:1px solid var(--r)}thead th{border:0;color:var(--m);
            font-size:.8rem;font-weight:500}.n{font-variant-numeric:tabular-nums;color:var(--m)}
            .d{overflow-wrap:anywhere;min-width:14rem}.t{white-space:pre-wrap}time{white-space:nowrap;
            font-size:.85rem;color:var(--m)}code{font:.85rem/1.4 ui-monospace,Menlo,Consolas,monospace;
            overflow-wrap:anywhere}small{color:var(--m)}form{padding:1.25rem;display:grid;gap:.75rem}
            input[type=text]{width:100%;font:inherit;padding:.55rem .7rem;border:1px solid var(--r);
            border-radius:.4rem;background:var(--b);color:var(--t)}button{font:inherit;justify-self:start;
            padding:.5rem 1.2rem;border:0;border-radius:.4rem;background:var(--l);color:var(--c);cursor:pointer}
            """;

    /**
     * Content security policy: no external resources, no scripts; forms may lead to other hosts, as browsers count a
     * redirect as theirs.
     */
    static final String POLICY = "default-src 'none'; style-src '" + hash(STYLE)
            + "'; img-src 'self'; form-action http: https:; base-uri 'none'; frame-ancestors 'none'";

    /** Content security policy of operators' pages: they may load external resources; values cannot inject any. */
    static final String POLICY_OF_OPERATOR = "object-src 'none'; base-uri 'none'";

    /** An arrow on a post: two shapes. */
    static final String ICON = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 16 16\">"
            + "<path fill=\"#8a6d3b\" d=\"M7 1h2v14H7z\"/><path fill=\"#1d5fa8\" d=\"M2 3h9l3 2.5L11 8H2z\"/></svg>";

    private static final String FORM =
            """
            <form method="post" action="/" class="card">
            <label for="hdl">Handle</label><input id="hdl" name="hdl" type="text" autofocus required
             placeholder="10.5/example" spellcheck="false" autocapitalize="off">
            <label><input type="checkbox" name="noredirect" value="true"> Show the values instead of going there</label>
            <label><input type="checkbox" name="ignore_aliases" value="true"> Do not follow aliases</label>
            <label><input type="checkbox" name="auth" value="true"> Ask the responsible server itself</label>
            <button>Go</button></form>
            """;

    /**
     * Reads pages from files; a missing one is replaced by the built-in page.
     *
     * @throws IOException if a file cannot be read, is not UTF-8, or is longer than {@link #PAGE_BYTES_MAX}
     */
    public static RedirectorPages ofFiles(Optional<Path> query, Optional<Path> response, Optional<Path> error)
            throws IOException {
        return new RedirectorPages(read(query), read(response), read(error));
    }

    private static Optional<String> read(Optional<Path> file) throws IOException {
        if (file.isEmpty()) {
            return Optional.empty();
        }
        if (Files.size(file.get()) > PAGE_BYTES_MAX) {
            throw new IOException(file.get() + " is longer than " + PAGE_BYTES_MAX + " bytes");
        }
        return Optional.of(Files.readString(file.get()));
    }

    HttpResponse queryPage() {
        return page(200, query, "Find a handle", "", "", FORM);
    }

    /** Returns a page of values or locations, which are HTML already. */
    HttpResponse valuesPage(String title, String handle, String content) {
        return page(200, response, title, handle, "", "<div class=\"card\">" + content + "</div>");
    }

    HttpResponse errorPage(int status, String title, String handle, String message) {
        return page(status, error, title, handle, message, "");
    }

    private static HttpResponse page(
            int status, Optional<String> own, String title, String handle, String message, String content) {
        String html = own.map(page -> filled(page, title, handle, message, content))
                .orElseGet(() -> ofTheHouse(title, handle, message, content));
        return HttpResponse.of(status, "text/html; charset=UTF-8", html)
                .with("Content-Security-Policy", own.isPresent() ? POLICY_OF_OPERATOR : POLICY)
                .with("X-Content-Type-Options", "nosniff");
    }

    /** Replaces the placeholders in one pass, so that those in a value are not replaced. */
    private static String filled(String page, String title, String handle, String message, String content) {
        Map<String, String> words = Map.of(
                "title", HtmlText.escape(title),
                "handle", HtmlText.escape(handle),
                "message", HtmlText.escape(message),
                "content", content);
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (true) {
            int open = page.indexOf("{{", at);
            int close = open < 0 ? -1 : page.indexOf("}}", open);
            if (close < 0) {
                return out.append(page, at, page.length()).toString();
            }
            String word = words.get(page.substring(open + 2, close).strip());
            out.append(page, at, open).append(word == null ? page.substring(open, close + 2) : word);
            at = close + 2;
        }
    }

    private static String ofTheHouse(String title, String handle, String message, String content) {
        StringBuilder out = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>")
                .append(HtmlText.escape(handle.isEmpty() ? title : handle + " · " + title))
                .append("</title><link rel=\"icon\" href=\"/favicon.ico\"><style>")
                .append(STYLE)
                .append("</style></head><body><main>\n<h1>");
        if (handle.isEmpty()) {
            out.append(HtmlText.escape(title));
        } else {
            out.append("<small>").append(HtmlText.escape(title)).append("</small>").append(HtmlText.escape(handle));
        }
        out.append("</h1>\n");
        if (!message.isEmpty()) {
            out.append("<p>").append(HtmlText.escape(message)).append("</p>\n");
        }
        out.append(content);
        if (!handle.isEmpty()) {
            out.append("<p><a href=\"/\">Find another handle</a></p>\n");
        }
        return out.append("</main></body></html>\n").toString();
    }

    private static String hash(String style) {
        return "sha256-" + Base64.getEncoder().encodeToString(Sha256.of(style.getBytes(StandardCharsets.UTF_8)));
    }
}
