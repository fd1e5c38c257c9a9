// The topology as a map: two places and the way between them, a list in order, and what a change of a link does to it.
import { feed } from './feed.js';
import { e, ask, useState, useEffect, useMemo, useAsked, Card, Fault, Empty, Pill, Table, count } from './ui.js';

const WIDTH = 800;
const HEIGHT = 500;
const key = (a, b) => (a < b ? a + ' ' + b : b + ' ' + a);

/** Where the files say that routers stand, as points of the map: degrees east shrink towards the poles. */
function project(nodes) {
  const known = nodes.filter((each) => each.latitude !== undefined);
  if (known.length < 2) return;
  const middle = known.reduce((sum, each) => sum + each.latitude, 0) / known.length;
  const east = (each) => each.longitude * Math.cos(middle * Math.PI / 180);
  const wide = (values) => Math.max(...values) - Math.min(...values);
  const scale = Math.min(WIDTH / (wide(known.map(east)) || 1e-9), HEIGHT / (wide(known.map((each) => each.latitude)) || 1e-9));
  const [west, north] = [Math.min(...known.map(east)), Math.max(...known.map((each) => each.latitude))];
  for (const each of known) Object.assign(each, { px: (east(each) - west) * scale - WIDTH / 2, py: (north - each.latitude) * scale - HEIGHT / 2 });
}

/** Places: those of the files, else by springs; as many turns as there is time for, always the same for the same graph. */
function lay(graph) {
  const { forceSimulation, forceLink, forceManyBody, forceX, forceY, forceCollide } = globalThis.d3;
  const nodes = graph.routers.map((each) => ({ ...each }));
  project(nodes);
  const placed = (each) => each.px !== undefined;
  const pairs = new Map(graph.links.map((each) => [key(each.from, each.to), { source: each.from, target: each.to }]));
  const link = forceLink([...pairs.values()]).id((each) => each.id).distance(110);
  const pull = link.strength();
  forceSimulation(nodes).force('link', link.strength((each, at, all) => (placed(each.source) || placed(each.target) ? 0.02 : pull(each, at, all))))
    .force('charge', forceManyBody().strength((each) => (placed(each) ? 0 : -520)))
    .force('x', forceX((each) => each.px ?? 0).strength((each) => (placed(each) ? 1 : 0.05))).force('y', forceY((each) => each.py ?? 0).strength((each) => (placed(each) ? 1 : 0.09)))
    .force('collide', forceCollide((each) => (placed(each) ? 12 : 34))).stop().tick(nodes.length > 400 ? 60 : 320);
  const xs = nodes.map((each) => each.x);
  const ys = nodes.map((each) => each.y);
  const scale = Math.min((WIDTH - 110) / (Math.max(...xs) - Math.min(...xs) || 1), (HEIGHT - 100) / (Math.max(...ys) - Math.min(...ys) || 1), 2.2);
  const at = new Map();
  nodes.forEach((each) => at.set(each.id, {
    x: WIDTH / 2 + (each.x - (Math.max(...xs) + Math.min(...xs)) / 2) * scale,
    y: HEIGHT / 2 + (each.y - (Math.max(...ys) + Math.min(...ys)) / 2) * scale,
  }));
  return at;
}

const address = (router) => (router.networks[0] ?? '').split('/')[0];
const press = (does) => ({ onClick: does, onKeyDown: (event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); does(); } } });

function Map_({ graph, from, to, way, link, setLink, pick }) {
  const places = useMemo(() => lay(graph), [graph.routers.length, graph.links.length]);
  const onWay = new Set(way.slice(1).map((each, at) => key(way[at], each)));
  const pairs = [...new Map(graph.links.map((each) => [key(each.from, each.to), each])).entries()];
  const load = (each) => (each.congestion >= 0.7 ? 'load2' : each.congestion > 0.3 ? 'load1' : '');
  return e('svg.map', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'group', 'aria-label': 'Map of the topology' },
    pairs.map(([name, each]) => {
      const [a, b] = [places.get(each.from), places.get(each.to)];
      const line = { x1: a.x, y1: a.y, x2: b.x, y2: b.y };
      return e('g', { key: name }, e('line.link', { ...line, class: [each.up ? load(each) : 'down', onWay.has(name) && 'way', link && key(link.from, link.to) === name && 'chosen'].filter(Boolean).join(' ') }),
        e('line.hit', { ...line, tabindex: 0, role: 'button', 'aria-label': `link ${each.from} to ${each.to}`, ...press(() => setLink(each)) }, e('title', null, `${each.from} – ${each.to}: ${each.latency} ms, ${each.bandwidth} Mbit/s`)));
    }),
    graph.routers.map((each) => {
      const { x, y } = places.get(each.id);
      const size = 9 + Math.min(9, Math.log2(1 + each.internal + each.external));
      return e('g.node', { key: each.id, transform: `translate(${x} ${y})`, tabindex: 0, role: 'button', 'data-id': each.id, 'aria-label': 'router ' + each.name, class: [!each.up && 'down', way.includes(each.id) && 'way', each.id === from && 'from', each.id === to && 'to'].filter(Boolean).join(' '), ...press(() => pick(each)) },
        e('circle', { r: size }), e('text', { y: -size - 5 }, each.name), e('text.sub', { y: size + 13 }, count(each.internal + each.external) + ' networks'),
        e('title', null, each.networks.join(', ') || 'no networks'));
    }));
}

const TERMS = [['latency', 'ms'], ['bandwidth', 'Mbit/s'], ['hops', ''], ['as-distance', 'ASes'], ['as-number', ''], ['weight', ''], ['congestion', '']];

function Way({ told, graph }) {
  if (!told) return e(Empty, null, 'Click two routers: whose way it is, and where to.');
  if (!told.path) return e('p.warn', null, told.address + ' is not ranked: ' + told.why);
  const hops = told.path.slice(1).map((each, at) => graph.links.find((link) => link.from === told.path[at] && link.to === each) ?? { from: told.path[at], to: each });
  return e('div', null,
    e('div.facts', null, TERMS.filter(([name]) => told.metrics?.[name] !== undefined).map(([name, unit]) => [e('dt', null, name), e('dd', null, `${told.metrics[name]} ${unit}`)]),
      e('dt', null, e('b', null, 'cost')), e('dd', null, e('b', { id: 'cost' }, count(told.cost)))),
    e('p.note', null, 'Cost by the ranking function “' + graph.function + '” of these terms; ', told.prefix, ' is the longest match.'),
    e('h3', null, 'Hop by hop'), e(Table, { empty: 'It is at the same router.', rows: hops, columns: [['link', (each) => e('code', null, each.from + ' → ' + each.to)], ['ms', (each) => each.latency, 'n'], ['Mbit/s', (each) => each.bandwidth, 'n'], ['weight', (each) => each.weight, 'n'], ['load', (each) => each.congestion, 'n']] }));
}

function LinkForm({ link, graph, changed, close }) {
  const now = graph.links.find((each) => each.from === link.from && each.nic === link.nic) ?? link;
  const [draft, set] = useState({ latency: now.latency, bandwidth: now.bandwidth, congestion: now.congestion, weight: now.weight });
  const [both, setBoth] = useState(true);
  const [fault, setFault] = useState(null);
  const [busy, setBusy] = useState(false);
  const ends = () => [now, ...(both ? graph.links.filter((each) => each.from === now.to && each.to === now.from).slice(0, 1) : [])];
  const run = async (lines) => {
    setBusy(true);
    try {
      for (const each of lines) await ask('/oracle', each);
      setFault(null);
      changed();
    } catch (refused) { setFault(refused); }
    setBusy(false);
  };
  const save = (event) => {
    event.preventDefault();
    const words = { latency: 'lat', bandwidth: 'bw', congestion: 'cong', weight: 'weight' };
    run(ends().flatMap((end) => Object.keys(words).filter((each) => Number(draft[each]) !== end[each] && draft[each] !== 'infinite').map((each) => `set link ${end.from} ${end.nic} ${words[each]} ${draft[each]}`)));
  };
  return e(Card, { title: 'Link', id: 'link', side: e('button.plain', { onClick: close, 'aria-label': 'close' }, '✕') },
    e('p', null, e('code', null, now.from + ' → ' + now.to), ' ', e(Pill, { kind: now.up ? 'good' : 'bad' }, now.up ? 'up' : 'down')),
    e('form', { onSubmit: save }, e('div.quad', null, [['latency', 'latency, ms'], ['bandwidth', 'Mbit/s'], ['congestion', 'load'], ['weight', 'weight']].map(([name, label]) => e('div', { key: name }, e('label', { for: 'link-' + name }, label),
      e('input', { id: 'link-' + name, inputmode: 'decimal', value: draft[name], onInput: (event) => set({ ...draft, [name]: event.target.value }) })))),
    e(Fault, { fault }),
    e('div.actions', null, e('button.first', { id: 'link-save', disabled: busy }, 'Change it'),
      e('button', { type: 'button', id: 'link-down', onClick: () => run([`set nic ${now.from} ${now.nic} ${now.up ? 'down' : 'up'}`]) }, now.up ? 'Take it down' : 'Bring it up'),
      e('label', null, e('input', { type: 'checkbox', checked: both, onChange: (event) => setBoth(event.target.checked), style: { width: 'auto', marginRight: '6px' } }), 'both directions'))),
    e('p.note', null, 'In force until the files are read again (reload, restart); ', e('code', null, 'dump'), ' of guidepost oracle writes it.'));
}

function Order({ graph, from, chosen, pickAddress }) {
  const usual = [...new Set(graph.routers.flatMap((each) => [each.networks[0], each.networks.at(-1)]).filter(Boolean).map((each) => each.split('/')[0]))].slice(0, 12).join('\n');
  const [text, set] = useState(usual);
  const wanted = text.split(/[\s,]+/).filter(Boolean);
  const [told, fault] = useAsked(from && wanted.length ? `/rank?source=${from}&to=${encodeURIComponent(wanted.join(','))}` : null, [graph.version]);
  const [moves, setMoves] = useState({ order: [], was: {} });
  useEffect(() => {
    if (!told) return;
    const order = told.map((each) => each.address);
    if (order.join() !== moves.order.join()) setMoves({ order, was: Object.fromEntries(moves.order.map((each, at) => [each, at])), from: moves.from });
  }, [told]);
  const top = Math.max(1e-9, ...(told ?? []).map((each) => each.cost ?? 0));
  return e(Card, { title: 'Nearest first', side: from ? 'from ' + from : '', id: 'order' },
    e(Fault, { fault }), !from && e(Empty, null, 'Click the router whose list it is.'),
    told && e('ol.rank', null, told.map((each, at) => {
      const step = each.address in moves.was ? moves.was[each.address] - at : 0;
      return e('li', { key: each.address, 'data-address': each.address }, e('b', null, at + 1), e('span', null, e('a', { href: '#nearness', onClick: (event) => { event.preventDefault(); pickAddress(each.address); }, 'aria-current': each.address === chosen ? 'true' : undefined }, each.address),
        e('svg.bar', { viewBox: '0 0 100 6', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, e('rect', { width: each.cost == null ? 0 : 100 * each.cost / top, height: 6 }))),
      e('span.n', null, each.cost == null ? 'unranked' : count(each.cost)), e('span.n', { class: step > 0 ? 'good' : step < 0 ? 'bad' : 'note' }, step > 0 ? '▲ ' + step : step < 0 ? '▼ ' + -step : ''));
    })),
    e('label', { for: 'addresses', style: { marginTop: '10px' } }, 'addresses, at most 363'), e('textarea', { id: 'addresses', rows: 4, class: 'mono', spellcheck: false, value: text, onInput: (event) => set(event.target.value) }));
}

export function Nearness() {
  const version = feed.value('guidepost_topology_version');
  const [graph, fault, again] = useAsked('/topology/graph', [version]);
  const [topology] = useAsked('/topology', [version]);
  const [ends, setEnds] = useState({});
  const [link, setLink] = useState(null);
  const [told, rankFault] = useAsked(ends.from && ends.to ? `/rank?source=${ends.from.address}&to=${ends.to.address}` : null, [graph?.version]);
  if (!graph) return e('div', null, e(Fault, { fault }), !fault && e(Empty, null, 'The topology is read …'));
  if (!graph.routers.length) return e(Card, null, e(Empty, null, 'There is no topology: proximity.files names one, or a router tells it over BGP.'));
  const pick = (each) => {
    const end = { id: each.id, address: address(each) };
    if (!end.address) return;
    setEnds(!ends.from || ends.to ? { from: end } : { ...ends, to: end });
  };
  const way = told?.[0];
  const defects = topology?.['defect-lines'] ?? [];
  return e('div.near', null,
    e('div', null, e(Card, { title: graph.all + ' routers, ' + graph.links.length + ' links', side: ends.from && !ends.to ? 'now click where to' : 'click two routers; click a link to change it' },
      e(Map_, { graph, from: ends.from?.id, to: ends.to?.id, way: way?.path ?? [], link, setLink, pick }),
      e('ul.legend', null, e('li', null, e('i.k1'), 'from, and the way'), e('li', null, e('i.k2'), 'to'), e('li', null, e('i.k3'), 'load over 0.3'), e('li', null, e('i.k5'), 'over 0.7, or down'))),
    e(Card, { title: 'What keeps prefixes from being ranked' }, defects.length ? e('ul', null, defects.map((each) => e('li.warn', null, each))) : e('p.note', null, 'Nothing: no route loops or ends on the way, and every exit is reached.'))),
    e('div', null, link && e(LinkForm, { key: link.from + link.nic, link, graph, changed: again, close: () => setLink(null) }),
      e(Card, { title: 'The way, term by term', id: 'way' }, e(Fault, { fault: rankFault }), e(Way, { told: way, graph })),
      e(Order, { graph, from: ends.from?.address, chosen: ends.to?.address, pickAddress: (each) => setEnds({ ...ends, to: { address: each, id: '' } }) })));
}
