import { GuidepostError, type Place } from "./model.js";

/*
 * A request of GNRS and its response, all numbers big-endian; docs/gnrs.md has every message.
 *
 *  header                                    payload of LOOKUP (type 0x01)
 *   offset size                               +0  20  GUID
 *      0     1  version, 0                   payload of LOOKUP_RESPONSE (0x81)
 *      1     1  type                          +0   2  code, 0 = SUCCESS
 *      2     2  length of the message         +2   2  padding
 *      4     4  request id                    +4   4  b, number of places
 *      8     2  options offset, 0 = none      +8   .  b addresses: type 16, length 16, value
 *     10     2  payload offset, 16+n         option
 *     12     2  origin type                   +0   1  bit 7: the last one; bits 0-6: which
 *     14     2  n, origin length              +1   1  length of the value
 *     16     n  origin; none = the source     +2   .  value
 */
const HEADER_BYTES = 16;
const LOOKUP = 0x01;
const LOOKUP_RESPONSE = 0x81;
const RECURSION = 0;
const EXPIRATION = 1;
const TTL = 2;
const PARTIAL = 0x60;
const ACCEPT = 0x61;
const PADDING = 0x62;
const LAST = 0x80;

/** The longest UDP payload over IPv4. */
const DATAGRAM_BYTES_MAX = 65_507;

/** Bytes of a place in a response, with its times: a padded request of that length permits a response with all places. */
const PLACE_BYTES_USUAL = 64;

/** A parsed response: `total` is how many places the name has, of which some may not have fitted. */
export interface Found {
  id: number;
  success: boolean;
  places: Place[];
  total: number;
}

/** Returns a recursive LOOKUP that accepts every type of address; padding lengthens it. */
export function encodeLookup(id: number, guid: Uint8Array, padding: number): Uint8Array {
  const options = [RECURSION, 2, 0, 1];
  for (let left = padding; left > 0; left -= 255) {
    const size = Math.min(left, 255);
    options.push(PADDING, size, ...new Array<number>(size).fill(0));
  }
  options.push(ACCEPT | LAST, 2, DATAGRAM_BYTES_MAX >> 8, DATAGRAM_BYTES_MAX & 0xff);
  const out = new Uint8Array(HEADER_BYTES + guid.length + options.length);
  const view = new DataView(out.buffer);
  view.setUint8(1, LOOKUP);
  view.setUint16(2, out.length);
  view.setUint32(4, id);
  view.setUint16(8, HEADER_BYTES + guid.length);
  view.setUint16(10, HEADER_BYTES);
  out.set(guid, HEADER_BYTES);
  out.set(options, HEADER_BYTES + guid.length);
  return out;
}

/** Parses a LOOKUP_RESPONSE; undefined if the datagram is none, or is malformed. */
export function decodeResponse(bytes: Uint8Array): Found | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  try {
    if (view.getUint8(0) !== 0 || view.getUint8(1) !== LOOKUP_RESPONSE || view.getUint16(2) !== bytes.length) {
      return undefined;
    }
    const options = view.getUint16(8) !== 0;
    let at = HEADER_BYTES + view.getUint16(14);
    const success = view.getUint16(at) === 0;
    const count = view.getUint32(at + 4);
    at += 8;
    const places: Place[] = [];
    while (places.length < count) {
      const size = view.getUint16(at + 2);
      const value = bytes.subarray(at + 4, at + 4 + size);
      if (value.length < size) {
        return undefined;
      }
      places.push({ address: addressText(view.getUint16(at), value) });
      at += 4 + size;
    }
    let total = count;
    while (options && at < bytes.length) {
      const option = view.getUint8(at) & ~LAST;
      const size = view.getUint8(at + 1);
      at += 2;
      if ((option === TTL || option === EXPIRATION) && size === 8 * count) {
        places.forEach((place, i) => {
          const millis = Number(view.getBigUint64(at + 8 * i));
          if (millis !== 0) {
            Object.assign(place, option === TTL ? { ttl: millis / 1000 } : { expires: new Date(millis) });
          }
        });
      } else if (option === PARTIAL) {
        total = view.getUint32(at);
      }
      at += size;
    }
    return at === bytes.length || !options ? { id: view.getUint32(4), success, places, total } : undefined;
  } catch (cut) {
    if (cut instanceof RangeError) {
      return undefined;
    }
    throw cut;
  }
}

const hex = (value: Uint8Array) => Array.from(value, (each) => each.toString(16).padStart(2, "0")).join("");

function addressText(type: number, value: Uint8Array): string {
  const number = (at: number) => (value[at]! << 8) | value[at + 1]!;
  if (type === 0 && value.length === 6) {
    return `${value.subarray(0, 4).join(".")}:${number(4)}`;
  }
  if (type === 0xf006 && value.length === 18) {
    let text = [0, 2, 4, 6, 8, 10, 12, 14].map((at) => number(at).toString(16)).join(":");
    // RFC 5952: the first of the longest runs of zero groups, of two at least, is left out.
    for (let run = 8; run > 1; run--) {
      const zeros = new RegExp(`(?:^|:)0(?::0){${run - 1}}(?:$|:)`);
      if (zeros.test(text)) {
        text = text.replace(zeros, "::");
        break;
      }
    }
    return `[${text}]:${number(16)}`;
  }
  if (type === 1 && value.length === 20) {
    return `guid:${hex(value)}`;
  }
  return type === 0xf007 ? new TextDecoder().decode(value) : `type${type}:${hex(value)}`;
}

/** What is used of node:dgram. */
interface Socket {
  connect(port: number, host: string, done: () => void): void;
  send(message: Uint8Array, done: (error: Error | null) => void): void;
  on(event: "message", listener: (message: Uint8Array) => void): void;
  on(event: "error", listener: (error: Error) => void): void;
  once(event: "error", listener: (error: Error) => void): void;
  unref(): void;
  close(): void;
}

const isNode = typeof (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node === "string";

/** Look-ups over UDP, which Node has and browsers have not. Each attempt goes to the next server; the first response counts. */
export class GnrsChannel {
  /** Whether there is UDP. */
  static readonly available = isNode;

  private readonly sockets = new Map<string, Promise<Socket>>();
  private readonly waiting = new Map<number, (found: Found) => void>();

  constructor(
    private readonly servers: string[],
    private readonly hedgeAfter: number,
    private readonly timeout: number,
  ) {}

  /** Returns a connected socket: the kernel passes only datagrams of the server's address. */
  private socket(server: string): Promise<Socket> {
    let opened = this.sockets.get(server);
    if (opened === undefined) {
      opened = this.open(server);
      this.sockets.set(server, opened);
      opened.catch(() => this.sockets.delete(server));
    }
    return opened;
  }

  private async open(server: string): Promise<Socket> {
    const url = new URL(`gnrs://${server}`);
    const host = url.hostname.replace(/^\[|\]$/g, "");
    // The name is no literal, so that bundlers for browsers leave it alone.
    const module = "node:dgram";
    const dgram = (await import(module)) as { createSocket(type: string): Socket };
    const socket = dgram.createSocket(host.includes(":") ? "udp6" : "udp4");
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.connect(Number(url.port || 5001), host, resolve);
    });
    // The port is unreachable: the next attempt goes to another server.
    socket.on("error", () => undefined);
    socket.on("message", (message) => {
      const found = decodeResponse(message);
      if (found !== undefined) {
        this.waiting.get(found.id)?.(found);
      }
    });
    socket.unref();
    return socket;
  }

  /** Returns the places of a GUID, none if nothing is bound to it. */
  async lookup(guid: Uint8Array): Promise<Place[]> {
    let found = await this.ask(guid, 0);
    if (found.success && found.total > found.places.length) {
      // A longer request permits a longer response.
      found = await this.ask(guid, Math.min(PLACE_BYTES_USUAL * found.total, DATAGRAM_BYTES_MAX >> 1));
    }
    if (!found.success || found.total > found.places.length) {
      throw new GuidepostError("other", "the server answered FAILED over GNRS, or a part of the places");
    }
    return found.places;
  }

  private ask(guid: Uint8Array, padding: number): Promise<Found> {
    return new Promise((resolve, reject) => {
      const ids: number[] = [];
      let next: ReturnType<typeof setTimeout>;
      const done = () => {
        clearTimeout(next);
        clearTimeout(end);
        ids.forEach((id) => this.waiting.delete(id));
      };
      const end = setTimeout(() => {
        done();
        reject(new GuidepostError("timeout", `no GNRS server answered within ${this.timeout} ms (${this.servers.join(", ")})`));
      }, this.timeout);
      const attempt = (number: number) => {
        const id = crypto.getRandomValues(new Uint32Array(1))[0]!;
        ids.push(id);
        this.waiting.set(id, (found) => {
          done();
          resolve(found);
        });
        const last = number >= this.servers.length - 1;
        next = setTimeout(() => attempt(number + 1), this.hedgeAfter * (last ? 2 ** (number - this.servers.length + 1) : 1));
        const away = () => {
          // A server that cannot be sent to costs no wait.
          if (!last && this.waiting.has(id)) {
            clearTimeout(next);
            attempt(number + 1);
          }
        };
        this.socket(this.servers[number % this.servers.length]!).then(
          (socket) => this.waiting.has(id) && socket.send(encodeLookup(id, guid, padding), (error) => error && away()),
          away,
        );
      };
      attempt(0);
    });
  }

  /** Closes the sockets. */
  close(): void {
    this.sockets.forEach((each) => void each.then((socket) => socket.close(), () => undefined));
    this.sockets.clear();
  }
}
