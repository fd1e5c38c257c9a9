// What the server tells once a second: the samples of /metrics as numbered columns, of which the changed ones come.
const KEPT = 300;

const parse = (name) => {
  const brace = name.indexOf('{');
  const labels = {};
  if (brace >= 0) {
    for (const [, key, value] of name.slice(brace).matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)) labels[key] = value;
  }
  return { family: brace < 0 ? name : name.slice(0, brace), labels };
};

class Feed {
  columns = [];
  families = new Map();
  times = [];
  rows = [];
  facts = {};
  live = false;
  refused = '';
  listeners = new Set();

  /** Numbers of the columns of a family, by what their labels must match. */
  find(family, match = {}) {
    const wanted = Object.entries(match);
    return (this.families.get(family) ?? []).filter((at) => wanted.every(([key, value]) => {
      const label = this.columns[at].labels[key];
      return value instanceof RegExp ? value.test(label ?? '') : label === value;
    }));
  }

  get end() { return this.rows.length - 1; }

  /** A sum of columns at a moment; the last one where none is given. */
  sum(columns, at = this.end) {
    const row = this.rows[at];
    let sum = 0;
    if (row) for (const each of columns) sum += row[each] ?? 0;
    return sum;
  }

  value(family, match) { return this.sum(this.find(family, match)); }

  /** Growth a second over the last moments. */
  rate(columns, at = this.end, over = 1) {
    const before = Math.max(0, at - over);
    const seconds = (this.times[at] - this.times[before]) / 1000;
    return seconds > 0 ? Math.max(0, this.sum(columns, at) - this.sum(columns, before)) / seconds : 0;
  }

  rates(family, match) {
    const columns = this.find(family, match);
    return this.times.map((_, at) => (at ? this.rate(columns, at) : null));
  }

  sums(family, match) {
    const columns = this.find(family, match);
    return this.times.map((_, at) => this.sum(columns, at));
  }

  /** Families grouped by a label: rates a second, the largest first; without those that are 0. */
  by(family, label, over = 5) {
    const groups = new Map();
    for (const at of this.families.get(family) ?? []) {
      const key = this.columns[at].labels[label] ?? '';
      groups.set(key, [...(groups.get(key) ?? []), at]);
    }
    return [...groups].map(([key, columns]) => ({ key, columns, rate: this.rate(columns, this.end, over), all: this.sum(columns) }))
      .sort((a, b) => b.rate - a.rate || b.all - a.all);
  }

  /** Upper bound of the bucket in which a share of what came in the last seconds is. */
  quantile(family, share, at = this.end, over = 10) {
    const before = Math.max(0, at - over);
    const buckets = new Map();
    for (const each of this.families.get(family + '_bucket') ?? []) {
      const le = this.columns[each].labels.le;
      const bound = le === '+Inf' ? Infinity : Number(le);
      buckets.set(bound, (buckets.get(bound) ?? 0) + (this.rows[at]?.[each] ?? 0) - (this.rows[before]?.[each] ?? 0));
    }
    const all = buckets.get(Infinity) ?? 0;
    if (all <= 0) return null;
    for (const bound of [...buckets.keys()].sort((a, b) => a - b)) {
      if (buckets.get(bound) >= share * all) return Number.isFinite(bound) ? bound : null;
    }
    return null;
  }

  quantiles(family, share) { return this.times.map((_, at) => (at ? this.quantile(family, share, at) : null)); }

  learn(names) {
    for (const each of names) {
      const column = parse(each);
      this.families.set(column.family, [...(this.families.get(column.family) ?? []), this.columns.length]);
      this.columns.push(column);
    }
  }

  take(type, told) {
    if (type === 'start') {
      this.columns = [];
      this.families = new Map();
      this.learn(told.names);
      this.times = [told.at - 1000 * (told.back + 1)];
      this.rows = [told.values];
      this.facts = told.facts ?? {};
      this.behind = told.back;
      this.live = true;
      this.refused = '';
    } else {
      // A frame from before the start names columns that the start has named.
      if (told.names) this.learn(told.names.filter((each) => !this.has(each)));
      if (told.facts) this.facts = told.facts;
      const row = this.rows[this.end].slice();
      for (let i = 0; i < told.changes.length; i += 2) row[told.changes[i]] = told.changes[i + 1];
      this.rows.push(row);
      this.times.push(told.at);
      if (this.rows.length > KEPT + 1) {
        this.rows.shift();
        this.times.shift();
      }
      this.behind--;
    }
    if (!(this.behind > 0)) this.tell();
  }

  has(name) {
    const { family, labels } = parse(name);
    return this.find(family, labels).some((at) => Object.keys(this.columns[at].labels).length === Object.keys(labels).length);
  }

  tell() { for (const each of this.listeners) each(); }

  /** Listens as long as the page is there; where the server goes, it is asked again. */
  async run() {
    for (;;) {
      try {
        const answer = await fetch('events', { cache: 'no-store' });
        if (answer.ok) await this.read(answer.body.getReader());
        else this.refused = (await answer.json()).error;
      } catch { /* The server is gone, or the network: told as not live. */ }
      this.live = false;
      this.tell();
      await new Promise((again) => { setTimeout(again, 1000); });
    }
  }

  async read(reader) {
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const events = text.split('\n\n');
      text = events.pop();
      for (const each of events) {
        const type = /^event: (.*)$/m.exec(each)?.[1] ?? 'message';
        this.take(type, JSON.parse(/^data: (.*)$/m.exec(each)[1]));
      }
    }
  }
}

export const feed = new Feed();
