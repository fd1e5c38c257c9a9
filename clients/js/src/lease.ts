import type { Servers } from "./http.js";
import { GuidepostError, type PlaceLike, writePlace } from "./model.js";
import { path } from "./path.js";

/**
 * Places that go when this process ends: one renewal in the background for all of them. A lease that was lost, as the process was cut
 * off for longer than it lasts, is begun anew with all places.
 */
export class Lease {
  /** The server's name of it; undefined before the first place. */
  id: string | undefined;
  /** How often it was renewed. */
  renewed = 0;
  /** How often it was lost, and its places were put again. */
  lost = 0;
  /** Why the last renewal failed; undefined if it did not. */
  error: GuidepostError | undefined;

  private readonly held = new Map<string, Map<string, PlaceLike>>();
  private turn: Promise<unknown> = Promise.resolve();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  /** @internal */
  constructor(
    private readonly servers: Servers,
    private readonly seconds: number,
  ) {}

  /** Does work when all before it is done. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work);
    this.turn = result.catch(() => undefined);
    return result;
  }

  /** Adds places to a name, for as long as the lease lasts. */
  add(name: string, ...places: PlaceLike[]): Promise<void> {
    return this.inTurn(async () => {
      if (!(await this.put(name, places))) {
        await this.again();
        await this.put(name, places);
      }
      const ofName = this.held.get(name) ?? new Map<string, PlaceLike>();
      places.forEach((each) => ofName.set(typeof each === "string" ? each : each.address, each));
      this.held.set(name, ofName);
      if (this.timer === undefined) {
        this.later(this.seconds / 3);
      }
    });
  }

  /** Removes the places that this lease added to a name. */
  remove(name: string): Promise<void> {
    return this.inTurn(async () => {
      const addresses = [...(this.held.get(name)?.keys() ?? [])];
      this.held.delete(name);
      if (addresses.length > 0) {
        await this.servers.write("PATCH", path(name), { remove: addresses });
      }
    });
  }

  /** Adds places under the lease, or begins one; returns false if the lease has ended. */
  private async put(name: string, places: PlaceLike[]): Promise<boolean> {
    const target = `${path(name)}?lease=${this.id ?? `${Math.round(1000 * this.seconds)}ms`}`;
    const answer = await this.servers.write("PATCH", target, { add: places.map(writePlace) }, this.id !== undefined);
    if (answer.status !== 404) {
      this.id = (JSON.parse(answer.body) as { lease: { id: string } }).lease.id;
    }
    return answer.status !== 404;
  }

  /** Begins a new lease with all places: one with a part of them would be renewed as if it were whole. */
  private async again(): Promise<void> {
    this.lost += this.id === undefined ? 0 : 1;
    this.id = undefined;
    try {
      for (const [name, places] of this.held) {
        await this.put(name, [...places.values()]);
      }
    } catch (error) {
      this.id = undefined;
      throw error;
    }
  }

  private later(seconds: number): void {
    this.timer = setTimeout(() => void this.inTurn(() => this.renew()), 1000 * seconds);
    // Renewals are no reason for a process of Node to go on.
    (this.timer as { unref?: () => void }).unref?.();
  }

  private async renew(): Promise<void> {
    if (this.closed) {
      return;
    }
    try {
      const id = this.id;
      if (id === undefined || (await this.servers.write("POST", `/v1/leases/${id}:renew`, undefined, true)).status === 404) {
        await this.again();
      }
      this.renewed++;
      this.error = undefined;
      this.later(this.seconds / 3);
    } catch (error) {
      this.error = error instanceof GuidepostError ? error : new GuidepostError("other", String(error));
      this.later(Math.min(1, this.seconds / 10));
    }
  }

  /** Ends the lease: its places are removed. */
  close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    return this.inTurn(async () => {
      const ended = this.id;
      this.id = undefined;
      this.held.clear();
      if (ended !== undefined) {
        await this.servers.write("DELETE", `/v1/leases/${ended}`, undefined, true);
      }
    });
  }
}
