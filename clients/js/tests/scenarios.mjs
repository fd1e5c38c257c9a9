// Runs ../../scenarios.txt with the client of JavaScript against the server that the environment names.
import { readFileSync } from "node:fs";
import { tour } from "../examples/tour.mjs";
import { Client, GuidepostError, guid } from "@guidepost/client";

const PATIENCE_MILLIS = 20_000;
const { env } = process;

const words = (value) => (value === "-" ? [] : value.split(","));
const pairs = (all) => Object.fromEntries(all.map((each) => [each.slice(0, each.indexOf("=")), each.slice(each.indexOf("=") + 1)]));

function place(text) {
  const [address, ...rest] = text.split(";");
  const { ttl, weight, ...labels } = pairs(rest);
  return { address, ...(ttl && { ttl: Number(ttl) }), ...(weight && { weight: Number(weight) }), labels };
}

function text({ address, ttl, weight, labels = {} }) {
  const parts = [address, ...(ttl === undefined ? [] : [`ttl=${ttl}`]), ...(weight === undefined ? [] : [`weight=${weight}`])];
  return [...parts, ...Object.entries(labels).sort().map(([key, value]) => `${key}=${value}`)].join(";");
}

const hex = async (name) => Buffer.from(await guid(name)).toString("hex");
const control = (word) => fetch(`${env.CONTROL}/${word}`, { method: "POST" });

async function until(run, condition) {
  for (const end = Date.now() + PATIENCE_MILLIS; !condition(); await new Promise((done) => setTimeout(done, 20))) {
    if (Date.now() > end) {
      return [`not in time: ${run.lease.error}`];
    }
  }
  return [];
}

const actions = {
  client(run, ...given) {
    const { servers = env.HTTP, gnrs = env.GNRS, token = env.TOKEN, timeout = 5000, hedge = 100 } = pairs(given);
    run.client = new Client({
      servers: words(servers), gnrs: words(gnrs), alto: env.ALTO, timeout: Number(timeout), hedgeAfter: Number(hedge),
      ...(token !== "-" && { token }),
    });
    run.opened.push(run.client);
  },
  put: async (run, name, ...places) => void (run.version = (await run.client.put(name, places.map(place))).version),
  create: async (run, name, ...places) => void (await run.client.put(name, places.map(place), { ifAbsent: true })),
  replace: async (run, name, ...places) =>
    void (run.version = (await run.client.put(name, places.map(place), { ifVersion: run.version })).version),
  add: async (run, name, ...places) => void (await run.client.add(name, ...places.map(place))),
  async remove(run, name, ...places) {
    const removed = await run.client.remove(name, ...places);
    return places.length > 0 ? [] : [removed ? "removed" : "nothing"];
  },
  async get(run, name) {
    const record = await run.client.get(name);
    run.version = record?.version ?? "";
    return record?.places.map(text) ?? ["nothing"];
  },
  resolve: async (run, name) => (await run.client.resolve(name)).map((each) => each.address),
  nearest: async (run, name, nearest) => (await run.client.resolve(name, { nearest })).map((each) => each.address),
  async list(run, prefix) {
    const names = [];
    for await (const record of run.client.list(prefix)) {
      names.push(record.name);
    }
    return names;
  },
  rank: (run, ...addresses) => run.client.rank(addresses),
  guid: async (run, name) => [await hex(name)],
  watch(run, prefix) {
    run.abort = new AbortController();
    run.watch = run.client.watch(prefix, run.abort.signal);
  },
  async next(run) {
    const { value } = await run.watch.next();
    return [[value.kind, value.name, ...(value.record?.places.map((each) => each.address) ?? [])].filter((each) => each).join(" ")];
  },
  unwatch: (run) => void run.abort.abort(),
  lease: (run, seconds) => void (run.lease = run.client.lease(Number(seconds))),
  hold: (run, name, ...places) => run.lease.add(name, ...places.map(place)),
  release: (run, name) => run.lease.remove(name),
  end: (run) => run.lease.close(),
  renewed: (run, number) => until(run, () => run.lease.renewed >= Number(number)),
  lost: (run, number) => until(run, () => run.lease.lost >= Number(number)),
  lose: async (run) => void (await control(`lose?${run.lease.id}`)),
  control: async (run, word) => void (await control(word)),
};

async function act(run, line) {
  const [action, ...all] = line.split(" ");
  try {
    return (await actions[action](run, ...all)) ?? [];
  } catch (error) {
    if (error instanceof GuidepostError) {
      return [`! ${error.kind}: ${error.message}`];
    }
    throw error;
  }
}

function fits(wanted, given) {
  return wanted.length === given.length && wanted.every((left, at) => {
    const right = given[at];
    const error = /^(! \w+:) ?(.*)$/.exec(left);
    return error ? right.startsWith(error[1]) && right.includes(error[2]) : left === right;
  });
}

async function play(lines) {
  const run = { opened: [], version: "" };
  actions.client(run);
  try {
    for (let at = 0; at < lines.length;) {
      const action = lines[at++];
      const wanted = [];
      while (lines[at]?.startsWith(">")) {
        wanted.push(lines[at++].slice(2));
      }
      const bare = action.replace(/^await /, "");
      let given = await act(run, bare);
      for (const end = Date.now() + PATIENCE_MILLIS; bare !== action && !fits(wanted, given) && Date.now() < end;) {
        given = await act(run, bare);
      }
      if (!fits(wanted, given)) {
        return `'${action}' gave ${JSON.stringify(given)}, not ${JSON.stringify(wanted)}`;
      }
    }
    return undefined;
  } finally {
    run.opened.forEach((each) => each.close());
  }
}

for (const each of `\n${readFileSync(process.argv[2], "utf8")}`.split("\n== ").slice(1)) {
  const [title, ...rest] = each.split("\n");
  const lines = [];
  for (const line of rest.filter((one) => one !== "")) {
    const told = line.replace(/\$([A-Z]+)/g, (_, word) => (word === "L" ? "js" : env[word]));
    const name = /@(\S+)/.exec(told)?.[1];
    lines.push(name === undefined ? told : told.replace(`@${name}`, await hex(name)));
  }
  const wrong = await play(lines);
  process.exitCode = wrong === undefined ? process.exitCode : 1;
  console.log(wrong === undefined ? `ok ${title}` : `FAILED ${title}: ${wrong}`);
}
console.log(`ok tour: ${(await tour(env.HTTP, env.GNRS, env.TOKEN)).join(", ")}`);
