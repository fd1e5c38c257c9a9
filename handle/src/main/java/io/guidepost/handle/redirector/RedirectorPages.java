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
 *  {{content}}  the table of values, the way to the responsible service, or nothing; HTML
 *  {{contact}}  who runs the server, or nothing; HTML
 * </pre>
 *
 * Immutable.
 *
 * @param query the page with the form, at {@code /}
 * @param response the page of values
 * @param error the error page
 * @param contact who runs the server: text, in which an address of e-mail or a URL becomes a link
 */
record RedirectorPages(Optional<String> query, Optional<String> response, Optional<String> error, Optional<String> contact) {
    /** The built-in pages. */
    public static final RedirectorPages OF_THE_HOUSE =
            new RedirectorPages(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /** Bytes of one page from a file: each visit sends it again. */
    public static final int PAGE_BYTES_MAX = 1 << 20;

    /** Colours and cards are those of the console. Where the window is narrow, each cell of a table is a line. */
    static final String STYLE =
            """
            :root{color-scheme:light dark;--b:#f4f6f9;--t:#17202e;--m:#5b6879;--l:#0f7a58;--r:#e1e6ee;--c:#fff;--s:#101826}
            @media(prefers-color-scheme:dark){:root{--b:#0c121c;--t:#e3e9f2;--m:#93a1b5;--l:#3ed39f;--r:#243043;--c:#141c29;
            --s:#090e16}}
            *{box-sizing:border-box}body{margin:0;background:var(--b);color:var(--t);
            font:15px/1.5 system-ui,"Segoe UI","DejaVu Sans",sans-serif}header{background:var(--s);padding:.7rem 1.25rem}
            header a{color:#fff;font-weight:600;text-decoration:none;display:flex;gap:.6rem;align-items:center;max-width:64rem;
            margin:0 auto}header img{width:22px;height:22px}main{max-width:66.5rem;margin:0 auto;padding:1.75rem 1.25rem}
            h1{font-size:1.4rem;font-weight:650;margin:0 0 1.1rem;overflow-wrap:anywhere}
            h1 small{display:block;color:var(--m);font-size:.85rem;font-weight:400}
            a{color:var(--l);overflow-wrap:anywhere}p{max-width:44rem;overflow-wrap:anywhere}.card{background:var(--c);
            border:1px solid var(--r);border-radius:11px;overflow:hidden}table{border-collapse:collapse;width:100%}
            th,td{text-align:left;vertical-align:top;padding:.55rem .9rem;border-top:1px solid var(--r)}thead th{border:0;
            color:var(--m);font-size:.8rem;font-weight:600}.n{font-variant-numeric:tabular-nums;color:var(--m)}
            .d{overflow-wrap:anywhere;width:60%}.o{white-space:nowrap}.t{white-space:pre-wrap}time{white-space:nowrap;
            font-size:.85rem;color:var(--m)}code{font:.85rem/1.4 ui-monospace,"DejaVu Sans Mono",monospace;
            overflow-wrap:anywhere}small{color:var(--m)}footer{color:var(--m);font-size:.85rem;border-top:1px solid var(--r);
            margin-top:1.5rem;padding-top:.6rem}form{padding:1.25rem;display:grid;gap:.75rem}
            input[type=text]{width:100%;font:inherit;padding:.55rem .7rem;border:1px solid var(--r);
            border-radius:7px;background:var(--b);color:var(--t)}button{font:inherit;font-weight:600;justify-self:start;
            padding:.5rem 1.2rem;border:0;border-radius:7px;background:var(--l);color:var(--c);cursor:pointer}
            :focus-visible{outline:2px solid var(--l);outline-offset:2px}
            @media(max-width:46rem){thead{position:absolute;left:-99em}tr,td{display:block}tr{border-top:1px solid var(--r);
            padding:.5rem 0}tr:first-child{border:0}td{border:0;padding:.1rem .9rem;width:auto}.d{width:auto}
            td[data-h]::before{content:attr(data-h) " ";color:var(--m);font-size:.8rem}}
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
    public static RedirectorPages ofFiles(Optional<Path> query, Optional<Path> response, Optional<Path> error, Optional<Path> contact)
            throws IOException {
        Optional<String> who = read(contact).map(String::strip).filter(each -> !each.isEmpty());
        return new RedirectorPages(read(query), read(response), read(error), who);
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

    /** Returns a page of what is wrong, with the way on as HTML, if there is one. */
    HttpResponse errorPage(int status, String title, String handle, String message, String content) {
        return page(status, error, title, handle, message, content);
    }

    private HttpResponse page(int status, Optional<String> own, String title, String handle, String message, String content) {
        String who = contact.map(ReferralHtml::linked).orElse("");
        String html = own.map(page -> filled(page, title, handle, message, content, who))
                .orElseGet(() -> ofTheHouse(title, handle, message, content, status < 400 ? "" : who));
        return HttpResponse.of(status, "text/html; charset=UTF-8", html)
                .with("Content-Security-Policy", own.isPresent() ? POLICY_OF_OPERATOR : POLICY)
                .with("X-Content-Type-Options", "nosniff");
    }

    /** Replaces the placeholders in one pass, so that those in a value are not replaced. */
    private static String filled(String page, String title, String handle, String message, String content, String who) {
        Map<String, String> words = Map.of(
                "title", HtmlText.escape(title),
                "handle", HtmlText.escape(handle),
                "message", HtmlText.escape(message),
                "content", content,
                "contact", who);
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

    private static String ofTheHouse(String title, String handle, String message, String content, String who) {
        StringBuilder out = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>")
                .append(HtmlText.escape(handle.isEmpty() ? title : handle + " · " + title))
                .append("</title><link rel=\"icon\" href=\"/favicon.ico\"><style>")
                .append(STYLE)
                .append("</style></head><body><header><a href=\"/\"><img src=\"/favicon.ico\" alt=\"\">Handles</a></header><main>\n<h1>");
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
        if (!who.isEmpty()) {
            out.append("<footer>This server is run by ").append(who).append("</footer>\n");
        }
        return out.append("</main></body></html>\n").toString();
    }

    private static String hash(String style) {
        return "sha256-" + Base64.getEncoder().encodeToString(Sha256.of(style.getBytes(StandardCharsets.UTF_8)));
    }
}
