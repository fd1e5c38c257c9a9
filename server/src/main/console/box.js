// One screen of a middlebox: what its ports and it itself count, once a second, as --json tells it.
import { e, ask, render, useState, useEffect, token, applyTheme, Top, Card, Tile, Curves, Table, Pill, Fault, Empty, count, whole, words } from './ui.js';

const KEPT = 300;
const times = [];
const looks = [];

/** All numbers of a look by their way to them. */
function flat(value, way = '', into = {}) {
  if (typeof value === 'number') into[way] = value;
  else if (value && typeof value === 'object') for (const [key, each] of Object.entries(value)) flat(each, `${way}/${key}`, into);
  return into;
}

const sum = (look, match) => Object.entries(look).reduce((all, [way, n]) => (match.test(way) ? all + n : all), 0);

function rate(match, at = looks.length - 1, over = 1) {
  const before = Math.max(0, at - over);
  const seconds = (times[at] - times[before]) / 1000;
  return seconds > 0 ? Math.max(0, sum(looks[at], match) - sum(looks[before], match)) / seconds : 0;
}

const exactly = (way) => new RegExp('^' + way.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + '$');
const line = (match) => times.map((_, at) => (at ? rate(match, at) : null));
const GROWS = /^(packets|bytes|received|sent|wanted)$/;

/** What a box tells of itself, whatever it is: lists as tables, numbers with what they grow by. */
function Told({ value, way, title }) {
  if (Array.isArray(value)) {
    const keys = Object.keys(value[0] ?? {});
    const cell = (each) => (typeof each === 'boolean' ? e(Pill, { kind: each ? 'good' : 'bad' }, each ? 'yes' : 'no') : typeof each === 'number' ? whole(each) : e('code', null, each));
    const columns = keys.flatMap((key) => {
      const number = typeof value[0][key] === 'number' && key !== 'line' && key !== 'queue';
      const told = [words(key), (row) => cell(row[key]), number ? 'n' : ''];
      return number && GROWS.test(key) && key !== 'bytes' ? [told, ['a second', (row) => count(rate(exactly(`${way}/${value.indexOf(row)}/${key}`), looks.length - 1, 3)), 'n']] : [told];
    });
    return e(Card, { title, wide: true, id: 'told' }, e(Table, { empty: 'Nothing yet.', rows: value, columns }));
  }
  const numbers = Object.entries(value).filter(([, each]) => typeof each === 'number');
  const others = Object.entries(value).filter(([, each]) => each && typeof each === 'object');
  return [numbers.length > 0 && e(Card, { title, id: 'counts', key: way }, e(Table, { empty: '', rows: numbers, columns: [['count', ([key]) => words(key)], ['now, or in all', ([, n]) => whole(n), 'n'],
    ['a second', ([key]) => count(rate(exactly(`${way}/${key}`), looks.length - 1, 3)), 'n']] })),
    ...others.map(([key, each]) => e(Told, { key: way + key, value: each, way: `${way}/${key}`, title: words(key) }))];
}

const WHAT = { firewall: 'Rules and their hits', nat: 'Translations', balance: 'Back ends', forward: 'Forwarding', capture: 'Queues' };

function Box({ told }) {
  const reasons = told.ports.flatMap((port, at) => Object.entries(port.dropped).map(([reason, all]) => ({ port: port.port, reason, all, rate: rate(exactly(`/ports/${at}/dropped/${reason}`), looks.length - 1, 3) })));
  const [into, out, lost] = [/^\/ports\/\d+\/received$/, /^\/ports\/\d+\/sent$/, /^\/ports\/\d+\/dropped\//];
  const last = looks.length - 1;
  return e('div.grid', null,
    e('div.tiles', null, e(Tile, { id: 'in', name: 'Frames in, a second', value: count(rate(into, last, 3)), note: whole(sum(looks[last], into)) + ' in all', line: line(into) }),
      e(Tile, { name: 'out', value: count(rate(out, last, 3)), note: whole(sum(looks[last], out)) + ' in all', line: line(out) }),
      e(Tile, { name: 'Dropped, a second', value: count(rate(lost, last, 3)), note: whole(sum(looks[last], lost)) + ' in all', kind: rate(lost, last, 3) ? 'warn' : '', line: line(lost) })),
    e(Card, { title: 'Frames a second' }, e(Curves, { times, lines: [{ name: 'in', values: line(into) }, { name: 'out', values: line(out) }, { name: 'dropped', values: line(lost) }], label: 'Frames in, out and dropped' })),
    e(Card, { title: 'Drops, by reason', id: 'drops' }, e(Table, { empty: 'Nothing was dropped.', rows: reasons, columns: [['port', (each) => e('code', null, each.port)], ['reason', (each) => words(each.reason)], ['a second', (each) => count(each.rate), 'n'], ['in all', (each) => whole(each.all), 'n']] })),
    e(Card, { title: 'Ports and devices', wide: true, id: 'ports' }, e(Table, { empty: '', rows: told.ports, columns: [['port', (each) => e('code', null, each.port)], ['link', (each) => each.link],
      ['in', (each) => whole(each.received), 'n'], ['out', (each) => whole(each.sent), 'n'], ['the device counts', (each) => Object.entries(each.device).filter(([, n]) => n).map(([name, n]) => `${words(name)} ${whole(n)}`).join(', ') || '–']] })),
    e(Told, { value: told.box, way: '/box', title: WHAT[told.command] ?? told.command }));
}

function App() {
  const [told, set] = useState(null);
  const [fault, setFault] = useState(null);
  const [, turn] = useState(0);
  useEffect(() => {
    let gone = false;
    (async () => {
      while (!gone) {
        try {
          const now = await ask('/box');
          times.push(Date.now());
          looks.push(flat(now));
          if (looks.length > KEPT + 1) { looks.shift(); times.shift(); }
          set(now);
          setFault(null);
        } catch (refused) { setFault(refused.status ? refused : new Error('The box does not answer.')); }
        await new Promise((again) => { setTimeout(again, 1000); });
      }
    })();
    return () => { gone = true; };
  }, []);
  useEffect(() => { document.title = (told?.command ?? '') + ' · Guidepost'; }, [told?.command]);
  return e('div.main', null,
    e(Top, { title: told?.command ?? 'Middlebox', changed: () => turn((n) => n + 1) }, e('span', { id: 'health' }, e(Pill, { kind: fault ? 'bad' : 'good' }, e('i.dot', { class: fault ? '' : 'beat' }), fault ? 'no answer' : 'runs'))),
    e('main', { id: 'screen', tabindex: -1 }, e(Fault, { fault }), told ? e(Box, { told }) : !fault && e(Empty, null, 'Waiting for the box …')));
}

applyTheme();
render(e(App), document.getElementById('app'));
