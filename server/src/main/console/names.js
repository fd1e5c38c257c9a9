// Names by their beginning, a record with what it leads to, and a change of its places.
import { e, ask, useState, useEffect, useRef, useAsked, Card, Fault, Empty, Pill, span, whole } from './ui.js';

const ROW = 46;
const PAGE = 1000;

/** Pages that are held: what a screen and some turns of a wheel need. */
const HELD = 5;

/** Names that one scrolls through: an element can be some 33 million pixels high. */
const ROWS_MAX = 500_000;

/** Names that begin so, as far as they were read: where pages of them begin, and the rows of those pages that are held. */
const fresh = (prefix) => ({ prefix, starts: [''], pages: new Map(), count: 0, more: true, records: 0, busy: false, failed: false });

function take(all, page, told) {
  all.pages.set(page, told.names);
  all.records = told.records;
  if (page === all.starts.length - 1 && all.more) {
    all.count = page * PAGE + told.names.length;
    all.more = told.more;
    if (told.more) all.starts.push(told.names.at(-1).key);
  }
  // The pages farthest from where one looks are read again when one comes back.
  for (const far of [...all.pages.keys()].sort((a, b) => Math.abs(b - page) - Math.abs(a - page)).slice(0, Math.max(0, all.pages.size - HELD))) all.pages.delete(far);
}

/** All names that begin so; more are fetched as one scrolls, some pages are held, and only the rows in sight are made. */
function List({ prefix, chosen, choose }) {
  const [, turn] = useState(0);
  const [fault, setFault] = useState(null);
  const [top, setTop] = useState(0);
  const place = useRef(null);
  const held = useRef(fresh(prefix));
  const all = held.current;
  const load = async (page) => {
    all.busy = true;
    try {
      take(all, page, await ask(`/names?most=${PAGE}&prefix=${encodeURIComponent(all.prefix)}&after=${all.starts[page]}`));
      setFault(null);
    } catch (refused) {
      all.failed = true;
      if (all === held.current) setFault(refused);
    }
    all.busy = false;
    turn((n) => n + 1);
  };
  useEffect(() => {
    const soon = setTimeout(() => { held.current = fresh(prefix); place.current?.scrollTo(0, 0); setTop(0); turn((n) => n + 1); }, prefix === all.prefix ? 0 : 120);
    return () => clearTimeout(soon);
  }, [prefix]);
  const first = Math.max(0, Math.floor(top / ROW) - 5);
  const last = first + 40;
  const row = (at) => all.pages.get(Math.floor(at / PAGE))?.[at % PAGE];
  useEffect(() => {
    const wanted = [first, last, last + 40].map((at) => Math.min(Math.floor(at / PAGE), all.starts.length - 1));
    const missing = wanted.find((page) => !all.pages.has(page) && page * PAGE < ROWS_MAX);
    if (missing !== undefined && !all.busy && !all.failed) load(missing);
  });
  const keys = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const [page, rows] = [...all.pages].find(([, each]) => each.some((one) => one.name === chosen)) ?? [0, []];
    const at = page * PAGE + rows.findIndex((each) => each.name === chosen) + (step ?? 0);
    if (step && row(at)) {
      event.preventDefault();
      choose(row(at));
      if (at * ROW < top || at * ROW > top + place.current.clientHeight - ROW) place.current.scrollTo(0, (at - 2) * ROW);
    }
  };
  const shown = [];
  for (let at = first; at < Math.min(last, all.count); at++) {
    const each = row(at);
    const style = { top: at * ROW + 'px' };
    shown.push(each ? e('button.row', { key: at, role: 'option', tabindex: -1, 'aria-selected': String(each.name === chosen), style, onClick: () => choose(each) },
      e('b', { class: /^[0-9a-f]{40}$/.test(each.name) ? 'mono' : '' }, each.name),
      e('small', null, each.kind === 'handle' ? 'a handle' : each.places ? each.first + (each.places > 1 ? ` and ${each.places - 1} more` : '') : 'no places'))
      : e('div.row.note', { key: at, style }, '…'));
  }
  return e('div', null, e(Fault, { fault }),
    e('p.note', { id: 'found', 'aria-live': 'polite' }, whole(all.count) + (all.more && all.count ? ' and more' : '') + ' names' + (all.prefix ? ` that begin with “${all.prefix}”` : '') + ', ' + whole(all.records) + ' records in all'),
    e('div.list', { ref: place, role: 'listbox', 'aria-label': 'Names', tabindex: 0, 'data-held': [...all.pages.values()].reduce((sum, each) => sum + each.length, 0), onKeyDown: keys, onScroll: (event) => setTop(event.target.scrollTop) },
      e('div', { role: 'presentation', style: { height: all.count * ROW + 'px' } }), shown));
}

function Left({ place, read }) {
  const [, turn] = useState(0);
  useEffect(() => { const each = setInterval(() => turn((n) => n + 1), 500); return () => clearInterval(each); }, []);
  if (!place.expiryMillis) return e('span.left.note', null, 'does not expire');
  const left = (place.expiryMillis - read.now - (Date.now() - read.at)) / 1000;
  const whole = (place.expiryMillis - read.now) / 1000;
  return e('span.left', null, e('span', { class: left < 60 ? 'warn' : '' }, left > 0 ? 'ends in ' + span(left) : 'has ended'),
    e('progress', { value: Math.max(0, left), max: Math.max(whole, 1), 'aria-label': 'time left' }));
}

function Edit({ record, done }) {
  const [rows, set] = useState(record.places.length ? record.places : [{ place: '', ttlMillis: 0, expiryMillis: 0 }]);
  const [fault, setFault] = useState(null);
  const change = (at, what) => set(rows.map((each, i) => (i === at ? { ...each, ...what } : each)));
  const save = async (places) => {
    try {
      await ask('/record', JSON.stringify({ name: record.guid, version: record.version, places }));
      done();
    } catch (refused) { setFault(refused); }
  };
  const submit = (event) => { event.preventDefault(); save(rows.filter((each) => each.place.trim()).map(({ place, ttlMillis, expiryMillis }) => ({ place: place.trim(), ttlMillis, expiryMillis }))); };
  return e('form', { onSubmit: submit, id: 'edit' },
    rows.map((each, at) => e('div.fields', { key: at },
      e('div', null, e('label', { for: 'place' + at }, 'place: address:port, guid:NAME or a URL'), e('input', { id: 'place' + at, value: each.place, onInput: (event) => change(at, { place: event.target.value }) })),
      e('div', null, e('label', { for: 'ttl' + at }, 'cache for, s'), e('input', { id: 'ttl' + at, type: 'number', min: 0, value: each.ttlMillis / 1000, onInput: (event) => change(at, { ttlMillis: Math.round(event.target.value * 1000) }) })),
      e('div', null, e('label', { for: 'ends' + at }, 'ends in, s (empty: never)'), e('input', { id: 'ends' + at, type: 'number', min: 0, value: each.expiryMillis ? Math.max(0, Math.round((each.expiryMillis - Date.now()) / 1000)) : '',
        onChange: (event) => change(at, { expiryMillis: event.target.value === '' ? 0 : Date.now() + Math.round(event.target.value * 1000) }) })),
      e('button.plain', { type: 'button', 'aria-label': 'remove this place', onClick: () => set(rows.filter((_, i) => i !== at)) }, '✕'))),
    e(Fault, { fault }),
    e('div.actions', null, e('button.first', { id: 'save' }, 'Save'),
      e('button', { type: 'button', onClick: () => set([...rows, { place: '', ttlMillis: 0, expiryMillis: 0 }]) }, 'Add a place'),
      e('button', { type: 'button', onClick: done }, 'Cancel'), e('span.grow'),
      e('button.bad', { type: 'button', onClick: () => save([]) }, 'Delete the name')));
}

function Record({ name, go }) {
  const [told, fault, again] = useAsked('/record?name=' + encodeURIComponent(name));
  const [where] = useAsked(told ? '/where?guid=' + told.records[0].guid : null);
  const [editing, edit] = useState(false);
  const at = useRef(0);
  useEffect(() => { at.current = Date.now(); }, [told]);
  if (!told) return e(Card, { title: name }, e(Fault, { fault }));
  const read = { now: told.now, at: at.current || Date.now() };
  const [record] = told.records;
  const known = new Set(told.records.map((each) => each.name));
  return e(Card, { title: record.name, id: 'record', side: record.found ? 'version ' + record.version : 'bound to nothing' },
    e('p', null, e('code', null, record.guid)),
    editing ? e(Edit, { record, done: () => { edit(false); again(); } })
      : e('div.actions', null, e('button', { id: 'change', onClick: () => edit(true) }, 'Change its places'), e('button', { onClick: again }, 'Read again')),
    e('div.chain', null, told.records.map((each, step) => e('div.step', { key: each.guid },
      e('b', null, each.name), step > 0 && e('span.note', null, '  version ' + each.version), !each.found && e(Pill, { kind: 'warn' }, 'bound to nothing'),
      each.places.map((place) => e('div.place', null, e('code.grow', null, place.to ? e('a', { href: '#names/' + encodeURIComponent(place.to), onClick: () => go(place.to) }, place.place) : place.place),
        place.to && e(Pill, { kind: known.has(place.to) ? '' : 'warn' }, place.to === each.name ? 'loop' : 'leads on'),
        e('span.note', null, place.ttlMillis ? 'cache ' + span(place.ttlMillis / 1000) : 'not to be cached'), e(Left, { place, read })))))),
    told.cut && e('p.warn', null, 'The chain is longer: it is shown in part.'),
    where && e('div', null, e('h3', null, 'Copies'), where.servers.length
      ? e('p', null, where.servers.map((each) => e('span', null, e(Pill, { kind: each.here ? 'good' : '' }, each.name + (each.here ? ', here' : '')), ' ')))
      : e('p.note', null, 'This server keeps all names: there are no others.')));
}

export function Names() {
  const [prefix, set] = useState('');
  const [chosen, choose] = useState(decodeURIComponent(location.hash.split('/')[1] ?? ''));
  const pick = (each) => {
    if (each.kind === 'handle') location.hash = 'handles/' + encodeURIComponent(each.name);
    else choose(each.name);
  };
  return e('div.names', null,
    e(Card, null, e('form', { onSubmit: (event) => { event.preventDefault(); choose(prefix); } },
      e('label', { for: 'prefix' }, 'begins with: a word, 0x and hexadecimal digits, a handle; Enter opens the name itself'),
      e('input', { id: 'prefix', value: prefix, placeholder: 'ali…', autocomplete: 'off', spellcheck: false, onInput: (event) => set(event.target.value) })),
    e(List, { prefix, chosen, choose: pick })),
    chosen ? e(Record, { name: chosen, key: chosen, go: choose }) : e(Card, null, e(Empty, null, 'Choose a name: its places, what they lead to, and where copies are kept.')));
}
