// The frame: where one is, how the server is, and the screen.
import { feed } from './feed.js';
import { e, render, useState, useEffect, token, ask, applyTheme, Top, Pill } from './ui.js';
import { Overview } from './overview.js';
import { Names } from './names.js';
import { Nearness } from './nearness.js';
import { Sites, Traffic, Handles, Advice } from './others.js';

const SCREENS = [
  ['overview', 'Overview', Overview, 'M3 13h4l3-8 4 14 3-6h4'],
  ['names', 'Names', Names, 'M4 6h16M4 12h16M4 18h10'],
  ['nearness', 'Nearness', Nearness, 'M6 6l12 5M6 6l3 12M18 11l-9 7'],
  ['sites', 'Sites', Sites, 'M4 4h7v7H4zM13 13h7v7h-7zM11 8h5v5'],
  ['traffic', 'Traffic', Traffic, 'M5 20V10M12 20V4M19 20v-7'],
  ['handles', 'Handles', Handles, 'M9 7h6v4a3 3 0 0 1-6 0zM12 14v6M8 20h8'],
  ['advice', 'Advice', Advice, 'M12 3a6 6 0 0 1 3 11v3H9v-3a6 6 0 0 1 3-11zM9 20h6'],
];

const here = () => location.hash.slice(1).split('/')[0] || 'overview';

function useFeed() {
  const [, turn] = useState(0);
  useEffect(() => {
    const hear = () => turn((n) => n + 1);
    feed.listeners.add(hear);
    return () => feed.listeners.delete(hear);
  }, []);
}

function App() {
  useFeed();
  const [screen, go] = useState(here());
  const [, setTurn] = useState(0);
  const [status, setStatus] = useState(null);
  useEffect(() => {
    const moved = () => { go(here()); document.getElementById('screen')?.focus({ preventScroll: true }); };
    addEventListener('hashchange', moved);
    return () => removeEventListener('hashchange', moved);
  }, []);
  useEffect(() => { if (feed.live) ask('/status').then(setStatus, () => {}); }, [feed.live]);
  useEffect(() => { document.title = (SCREENS.find(([key]) => key === screen)?.[1] ?? '') + ' · Guidepost'; }, [screen]);
  const Screen = (SCREENS.find(([key]) => key === screen) ?? SCREENS[0])[2];
  const health = feed.facts.health;
  const kind = !feed.live ? 'bad' : health?.status === 'ok' ? 'good' : health?.status === 'failing' ? 'bad' : 'warn';
  return e('div.frame', null,
    e('a.skip', { href: '#screen', onClick: (event) => { event.preventDefault(); document.getElementById('screen').focus(); } }, 'To the screen'),
    e('nav', { 'aria-label': 'Screens' },
      e('div.brand', null, e('img', { src: 'mark.svg', alt: '', width: 26, height: 26 }), e('b', null, 'Guidepost')),
      e('ul', null, SCREENS.map(([key, name, , path]) => e('li', { key }, e('a', { href: '#' + key, 'aria-current': key === screen ? 'page' : undefined },
        e('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, e('path', { d: path })), e('span', null, name))))),
      status && e('footer', null, 'Guidepost ' + status.version, e('br'), 'process ' + status.pid, e('br'), status.workers + ' workers')),
    e('div.main', null,
      e(Top, { title: SCREENS.find(([key]) => key === screen)?.[1], changed: () => setTurn((n) => n + 1) },
        e('span', { 'aria-live': 'polite', id: 'health' }, e(Pill, { kind }, e('i.dot', { class: feed.live ? 'beat' : '' }),
          !feed.live ? feed.refused || 'no answer' : health?.status ?? '…'))),
      e('main', { id: 'screen', tabindex: -1, key: screen + token.get() }, feed.rows.length ? e(Screen, { status }) : e('p.empty', null, 'Waiting for the server …'))));
}

applyTheme();
render(e(App), document.getElementById('app'));
feed.run();
