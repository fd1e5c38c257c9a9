// Names by their beginning, a record with what it leads to, and a change of its places.
import { e, ask, useState, useEffect, useRef, useAsked, Card, Fault, Empty, Pill, span, whole } from './ui.js';

const ROW = 46;
const PAGE = 200;

/** All names that begin so; more are fetched as one scrolls, and only the rows in sight are made. */
function List({ prefix, chosen, choose }) {
  const [state, set] = useState({ names: [], more: true, records: 0 });
  const [fault, setFault] = useState(null);
  const [top, setTop] = useState(0);
  const busy = useRef(false);
  const place = useRef(null);
  const wanted = useRef(prefix);
  const load = async (names) => {
    if (busy.current) return;
    busy.current = true;
    try {
      const after = names.length ? names.at(-1).key : '';
      const told = await ask(`/names?most=${PAGE}&prefix=${encodeURIComponent(prefix)}&after=${after}`);
      if (wanted.current === prefix) set({ names: [...names, ...told.names], more: told.more, records: told.records });
      setFault(null);
    } catch (refused) { setFault(refused); }
    busy.current = false;
  };
  useEffect(() => {
    wanted.current = prefix;
    busy.current = false;
    const soon = setTimeout(() => { place.current?.scrollTo(0, 0); load([]); }, 120);
    return () => clearTimeout(soon);
  }, [prefix]);
  const { names, more, records } = state;
  useEffect(() => { if (more && names.length && top / ROW > names.length - 40) load(names); }, [top, names]);
  const first = Math.max(0, Math.floor(top / ROW) - 5);
  const shown = names.slice(first, first + 40);
  const keys = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const at = names.findIndex((each) => each.name === chosen) + (step ?? 0);
    if (step && names[at]) {
      event.preventDefault();
      choose(names[at]);
      if (at * ROW < top || at * ROW > top + place.current.clientHeight - ROW) place.current.scrollTo(0, (at - 2) * ROW);
    }
  };
  return e('div', null, e(Fault, { fault }),
    e('p.note', { id: 'found', 'aria-live': 'polite' }, whole(names.length) + (more && names.length ? ' and more' : '') + ' names' + (prefix ? ` that begin with “${prefix}”` : '') + ', ' + whole(records) + ' records in all'),
    e('div.list', { ref: place, role: 'listbox', 'aria-label': 'Names', tabindex: 0, onKeyDown: keys, onScroll: (event) => setTop(event.target.scrollTop) },
      e('div', { style: { height: names.length * ROW + 'px' } }),
      shown.map((each, at) => e('button.row', { key: each.key, role: 'option', tabindex: -1, 'aria-selected': String(each.name === chosen), style: { top: (first + at) * ROW + 'px' }, onClick: () => choose(each) },
        e('b', { class: /^[0-9a-f]{40}$/.test(each.name) ? 'mono' : '' }, each.name),
        e('small', null, each.kind === 'handle' ? 'a handle' : each.places ? each.first + (each.places > 1 ? ` and ${each.places - 1} more` : '') : 'no places')))));
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
