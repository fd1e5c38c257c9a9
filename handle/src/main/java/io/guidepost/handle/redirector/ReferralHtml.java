package io.guidepost.handle.redirector;

import io.guidepost.base.AddressText;
import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.SiteServer;
import io.guidepost.handle.value.ValueType;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The way on from a page of an error, as HTML: to the service that is responsible for a handle, and to who runs this one. */
final class ReferralHtml {
    /** The service that knows all prefixes of the Global Handle Registry, for people. */
    private static final String REGISTRY = "https://hdl.handle.net";

    /** Servers of a referral that are named: a reader needs one that answers. */
    private static final int SERVERS_MAX = 4;

    private static final Pattern LINK = Pattern.compile(
            "https?://[^\\s<>\"]*[^\\s<>\".,;)]|[^\\s<>\"?&:/@]+@[^\\s<>\"?&:/@]*[^\\s<>\"?&:/@.,;)]");

    private ReferralHtml() {}

    /**
     * Returns the ways to the responsible service.
     *
     * @param sites of the referral; may be none
     */
    static String ways(Handle handle, List<HandleValue> sites) {
        String path = RedirectTargets.path(handle);
        List<String> ways = new ArrayList<>();
        sites.stream()
                .flatMap(each -> servers(each).stream())
                .flatMap(each -> way(each, path).stream())
                .distinct()
                .limit(SERVERS_MAX)
                .forEach(ways::add);
        StringBuilder out = new StringBuilder();
        if (!ways.isEmpty()) {
            out.append("<p>The service that is responsible for it is at ").append(String.join(", ", ways)).append(".</p>\n");
        }
        return out.append("<p>If its prefix is registered, the Global Handle Registry leads there: ")
                .append(HtmlText.link(REGISTRY + path, REGISTRY.substring("https://".length()) + path))
                .append("</p>\n")
                .toString();
    }

    private static List<SiteServer> servers(HandleValue value) {
        try {
            return value.is(ValueType.HS_SITE) || value.is(ValueType.HS_SITE_PREFIX) ? SiteRecord.read(value.data()).servers() : List.of();
        } catch (Malformed e) {
            return List.of();
        }
    }

    /** A link to the page of the handle there, or the address alone where no browser is answered. */
    private static Optional<String> way(SiteServer server, String path) {
        return server.interfaces().stream()
                .filter(SiteInterface::query)
                .max((one, other) -> Boolean.compare(isHttp(one), isHttp(other)))
                .map(each -> {
                    String at = AddressText.of(new InetSocketAddress(server.inetAddress(), each.port()));
                    return isHttp(each)
                            ? HtmlText.link(each.transport().name().toLowerCase(Locale.ROOT) + "://" + at + path, at)
                            : HtmlText.escape(at);
                });
    }

    private static boolean isHttp(SiteInterface each) {
        return each.transport() == SiteInterface.Transport.HTTP || each.transport() == SiteInterface.Transport.HTTPS;
    }

    /** Returns a text in which addresses of e-mail and URLs are links. */
    static String linked(String text) {
        StringBuilder out = new StringBuilder();
        Matcher links = LINK.matcher(text);
        int at = 0;
        while (links.find()) {
            String link = links.group();
            out.append(HtmlText.escape(text.substring(at, links.start())));
            out.append(HtmlText.link(link.startsWith("http") ? link : "mailto:" + link, link));
            at = links.end();
        }
        return out.append(HtmlText.escape(text.substring(at))).toString();
    }
}
