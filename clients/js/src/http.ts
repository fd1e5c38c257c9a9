import { GuidepostError } from "./model.js";

/** A response whose body has come. */
export interface Answer {
  status: number;
  body: string;
}

/** Codes of Node for a connection that did not come about: the server has not seen the request. Browsers do not tell. */
const NOT_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT"]);

function wasSent(error: unknown): boolean {
  const cause = (error as { cause?: { code?: string; errors?: { code?: string }[] } }).cause;
  return !NOT_SENT.has(cause?.code ?? cause?.errors?.[0]?.code ?? "");
}

function told(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  return cause?.message || cause?.code || message || String(error);
}

/** The servers of a client. Reads are hedged; a write goes to one, and to the next only if that one never saw it. */
export class Servers {
  private order: string[];

  constructor(
    servers: string[],
    private readonly token: string | undefined,
    private readonly hedgeAfter: number,
    readonly timeout: number,
    readonly fetch: typeof globalThis.fetch,
  ) {
    for (const each of servers) {
      if (!/^https?:\/\/[^/]+/.test(each)) {
        throw new GuidepostError("invalid", `'${each}' is no server: write http://HOST:PORT or https://HOST:PORT`);
      }
    }
    if (servers.length === 0) {
      throw new GuidepostError("invalid", "a client needs a server: http://HOST:PORT");
    }
    this.order = servers.map((each) => each.replace(/\/$/, ""));
  }

  /** Returns the server that is asked first. */
  first(): string {
    return this.order[0]!;
  }

  /** Puts the first server last, after it failed. */
  rotate(): void {
    this.order = [...this.order.slice(1), this.first()];
  }

  private prefer(server: string): void {
    const at = this.order.indexOf(server);
    this.order = [...this.order.slice(at), ...this.order.slice(0, at)];
  }

  /** Returns the headers of a request, those of all requests among them. */
  headers(more: Record<string, string>): Record<string, string> {
    return { Accept: "application/json", ...(this.token !== undefined && { Authorization: `Bearer ${this.token}` }), ...more };
  }

  private async send(server: string, target: string, init: RequestInit, missing: boolean): Promise<Answer> {
    const response = await this.fetch(server + target, init);
    const body = await response.text();
    if (response.ok || (missing && response.status === 404)) {
      return { status: response.status, body };
    }
    throw GuidepostError.of(response.status, body);
  }

  private silence(more: string): GuidepostError {
    return new GuidepostError("timeout", `no answer within ${this.timeout} ms (${this.order.join(", ")})${more}`);
  }

  /** Asks the first server, after `hedgeAfter` or a failure also the next; the first success counts, and is preferred then. */
  read(target: string, missing: boolean): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const order = this.order;
      const abort = new AbortController();
      let asked = 0;
      let failed = 0;
      const finish = (settle: () => void) => {
        clearInterval(hedge);
        clearTimeout(end);
        settle();
        abort.abort();
      };
      const next = () => {
        const server = order[asked];
        if (server === undefined) {
          return;
        }
        asked++;
        this.send(server, target, { headers: this.headers({}), signal: abort.signal }, missing).then(
          (answer) => finish(() => {
            this.prefer(server);
            resolve(answer);
          }),
          (error: unknown) => {
            const known = error instanceof GuidepostError ? error : undefined;
            if (known !== undefined && known.status < 429) {
              finish(() => reject(known));
              return;
            }
            // This server cannot now; another may.
            failed++;
            if (failed === order.length) {
              finish(() => reject(known ?? new GuidepostError("unreachable", `${server}: ${told(error)}`)));
            } else {
              next();
            }
          },
        );
      };
      const hedge = setInterval(next, this.hedgeAfter);
      const end = setTimeout(() => finish(() => reject(this.silence(""))), this.timeout);
      next();
    });
  }

  /** Asks the first server that can be connected to. */
  async write(method: string, target: string, body: unknown, missing = false, more: Record<string, string> = {}): Promise<Answer> {
    const headers = this.headers(body === undefined ? more : { ...more, "Content-Type": "application/json" });
    const failures: string[] = [];
    for (const server of this.order) {
      const signal = AbortSignal.timeout(this.timeout);
      try {
        const answer = await this.send(server, target, { method, headers, body: JSON.stringify(body), signal }, missing);
        this.prefer(server);
        return answer;
      } catch (error) {
        if (error instanceof GuidepostError) {
          throw error;
        }
        const unknown = "; whether the write was done is unknown";
        if (signal.aborted) {
          throw this.silence(unknown);
        }
        failures.push(`${server}: ${told(error)}`);
        if (wasSent(error)) {
          throw new GuidepostError("unreachable", failures.join("; ") + unknown);
        }
      }
    }
    throw new GuidepostError("unreachable", failures.join("; "));
  }
}
