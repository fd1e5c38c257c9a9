// Screens that are tables: the other servers, what comes in, handles, and what could be otherwise.
import { feed } from './feed.js';
import { e, useState, useAsked, Card, Tile, Curves, Table, Pill, Fault, Empty, count, whole, bytes, seconds, span, words } from './ui.js';
import { drops, grouped } from './overview.js';

const micros = (n) => (n ? seconds(n / 1e6) : '–');

export function Sites() {
  const sites = feed.facts.sites;
  if (!sites?.servers?.length) {
    return e(Card, null, e(Empty, null, 'This server is alone: it keeps all names. Several that share them: sites.file and placement.* in the configuration.'));
  }
  const { all, down } = sites.counts;
  const silent = sites.silent.join(', ') + (down > sites.silent.length ? ` and ${whole(down - sites.silent.length)} more do not answer` : ' does not answer');
  return e('div.grid', null,
    e('section.banner', { class: down ? 'bad' : sites.catchingUp ? 'warn' : 'good' }, e('b', null, down ? silent : sites.catchingUp ? 'Catching up' : 'All servers answer'),
      e('span', null, `${whole(all)} servers${all > sites.servers.length ? ` (the first ${sites.servers.length} below, others: guidepost sites)` : ''}, ${whole(sites.records)} records here, ${bytes(sites.hintBytes)} of hints wait`)),
    e('div.sites.wide', null, sites.servers.map((each) => e('section.card.site', { key: each.name, id: 'site-' + each.name, class: each.health === 'down' ? 'down' : ['up', 'here'].includes(each.health) ? '' : 'slow' },
      e('header', null, e('h2', null, each.name), e('div.side', null, e(Pill, { kind: each.health === 'down' ? 'bad' : ['up', 'here'].includes(each.health) ? 'good' : 'warn' }, words(each.health)))),
      e('code', null, each.address),
      e('dl', null, ['share of the names|' + each.sharePercent + ' %', 'kind|' + words(each.kind), ...(each.own ? [] : [`last answer|${each.answeredMillisAgo == null ? 'none yet' : span(each.answeredMillisAgo / 1000) + ' ago'}`, `round trip|${micros(each.roundTripMicros)}`, `95 of 100 within|${micros(each.slowMicros)}`,
        `hints that wait|${whole(each.hints ?? 0)}`, `ranges that differ|${each.rangesDiffering == null || each.rangesDiffering < 0 ? 'not known' : whole(each.rangesDiffering)}`, `pushed, pulled|${whole(each.recordsPushed ?? 0)}, ${whole(each.recordsPulled ?? 0)}`,
        `its clock|${each.skewMillis ? (each.skewMillis > 0 ? '+' : '') + each.skewMillis + ' ms' : 'as ours'}`, `tables|${each.tables || 'not known'}`, `compared|${each.comparedMillisAgo == null ? 'not yet' : span(each.comparedMillisAgo / 1000) + ' ago'}`])]
        .map((row) => row.split('|')).map(([name, value]) => [e('dt', null, name), e('dd', null, value)]))))),
    e(Card, { title: 'Round trip' }, e(Curves, { times: feed.times, unit: seconds, label: 'Round trip of each server', lines: feed.by('guidepost_peer_round_trip_seconds', 'peer').map((each) => ({ name: each.key, values: feed.times.map((_, at) => feed.sum(each.columns, at)) })) })),
    e(Card, { title: 'Records brought into line, a second' }, e(Curves, { times: feed.times, label: 'Records exchanged', lines: ['pushed', 'pulled', 'handed_over'].map((each) => ({ name: words(each), values: feed.rates('guidepost_peer_replicated_records_total', { direction: each }) })) })));
}

const WHY = {
  overflow: 'the queue of the kernel was full: more workers, or a larger net.core.rmem_max',
  heavy_hitter_source: 'a source network sends most of all; the others are served',
  heavy_hitter_name: 'one name is asked for most of all',
  source_share: 'a subscriber is above its fair share', network_share: 'a source network is above its fair share',
  new_sources_share: 'sources that had not come before are together above their share',
  malformed: 'what came is no message of this protocol', response: 'answers to nothing that was asked', denied: 'a rule denies it',
  apart: 'its flood is received by sockets of its own, so that the others do not wait behind it',
  truncated: 'longer than its buffer', no_room: 'the way out was full', rate_limit: 'long answers above the rate of a source network',
};

/** A GUID that is a word as that. */
const named = (key) => {
  const text = /^[0-9a-f]{40}$/.test(key) ? key.replace(/(00)+$/, '').replace(/../g, (two) => String.fromCharCode(parseInt(two, 16))) : '';
  return /^[!-~]+$/.test(text) ? text : key;
};

function Busiest({ title, id, rows, all, cell, empty }) {
  return e(Card, { title, id, side: 'over UDP, of the last seconds' }, e(Table, { empty, rows: rows.slice(0, 12), keyOf: (each) => each.service + each.key, columns: [
    ['which', (each) => e('code', null, cell(each))], ['at', (each) => each.service], ['a second', (each) => count(each.perSecond), 'n'], ['of all', (each) => (100 * each.perSecond / all).toFixed(0) + ' %', 'n'],
    ['held back', (each) => (each.heldPerSecond ? e('span.warn', null, count(each.heldPerSecond)) : '–'), 'n']] }));
}

export function Traffic() {
  const lost = drops();
  const [busiest, fault] = useAsked('/busiest', [Math.floor((feed.times.at(-1) ?? 0) / 2000)]);
  const most = (rows) => [...(rows ?? [])].sort((a, b) => b.perSecond - a.perSecond);
  const networks = most(busiest?.networks);
  const all = Math.max(1e-9, networks.reduce((sum, each) => sum + each.perSecond, 0));
  const held = [...networks, ...most(busiest?.names)].filter((each) => each.heldPerSecond);
  const into = feed.find('guidepost_port_packets_total', { direction: 'in', port: /^(udp|host:)/ });
  const out = feed.find('guidepost_port_packets_total', { direction: 'out', port: /^(udp|host:)/ });
  const line = (columns) => feed.times.map((_, at) => (at ? feed.rate(columns, at) : null));
  const ports = feed.by('guidepost_port_packets_total', 'port');
  const limits = lost.filter((each) => /share|heavy|rate|max|overflow/.test(each.key));
  const quotas = feed.by('guidepost_gnrs_writes_total', 'outcome').filter((each) => /quota|not_permitted|max/.test(each.key) && each.all);
  return e('div.grid', null,
    e('div.tiles', null, e(Tile, { name: 'Datagrams in, a second', value: count(feed.rate(into, feed.end, 3)), line: line(into) }), e(Tile, { name: 'out', value: count(feed.rate(out, feed.end, 3)), line: line(out) }),
      e(Tile, { name: 'Networks received apart', value: count(feed.value('guidepost_port_flood_networks')), note: whole(feed.value('guidepost_port_flood_networks_taken_total')) + ' since the start', kind: feed.value('guidepost_port_flood_networks') ? 'warn' : '' }),
      e(Tile, { name: 'Waited behind others', value: count(feed.rate(feed.find('guidepost_port_deferred_total'), feed.end, 3)), note: 'datagrams a second of busy sources' })),
    e(Fault, { fault }),
    busiest && e(Busiest, { title: 'Busiest source networks', id: 'networks', rows: networks, all, cell: (each) => each.key, empty: 'No datagram has come in the last seconds.' }),
    busiest && e(Busiest, { title: 'Names asked for most', id: 'asked', rows: most(busiest.names), all, empty: 'Nobody has asked for a name in the last seconds.',
      cell: (each) => (each.service === 'gnrs' ? e('a', { href: '#names/' + encodeURIComponent(named(each.key)) }, named(each.key)) : each.service === 'handle' ? e('a', { href: '#handles/' + encodeURIComponent(each.key) }, each.key) : each.key) }),
    e(Card, { title: 'Datagrams a second' }, e(Curves, { times: feed.times, lines: [{ name: 'in', values: line(into) }, { name: 'out', values: line(out) }], label: 'Datagrams in and out' })),
    e(Card, { title: 'Drops a second, by reason' }, lost.some((each) => each.rate) ? e(Curves, { times: feed.times, label: 'Drops by reason', lines: lost.slice(0, 6).map((each) => ({ name: each.door + ': ' + words(each.key), values: line(each.columns) })) }) : e(Empty, null, 'Nothing is dropped.')),
    e(Card, { title: 'Who is limited, and why', id: 'limited' }, (held.length > 0 || busiest?.apart.length > 0) && e(Table, { empty: '', rows: [...held, ...busiest.apart.map((each) => ({ ...each, key: each.network, reason: 'apart' }))], columns: [
      ['who', (each) => e('code', null, named(each.key))], ['at', (each) => each.service], ['a second', (each) => (each.perSecond == null ? '' : count(each.heldPerSecond) + ' of ' + count(each.perSecond)), 'n'], ['why', (each) => WHY[each.reason] ?? words(each.reason)]] }),
    e(Table, { empty: 'No source is limited: nothing is above its share.', rows: [...limits, ...quotas], columns: [['limit', (each) => e('b', null, words(each.key))], ['a second', (each) => count(each.rate), 'n'], ['in all', (each) => whole(each.all), 'n'], ['what it means', (each) => WHY[each.key] ?? 'a bound of the configuration: docs/metrics.md']] })),
    e(Card, { title: 'Requests by kind' }, e(Curves, { times: feed.times, label: 'GNRS requests by type', lines: grouped('guidepost_gnrs_requests_total', 'type').concat(grouped('guidepost_handle_responses_total', 'operation')) })),
    e(Card, { title: 'Ports', wide: true }, e(Table, { empty: 'No datagram has come yet.', rows: ports, keyOf: (each) => each.key, columns: [['port', (each) => e('code', null, each.key)],
      ['in/s', (each) => count(feed.rate(feed.find('guidepost_port_packets_total', { port: each.key, direction: 'in' }), feed.end, 5)), 'n'], ['out/s', (each) => count(feed.rate(feed.find('guidepost_port_packets_total', { port: each.key, direction: 'out' }), feed.end, 5)), 'n'],
      ['Mbit/s in', (each) => (8e-6 * feed.rate(feed.find('guidepost_port_bytes_total', { port: each.key, direction: 'in' }), feed.end, 5)).toFixed(2), 'n'], ['drops', (each) => whole(feed.value('guidepost_port_drops_total', { port: each.key })), 'n']] })));
}

export function Handles() {
  const health = feed.facts.health ?? {};
  const [name, set] = useState(decodeURIComponent(location.hash.split('/').slice(1).join('/')));
  const [told, fault] = useAsked(name.includes('/') ? '/handle?name=' + encodeURIComponent(name) : null);
  const [list, listFault] = useAsked('/names?prefix=' + encodeURIComponent(name) + '&after=02&most=100', [name]);
  if (!feed.find('guidepost_handle_messages_total').length && !(health.prefixes ?? []).length) return e(Card, null, e(Empty, null, 'Handles are not answered here: handle.enabled is false.'));
  const mirrors = feed.by('guidepost_handle_mirror_asked_seconds', 'source').filter((each) => each.key);
  return e('div.grid', null,
    e('div.tiles', null, e(Tile, { name: 'Prefixes at home', value: count((health.prefixes ?? []).length), note: (health.prefixes ?? []).slice(0, 3).join(', ') }), e(Tile, { name: 'Answers a second', value: count(feed.rate(feed.find('guidepost_handle_responses_total'), feed.end, 3)), line: feed.rates('guidepost_handle_responses_total') }),
      e(Tile, { name: 'Connections', value: count(feed.value('guidepost_handle_connections')), note: count(feed.value('guidepost_handle_in_flight')) + ' requests under way' }), e(Tile, { name: 'Sessions', value: count(feed.value('guidepost_handle_sessions')), note: 'open' })),
    e(Card, { title: 'Handles' }, e('label', { for: 'handle' }, 'begins with'), e('input', { id: 'handle', value: name, spellcheck: false, autocomplete: 'off', placeholder: '1234/…', onInput: (event) => set(event.target.value) }), e(Fault, { fault: listFault }),
      list && e(Table, { empty: 'No handle begins so.', rows: list.names, keyOf: (each) => each.key, columns: [['handle', (each) => e('button.plain', { onClick: () => set(each.name) }, each.name)], ['version', (each) => each.version, 'n']] })),
    e(Card, { title: name.includes('/') ? name : 'Values', id: 'handle-values' }, e(Fault, { fault: fault?.status === 404 ? null : fault }), told ? e(Table, { empty: 'It has no values that all may read.', rows: told, columns: [['index', (each) => each.index, 'n'], ['type', (each) => e('b', null, each.type)], ['value', (each) => e('code', null, each.data.format === 'string' ? each.data.value : JSON.stringify(each.data.value))], ['TTL', (each) => each.ttl, 'n']] }) : e(Empty, null, 'Choose a handle.')),
    e(Card, { title: 'Mirrors', wide: true }, mirrors.length ? e(Table, { empty: '', rows: mirrors, columns: [['source', (each) => e('b', null, each.key)], ['behind', (each) => (each.all ? span(Date.now() / 1000 - each.all) : 'never answered'), 'n'], ['questions without an answer', (each) => count(feed.value('guidepost_handle_mirror_failures', { source: each.key })), 'n'], ['changes', (each) => count(feed.value('guidepost_handle_mirror_changes_total', { source: each.key })), 'n']] }) : e(Empty, null, 'This server mirrors no other (handle.mirror-site).')));
}

export function Advice() {
  const [told, fault] = useAsked('/advice');
  const reasons = feed.facts.health?.reasons ?? [];
  return e('div.grid', null, e(Fault, { fault }),
    reasons.length > 0 && e(Card, { title: 'To do now', wide: true }, e(Table, { empty: '', rows: reasons, columns: [['condition', (each) => e(Pill, { kind: 'warn' }, each.condition)], ['detail', (each) => each.detail]] })),
    told?.checks && e(Card, { title: 'What doctor says of this machine', wide: true, id: 'doctor' }, e(Table, { empty: '', rows: told.checks, columns: [['what', (each) => e('b', null, each.what)], ['finding', (each) => e(Pill, { kind: { OK: 'good', NOTE: 'warn', BAD: 'bad' }[each.finding] }, each.finding)], ['seen', (each) => each.seen], ['what to do', (each) => each.todo]] })),
    told && e(Card, { title: 'What differs from the defaults', wide: true, id: 'changed', side: `${told.changed.length} of ${told.keys} keys` }, e(Table, { empty: 'Nothing: all is as it comes.', rows: told.changed, keyOf: (each) => each.key, columns: [['key', (each) => e('code', null, each.key)], ['value', (each) => e('code', null, each.value)], ['default', (each) => e('code.note', null, each.standard)], ['what it is for', (each) => each.sentence]] })));
}
