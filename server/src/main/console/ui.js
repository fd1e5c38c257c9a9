// What all screens are made of: elements, words for numbers, curves, and the way to the admin port.
const { h, render, Fragment } = globalThis.preact;
const { useState, useEffect, useRef, useMemo, useReducer } = globalThis.preactHooks;
export { render, Fragment, useState, useEffect, useRef, useMemo };

/** An element by tag and classes: e('div.card', {...}, children). */
export const e = (what, props, ...children) => {
  if (typeof what !== 'string') return h(what, props, ...children);
  const [tag, ...classes] = what.split('.');
  const own = props?.class ? [...classes, props.class] : classes;
  return h(tag || 'div', own.length ? { ...props, class: own.join(' ') } : props, ...children);
};

export const whole = (n) => Math.round(n).toLocaleString('en');
export const count = (n) => {
  if (n == null || Number.isNaN(n)) return '–';
  if (Math.abs(n) >= 1e9) return (n / 1e9).toFixed(1) + ' G';
  if (Math.abs(n) >= 1e6) return (n / 1e6).toFixed(1) + ' M';
  if (Math.abs(n) >= 1e4) return (n / 1e3).toFixed(1) + ' k';
  return Math.abs(n) >= 10 || Number.isInteger(n) ? whole(n) : n.toFixed(1);
};
export const bytes = (n) => {
  let at = 0;
  while (n >= 1024 && at < 4) { n /= 1024; at++; }
  return (n >= 100 || at === 0 ? Math.round(n) : n.toFixed(1)) + ' ' + ['B', 'KiB', 'MiB', 'GiB', 'TiB'][at];
};
export const seconds = (s) => {
  if (s == null) return '–';
  if (s < 1e-3) return Math.round(s * 1e6) + ' µs';
  return s < 1 ? Number((s * 1e3).toPrecision(3)) + ' ms' : Number(s.toPrecision(3)) + ' s';
};
export const span = (s) => {
  if (s < 0) return 'over';
  if (s < 60) return Math.floor(s) + ' s';
  if (s < 3600) return Math.floor(s / 60) + ' min ' + Math.floor(s % 60) + ' s';
  return s < 86400 ? Math.floor(s / 3600) + ' h ' + Math.floor(s % 3600 / 60) + ' min' : Math.floor(s / 86400) + ' d ' + Math.floor(s % 86400 / 3600) + ' h';
};
export const words = (name) => name.replace(/[_-]/g, ' ');

/** The token that changes need: of this tab alone. */
export const token = {
  get: () => sessionStorage.getItem('token') ?? '',
  set: (text) => sessionStorage.setItem('token', text),
};

/** Asks the admin port; a refusal is thrown with its words. */
export async function ask(path, body) {
  const headers = { ...(token.get() && { Authorization: 'Bearer ' + token.get() }), ...(body !== undefined && { Guidepost: 'yes' }) };
  const answer = await fetch('..' + path, { method: body === undefined ? 'GET' : 'POST', body, headers, cache: 'no-store' });
  const text = await answer.text();
  const json = /json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(text) : text;
  if (!answer.ok && answer.status !== 503) {
    const refusal = new Error(answer.status === 401 ? 'This needs the token of the admin port: press “Token”.' : json.error ?? String(json).trim());
    refusal.status = answer.status;
    throw refusal;
  }
  return json;
}

/** What a path tells, again when something of `when` changes; [told, fault, again]. */
export function useAsked(path, when = []) {
  const [state, set] = useState([null, null]);
  const [turn, again] = useReducer((n) => n + 1, 0);
  useEffect(() => {
    let gone = false;
    if (path) ask(path).then((told) => gone || set([told, null]), (fault) => gone || set([null, fault]));
    return () => { gone = true; };
  }, [path, turn, ...when]);
  return [...state, again];
}

/** The theme that was chosen before, if one was. */
export const applyTheme = () => {
  const kept = localStorage.getItem('theme');
  if (kept) document.documentElement.dataset.theme = kept;
};

function TokenForm({ done }) {
  const [text, set] = useState(token.get());
  const keep = (event) => { event.preventDefault(); token.set(text.trim()); done(); };
  return e('form.token', { onSubmit: keep },
    e('label', { for: 'token' }, 'Token of this port (admin.token-file, of a middlebox --ui-token); kept in this tab alone'),
    e('input', { id: 'token', type: 'password', autocomplete: 'off', value: text, onInput: (event) => set(event.target.value), autofocus: true }),
    e('button.first', null, 'Use it'));
}

/** The line above a screen: its name, how things are, the token, dark or light. */
export function Top({ title, changed, children }) {
  const [asking, setAsking] = useState(false);
  const flip = () => {
    const dark = document.documentElement.dataset.theme
      ? document.documentElement.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = dark ? 'light' : 'dark';
    localStorage.setItem('theme', document.documentElement.dataset.theme);
    changed();
  };
  return e(Fragment, null,
    e('header.top', null, e('h1', null, title), children, e('span.grow'),
      e('button', { onClick: () => setAsking(!asking), id: 'token-button', 'aria-expanded': String(asking) }, token.get() ? 'Token ✓' : 'Token'),
      e('button', { onClick: flip, title: 'Dark or light', 'aria-label': 'Dark or light' }, '◐')),
    asking && e(TokenForm, { done: () => { setAsking(false); changed(); } }));
}

export const Fault = ({ fault }) => fault && e('p.fault', { role: 'alert' }, e('b', null, fault.status === 401 ? 'Not without the token. ' : 'Refused. '), fault.message);
export const Card = ({ title, side, wide, children, ...rest }) => e('section.card', { class: wide ? 'wide' : '', ...rest },
  title && e('header', null, e('h2', null, title), side && e('div.side', null, side)), children);
export const Pill = ({ kind, children }) => e('span.pill', { class: kind }, children);
export const Empty = ({ children }) => e('p.empty', null, children);

/** A table of rows; of columns [title, cell, class]. */
export const Table = ({ columns, rows, empty, onRow, keyOf }) => rows.length === 0 ? e(Empty, null, empty) : e('div.scroll', { tabindex: 0, role: 'group' }, e('table', null,
  e('thead', null, e('tr', null, columns.map(([title, , kind]) => e('th', { class: kind, scope: 'col' }, title)))),
  e('tbody', null, rows.map((row, at) => e('tr', { key: keyOf ? keyOf(row) : at, ...(onRow && onRow(row)) },
    columns.map(([, cell, kind]) => e('td', { class: kind }, cell(row))))))));

/** A number with its name, and its last minutes as a line. */
export const Tile = ({ name, value, note, kind, line, id }) => e('div.tile', { class: kind, id },
  e('span.name', null, name), e('span.value', null, value), e('span.note', null, note ?? ''), line && e(Spark, { line }));

const Spark = ({ line }) => {
  const last = line.slice(-120).map((n) => n ?? 0);
  const top = Math.max(...last, 1e-9);
  const points = last.map((n, at) => `${(at / Math.max(1, last.length - 1) * 100).toFixed(1)},${(23 - 22 * n / top).toFixed(1)}`).join(' ');
  return e('svg.spark', { viewBox: '0 0 100 24', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    e('polygon', { points: `0,24 ${points} 100,24` }), e('polyline', { points }));
};

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const LINES = ['--c1', '--c2', '--c3', '--c4', '--c5', '--c6'];

/** Curves of the last five minutes: lines are {name, values}; all of one unit. */
export const Curves = (props) => (props.lines.some((each) => each.values.some((n) => n != null)) ? e(Plot, props) : e(Empty, null, 'Nothing in the last five minutes.'));

function Plot({ times, lines, unit = count, log, label }) {
  const place = useRef(null);
  const plot = useRef(null);
  const shown = lines.slice(0, LINES.length);
  const names = shown.map((each) => each.name).join('|');
  const theme = document.documentElement.dataset.theme ?? '';
  const data = () => [times.map((t) => t / 1000), ...shown.map((each) => each.values)];
  useEffect(() => {
    const axis = { stroke: colour('--dim'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false }, font: '11px system-ui' };
    plot.current = new globalThis.uPlot({
      width: place.current.clientWidth || 300, height: 170, legend: { show: false }, cursor: { y: false, points: { size: 6 } },
      padding: [10, 6, 0, 0],
      scales: { x: { time: true, range: (u, min, max) => [max - Math.min(300, Math.max(30, max - min)), max] }, y: log ? { distr: 3 } : { range: (u, min, max) => [0, Math.max(max * 1.1, 1)] } },
      axes: [{ ...axis, grid: { show: false }, size: 26, space: 70, values: (u, at) => at.map((t) => new Date(t * 1000).toTimeString().slice(0, at.at(-1) - at[0] < 100 ? 8 : 5)) },
        { ...axis, size: 62, space: 34, values: (u, at) => at.map((n) => (n == null ? '' : unit(n))) }],
      series: [{}, ...shown.map((each, at) => ({ stroke: colour(LINES[at]), width: 1.8, fill: shown.length > 1 ? undefined : colour(LINES[at]) + '22', points: { show: false } }))],
    }, data(), place.current);
    const size = new ResizeObserver(() => plot.current?.setSize({ width: place.current.clientWidth, height: 170 }));
    size.observe(place.current);
    return () => { size.disconnect(); plot.current.destroy(); plot.current = null; };
  }, [names, theme]);
  useEffect(() => { plot.current?.setData(data()); });
  return e('div.curves', null, e('div', { ref: place, role: 'img', 'aria-label': label }),
    e('ul.legend', null, shown.map((each, at) => e('li', { key: each.name }, e('i', { class: 'k' + (at + 1) }), each.name,
      e('b', null, unit(each.values.at(-1)))))));
}
