package io.guidepost.handle.client;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.operation.RemoteResolver;
import io.guidepost.handle.operation.ResolveRequest;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.handle.value.ValueType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Recursive resolution: finds the responsible site and asks it. A local map of prefixes to sites comes first, as
 * {@code local_info.json} of existing tools; then, if there is a root, its record of the prefix: HS_SITE, HS_SERV, or a
 * referral for derived prefixes. Sites from the root are cached for the TTL of their values; missing ones go to a
 * negative cache. Thread-safe.
 *
 * <p>The client contacts only the given sites and those that they refer to: without a root, none outside the map.
 */
public final class RecursiveResolver implements RemoteResolver, AutoCloseable {
    /** Services and referrals followed for one request: existing set-ups have two or three. */
    private static final int DEPTH_MAX = 8;

    /** Prefixes in the cache: each costs some KiB. */
    private static final int KEPT_MAX = 4096;

    /** Sites with an open client: each may hold connections. */
    private static final int CLIENTS_MAX = 64;

    /** TTL of the negative cache: how long a prefix counts as one without a site, in seconds. */
    private static final long ABSENT_SECONDS = 60;

    private static final List<ValueType> SITES =
            List.of(ValueType.HS_SITE, ValueType.HS_SITE_PREFIX, ValueType.HS_NA_DELEGATE);

    private final Map<String, List<SiteRecord>> local = new HashMap<>();
    private final Optional<SiteRecord> root;
    private final HandleClientSettings settings;
    private final LinkedHashMap<String, CachedSites> kept = new LinkedHashMap<>();
    private final Map<SiteRecord, HandleClient> clients = new LinkedHashMap<>();

    private record CachedSites(List<SiteRecord> sites, long untilSeconds) {}

    /**
     * Creates a resolver with known sites.
     *
     * @param local sites by prefix ({@code 10.5}, or {@code 0.NA/10.5}), the preferred ones first
     * @param root the site with the records of prefixes; without one, only the map is used
     * @param settings of the clients; best without an identity, which every contacted site would see
     */
    public RecursiveResolver(Map<String, List<SiteRecord>> local, Optional<SiteRecord> root, HandleClientSettings settings) {
        local.forEach((prefix, sites) -> this.local.put(key(prefixHandle(prefix)), List.copyOf(sites)));
        this.root = root;
        this.settings = settings;
    }

    private static Handle prefixHandle(String prefix) {
        Handle handle = Handle.of(prefix);
        return handle.isPrefixHandle() ? handle : Handle.ofPrefix(prefix);
    }

    private static String key(Handle prefixHandle) {
        return new String(prefixHandle.folded(), StandardCharsets.UTF_8);
    }

    @Override
    public Optional<HandleResult> resolve(ResolveRequest question) throws IOException {
        return resolve(question, DEPTH_MAX);
    }

    private Optional<HandleResult> resolve(ResolveRequest question, int depth) throws IOException {
        List<SiteRecord> sites = sites(question.handle(), depth);
        if (sites.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(follow(question, ask(sites, question), depth));
    }

    private HandleResult follow(ResolveRequest question, HandleResult outcome, int depth) throws IOException {
        boolean referral =
                outcome.code() == ResponseCode.SERVICE_REFERRAL || outcome.code() == ResponseCode.PREFIX_REFERRAL;
        if (!referral || question.doNotRefer()) {
            return outcome;
        }
        if (depth <= 1) {
            return HandleResult.of(ResponseCode.RECURSION_LIMIT, question.handle(), "too many referrals");
        }
        List<SiteRecord> next = sitesIn(outcome.values(), SITES);
        if (next.isEmpty() && !outcome.handle().isNone()) {
            next = sitesOfService(outcome.handle(), depth - 1);
        }
        return next.isEmpty() ? outcome : follow(question, ask(next, question), depth - 1);
    }

    /** Asks one site after the other until one responds. */
    private HandleResult ask(List<SiteRecord> sites, ResolveRequest question) throws IOException {
        IOException first = null;
        for (SiteRecord each : sites) {
            try {
                return client(each).resolve(question);
            } catch (IOException e) {
                first = first == null ? e : first;
            }
        }
        throw first == null ? new IOException("there is no site to ask") : first;
    }

    @Override
    public Optional<Boolean> verify(ValueReference key, byte[] nonce, byte[] digest, byte[] answer)
            throws IOException {
        IOException first = null;
        for (SiteRecord each : sites(key.handle(), DEPTH_MAX)) {
            try {
                Optional<Boolean> said = client(each).verify(key, nonce, digest, answer);
                if (said.isPresent()) {
                    return said;
                }
            } catch (IOException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
        return Optional.empty();
    }

    /** Returns the sites responsible for a handle; empty if none is known. */
    private List<SiteRecord> sites(Handle handle, int depth) throws IOException {
        Handle prefixHandle = handle.prefixHandle();
        String key = key(prefixHandle);
        List<SiteRecord> known = local.get(key);
        if (known != null) {
            return known;
        }
        // The map may hold the record of a prefix itself without holding the prefix of prefixes.
        List<SiteRecord> own = handle.isPrefixHandle() ? local.get(key(handle)) : null;
        if (own != null) {
            return own;
        }
        if (root.isEmpty()) {
            return List.of();
        }
        return handle.isPrefixHandle() ? List.of(root.get()) : sitesByRoot(prefixHandle, key, depth);
    }

    private List<SiteRecord> sitesByRoot(Handle prefixHandle, String key, int depth) throws IOException {
        long now = Instant.now().getEpochSecond();
        synchronized (kept) {
            CachedSites before = kept.get(key);
            if (before != null && now < before.untilSeconds) {
                return before.sites;
            }
        }
        HandleResult record = depth < 1 ? HandleResult.done(prefixHandle) : descriptions(List.of(root.orElseThrow()), prefixHandle, depth);
        List<SiteRecord> sites = sitesIn(record.values(), List.of(ValueType.HS_SITE));
        if (sites.isEmpty()) {
            sites = sitesOfServices(record.values(), depth);
        }
        keep(key, new CachedSites(sites, now + (sites.isEmpty() ? ABSENT_SECONDS : life(record.values(), now))));
        return sites;
    }

    private HandleResult descriptions(List<SiteRecord> at, Handle prefixHandle, int depth) throws IOException {
        ResolveRequest question = new ResolveRequest(
                prefixHandle, List.of(), List.of("HS_SITE.", "HS_SERV.", "HS_NA_DELEGATE"), true, false, false, 0);
        return follow(question, ask(at, question), depth);
    }

    private List<SiteRecord> sitesOfServices(List<HandleValue> values, int depth) throws IOException {
        for (HandleValue each : values) {
            if (each.is(ValueType.HS_SERV)) {
                List<SiteRecord> sites =
                        sitesOfService(Handle.of(new String(each.data(), StandardCharsets.UTF_8)), depth - 1);
                if (!sites.isEmpty()) {
                    return sites;
                }
            }
        }
        return List.of();
    }

    /** Returns the sites in the record of a service. */
    private List<SiteRecord> sitesOfService(Handle service, int depth) throws IOException {
        if (depth < 1) {
            return List.of();
        }
        ResolveRequest question =
                new ResolveRequest(service, List.of(), List.of("HS_SITE.", "HS_NA_DELEGATE"), true, false, false, 0);
        return resolve(question, depth).map(outcome -> sitesIn(outcome.values(), SITES)).orElse(List.of());
    }

    /** Returns the sites among values, primary ones first; ignores malformed ones. */
    private static List<SiteRecord> sitesIn(List<HandleValue> values, List<ValueType> types) {
        List<SiteRecord> sites = new ArrayList<>();
        for (HandleValue each : values) {
            if (types.stream().anyMatch(each::is)) {
                try {
                    sites.add(SiteRecord.read(each.data()));
                } catch (Malformed e) {
                    System.getLogger(RecursiveResolver.class.getName())
                            .log(System.Logger.Level.WARNING, "a site in value " + each + " is left out: " + e.getMessage());
                }
            }
        }
        sites.sort((one, other) -> Boolean.compare(other.primary(), one.primary()));
        return sites;
    }

    private static long life(List<HandleValue> values, long now) {
        long least = Ttl.DAY;
        for (HandleValue each : values) {
            least = Math.min(least, switch (each.ttl()) {
                case Ttl.Relative relative -> relative.seconds();
                case Ttl.Until until -> Math.max(0, until.seconds() - now);
            });
        }
        return least;
    }

    private void keep(String key, CachedSites sites) {
        synchronized (kept) {
            kept.remove(key);
            kept.put(key, sites);
            if (kept.size() > KEPT_MAX) {
                kept.pollFirstEntry();
            }
        }
    }

    private HandleClient client(SiteRecord site) throws IOException {
        synchronized (clients) {
            HandleClient known = clients.get(site);
            if (known != null) {
                return known;
            }
            HandleClient opened = HandleClient.of(site, settings);
            clients.put(site, opened);
            if (clients.size() > CLIENTS_MAX) {
                clients.remove(clients.keySet().iterator().next());
            }
            return opened;
        }
    }

    /** Closes connections. */
    @Override
    public void close() {
        synchronized (clients) {
            clients.values().forEach(HandleClient::close);
            clients.clear();
        }
    }
}
