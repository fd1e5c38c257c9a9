// Is it well, what does it answer, how fast, what does it drop and why: at one look.
import { feed } from './feed.js';
import { e, Card, Tile, Curves, Table, Pill, count, whole, bytes, seconds, span, words } from './ui.js';

const DOORS = [
  ['GNRS', ['guidepost_gnrs_responses_total']],
  ['Handle', ['guidepost_handle_responses_total', 'guidepost_handle_pages_total']],
  ['Proxidor', ['guidepost_proxidor_responses_total']],
  ['ALTO', ['guidepost_alto_responses_total']],
  ['SCAFFOLD', ['guidepost_scaffold_responses_total']],
  ['DNS', ['guidepost_dns_responses_total']],
];
const DROPS = ['guidepost_port_drops_total', 'guidepost_gnrs_drops_total', 'guidepost_handle_udp_drops_total', 'guidepost_proxidor_drops_total', 'guidepost_scaffold_drops_total', 'guidepost_dns_drops_total'];
const line = (columns) => feed.times.map((_, at) => (at ? feed.rate(columns, at) : null));
const spread = (families) => families.flatMap((each) => feed.find(each));

export function drops() {
  return DROPS.flatMap((family) => feed.by(family, 'reason').map((each) => ({ ...each, door: /guidepost_([a-z]+)/.exec(family)[1] })))
    .filter((each) => each.all > 0).sort((a, b) => b.rate - a.rate || b.all - a.all);
}

/** The commonest groups of a family as lines, by how much came in the five minutes. */
export const grouped = (family, label) => feed.by(family, label, 300).filter((each) => each.rate > 0)
  .map((each) => ({ name: words(each.key), values: line(each.columns) }));

export function Overview({ status }) {
  const health = feed.facts.health ?? {};
  const doors = DOORS.map(([name, families]) => ({ name, columns: spread(families) }))
    .filter((each) => each.columns.length || status?.endpoints.some((at) => at.service.toLowerCase() === each.name.toLowerCase()));
  const answers = doors.flatMap((each) => each.columns);
  const lost = drops();
  const lostColumns = lost.flatMap((each) => each.columns);
  const free = feed.value('guidepost_store_disk_free_bytes');
  const writes = feed.find('guidepost_store_writes_total');
  const results = grouped('guidepost_gnrs_lookups_total', 'result');
  const backup = feed.value('guidepost_store_last_backup_timestamp_seconds');
  const reasons = health.reasons ?? [];
  return e('div.grid', null,
    e('section.banner', { class: health.status === 'ok' ? 'good' : health.status === 'failing' ? 'bad' : 'warn', id: 'well' },
      e('b', null, health.status === 'ok' ? 'All is well' : health.status === 'failing' ? 'Writes are refused' : 'Degraded'),
      reasons.length ? e('ul', null, reasons.map((each) => e('li', null, e('code', null, each.condition), ' ', each.detail)))
        : e('span', null, 'It answers, takes writes, and no condition lasts. Last reload ', (health.lastReload ?? '–').replace(/\.\d+Z/, 'Z'), '.')),
    e('div.tiles', null,
      e(Tile, { id: 'answers', name: 'Answers a second', value: count(feed.rate(answers, feed.end, 3)), note: whole(feed.sum(answers)) + ' in all', line: line(answers) }),
      e(Tile, { name: 'A turn of a worker', value: seconds(feed.quantile('guidepost_worker_service_seconds', 0.5)), note: 'p99 ' + seconds(feed.quantile('guidepost_worker_service_seconds', 0.99)), line: feed.quantiles('guidepost_worker_service_seconds', 0.99) }),
      e(Tile, { name: 'Drops a second', value: count(feed.rate(lostColumns, feed.end, 3)), note: lost[0] ? 'most: ' + words(lost[0].key) : 'none since the start', kind: feed.rate(lostColumns, feed.end, 3) > 1 ? 'warn' : '', line: line(lostColumns) }),
      e(Tile, { name: 'Records', value: count(feed.value('guidepost_store_records')), note: count(feed.rate(writes, feed.end, 3)) + ' writes a second', line: line(writes) }),
      e(Tile, { name: 'Disk left', value: bytes(free), note: 'store ' + bytes(feed.value('guidepost_store_disk_bytes')) + (backup ? ', backup ' + span(Date.now() / 1000 - backup) + ' ago' : ', no backup yet'), kind: free < 2 * feed.value('guidepost_store_disk_bytes') ? 'warn' : '' }),
      e(Tile, { name: 'Processor', value: (100 * feed.rate(feed.find('process_cpu_seconds_total'), feed.end, 3)).toFixed(0) + ' %', note: 'memory ' + bytes(feed.value('process_resident_memory_bytes')), line: line(feed.find('process_cpu_seconds_total')) })),
    e(Card, { title: 'Answers a second, by door' }, e(Curves, { times: feed.times, lines: doors.map((each) => ({ name: each.name, values: line(each.columns) })), label: 'Answers a second by door' })),
    e(Card, { title: 'GNRS look-ups, by result' }, results.length ? e(Curves, { times: feed.times, lines: results, label: 'Look-ups a second by result' })
      : e('p.empty', null, 'No look-up in the last five minutes.')),
    e(Card, { title: 'How long it takes', side: 'half and 99 of 100, upper bounds' }, e(Curves, { times: feed.times, unit: seconds, log: true, label: 'How long turns and writes take', lines: [
      { name: 'turn p50', values: feed.quantiles('guidepost_worker_service_seconds', 0.5) }, { name: 'turn p99', values: feed.quantiles('guidepost_worker_service_seconds', 0.99) },
      { name: 'write p50', values: feed.quantiles('guidepost_gnrs_write_seconds', 0.5) }, { name: 'write p99', values: feed.quantiles('guidepost_gnrs_write_seconds', 0.99) }] })),
    e(Card, { title: 'What is dropped, and why' }, e(Table, { empty: 'Nothing has been dropped since the start.', rows: lost.slice(0, 8), columns: [
      ['where', (each) => each.door], ['reason', (each) => words(each.key)], ['a second', (each) => count(each.rate), 'n'], ['in all', (each) => whole(each.all), 'n']] })),
    status && e(Card, { title: 'Doors', wide: true }, e(Table, { rows: status.endpoints, empty: '', columns: [
      ['service', (each) => e('b', null, each.service)], ['address', (each) => e('code', null, each.address)], ['over', (each) => each.transport],
      ['port', (each) => each.port], ['state', () => e(Pill, { kind: 'good' }, 'open')]] })));
}
