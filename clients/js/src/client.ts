import { GnrsChannel } from "./gnrs.js";
import { type Answer, Servers } from "./http.js";
import { Lease } from "./lease.js";
import { type Change, GuidepostError, type NameRecord, type Place, type PlaceLike, readRecord, writePlace } from "./model.js";
import { guid } from "./names.js";
import { path } from "./path.js";
import { watch } from "./watch.js";

const PAGE = 1000;

/** How many times as long as one attempt GNRS may take before HTTP is asked. */
const GNRS_PATIENCE = 5;

/** How long GNRS is left alone when it was silent: UDP may be blocked on the way. */
const GNRS_PAUSE_MILLIS = 5000;

/** Where a client finds its servers, and how long it waits. */
export interface ClientOptions {
  /** `http://HOST:PORT` or `https://HOST:PORT`; reads are hedged over all of them. */
  servers: string | string[];
  /** `HOST:PORT` of GNRS over UDP; with one a look-up costs one datagram. Browsers have no UDP, and ignore it. */
  gnrs?: string | string[];
  /** The directory of ALTO, such as `http://HOST:5082/directory`; `rank` needs it. */
  alto?: string;
  /** A bearer token, for writes. */
  token?: string;
  /** Of each request, in milliseconds: 5000. */
  timeout?: number;
  /** A read that takes longer is also sent to the next server, in milliseconds: 100. */
  hedgeAfter?: number;
  /** Makes the requests, if certificates are to be set. */
  fetch?: typeof globalThis.fetch;
}

/** What a write demands. */
export interface Condition {
  /** The record has this version, or the write is a `conflict`. */
  ifVersion?: string;
  /** The name has no places, or the write is a `conflict`. */
  ifAbsent?: boolean;
}

const list = (value: string | string[] = []) => (typeof value === "string" ? [value] : value);

/** A client of one or more servers of a deployment. Every method rejects with a GuidepostError if no server answers, or one refuses. */
export class Client {
  private readonly servers: Servers;
  private readonly gnrs: GnrsChannel | undefined;
  private readonly alto: string | undefined;
  private gnrsFrom = 0;

  constructor(options: ClientOptions) {
    const { timeout = 5000, hedgeAfter = 100, token, alto } = options;
    const fetch = options.fetch ?? ((input: RequestInfo | URL, init?: RequestInit) => globalThis.fetch(input, init));
    this.servers = new Servers(list(options.servers), token, hedgeAfter, timeout, fetch);
    this.alto = alto;
    const gnrs = list(options.gnrs);
    if (gnrs.length > 0 && GnrsChannel.available) {
      this.gnrs = new GnrsChannel(gnrs, hedgeAfter, Math.min(timeout, GNRS_PATIENCE * hedgeAfter));
    }
  }

  /**
   * Returns the places of a name, links to other names followed; none if it has none. Over GNRS, if the client has a server of it:
   * such places have neither weight nor labels. With `nearest`, an address, those come first that are nearest to it.
   */
  async resolve(name: string, options: { nearest?: string } = {}): Promise<Place[]> {
    if (this.gnrs !== undefined && options.nearest === undefined && Date.now() >= this.gnrsFrom) {
      try {
        const places = await this.gnrs.lookup(await guid(name));
        if (places.length > 0) {
          return places;
        }
        // The server may fold handles otherwise than the client, or keep the name elsewhere: it is asked by the text too.
      } catch (error) {
        if (!(error instanceof GuidepostError) || error.kind === "invalid") {
          throw error;
        }
        this.gnrsFrom = error.kind === "timeout" ? Date.now() + GNRS_PAUSE_MILLIS : 0;
      }
    }
    const nearest = options.nearest === undefined ? "" : `&nearest=${encodeURIComponent(options.nearest)}`;
    return (await this.record(`${path(name)}?recursive=1${nearest}`))?.places ?? [];
  }

  /** Returns the record of a name as it is kept: with version, weights and labels, and links not followed. */
  get(name: string): Promise<NameRecord | undefined> {
    return this.record(path(name));
  }

  private async record(target: string): Promise<NameRecord | undefined> {
    const answer = await this.servers.read(target, true);
    return answer.status === 404 ? undefined : parsed(answer);
  }

  /** Replaces all places of a name, durably. */
  async put(name: string, places: PlaceLike | PlaceLike[], condition: Condition = {}): Promise<NameRecord> {
    const headers: Record<string, string> = condition.ifVersion !== undefined
      ? { "If-Match": `"${condition.ifVersion}"` }
      : condition.ifAbsent ? { "If-None-Match": "*" } : {};
    const body = { places: [places].flat().map(writePlace) };
    return parsed(await this.servers.write("PUT", path(name), body, false, headers));
  }

  /** Adds places to a name, which keeps those that it has; a place that is there takes the new lifetime, weight and labels. */
  async add(name: string, ...places: PlaceLike[]): Promise<NameRecord> {
    return parsed(await this.servers.write("PATCH", path(name), { add: places.map(writePlace) }));
  }

  /** Removes places of a name, or all of them if none is given; returns false if the name had none. */
  async remove(name: string, ...addresses: string[]): Promise<boolean> {
    if (addresses.length > 0) {
      await this.servers.write("PATCH", path(name), { remove: addresses });
      return true;
    }
    return (await this.servers.write("DELETE", path(name), undefined, true)).status !== 404;
  }

  /** Yields the records of all names that begin with a text, sorted by their bytes; fetched in pages. */
  async *list(prefix = ""): AsyncGenerator<NameRecord, void, void> {
    let after: string | undefined = "";
    while (after !== undefined) {
      const query = new URLSearchParams({ prefix, limit: String(PAGE), ...(after !== "" && { after }) });
      const answer = await this.servers.read(`/v1/names?${query}`, false);
      const page = JSON.parse(answer.body) as { names: Parameters<typeof readRecord>[0][]; next?: string };
      yield* page.names.map(readRecord);
      after = page.next;
    }
  }

  /**
   * Yields a snapshot of the names that begin with a text, `ready`, and then each change, at least once and in order for a name.
   * Survives lost connections and servers: it resumes where it was, or tells `reset` and a new snapshot. Ends with the signal.
   */
  watch(prefix = "", signal: AbortSignal = new AbortController().signal): AsyncGenerator<Change, void, void> {
    return watch(this.servers, prefix, signal);
  }

  /** Returns a lease: places that it adds go when this process ends, that many seconds later at the latest. */
  lease(seconds = 30): Lease {
    return new Lease(this.servers, seconds);
  }

  /**
   * Returns addresses, nearest first by the operator's topology; those that the server does not know come last. `source` is the
   * address that they are to be near to: the client's own if there is none, which a server may demand.
   */
  async rank(addresses: string[], source?: string): Promise<string[]> {
    if (this.alto === undefined) {
      throw new GuidepostError("invalid", "rank needs the directory of ALTO: alto: 'http://HOST:5082/directory'");
    }
    const directory = await this.askAlto<{ resources: Record<string, { uri: string; "media-type": string }> }>(this.alto);
    const resource = Object.values(directory.resources).find((each) => each["media-type"] === "application/alto-endpointcost+json");
    if (resource === undefined) {
      throw new GuidepostError("other", "the server publishes no costs between addresses");
    }
    const endpoint = (address: string) => (address.includes(":") ? "ipv6:" : "ipv4:") + address;
    const costs = await this.askAlto<{ "endpoint-cost-map": Record<string, Record<string, number>> }>(
      new URL(resource.uri, this.alto).href,
      {
        "cost-type": { "cost-mode": "numerical", "cost-metric": "routingcost" },
        endpoints: { dsts: addresses.map(endpoint), ...(source !== undefined && { srcs: [endpoint(source)] }) },
      },
    );
    const known: Record<string, number> = Object.assign({}, ...Object.values(costs["endpoint-cost-map"]));
    const cost = (address: string) => known[endpoint(address)] ?? Number.MAX_VALUE;
    return [...addresses].sort((left, right) => cost(left) - cost(right));
  }

  private async askAlto<T>(url: string, question?: unknown): Promise<T> {
    const method = question === undefined ? "GET" : "POST";
    const signal = AbortSignal.timeout(this.servers.timeout);
    const headers = { "Content-Type": "application/alto-endpointcostparams+json" };
    let response: Response;
    let body: string;
    try {
      response = await this.servers.fetch(url, { method, signal, headers: question === undefined ? {} : headers, body: JSON.stringify(question) });
      body = await response.text();
    } catch (error) {
      throw new GuidepostError(signal.aborted ? "timeout" : "unreachable", `${url}: ${error}`);
    }
    if (!response.ok) {
      throw GuidepostError.of(response.status, body);
    }
    return JSON.parse(body) as T;
  }

  /** Closes the sockets of GNRS; leases and watches are closed by themselves. */
  close(): void {
    this.gnrs?.close();
  }
}

function parsed(answer: Answer): NameRecord {
  try {
    return readRecord(JSON.parse(answer.body));
  } catch (error) {
    throw new GuidepostError("other", `the server's answer is not as expected: ${error}`, answer.status);
  }
}
