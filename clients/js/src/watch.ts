import type { Servers } from "./http.js";
import { type Change, GuidepostError, readRecord } from "./model.js";

/** The server tells something every 15 seconds; after three times that it is gone. */
const SILENCE_MILLIS = 45_000;
const RETRY_MILLIS_MIN = 50;
const RETRY_MILLIS_MAX = 5000;

interface ServerSentEvent {
  event: string;
  data: string;
  id: string | undefined;
}

/** Yields the events of one response; ends when the server ends it or is silent. */
async function* events(servers: Servers, target: string, position: string | undefined, signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
  const abort = new AbortController();
  let silence: ReturnType<typeof setTimeout>;
  const end = () => {
    clearTimeout(silence);
    abort.abort();
  };
  signal.addEventListener("abort", end);
  silence = setTimeout(end, SILENCE_MILLIS);
  try {
    const headers = servers.headers({ Accept: "text/event-stream", ...(position !== undefined && { "Last-Event-ID": position }) });
    const response = await servers.fetch(servers.first() + target, { headers, signal: abort.signal, cache: "no-store" });
    if (!response.ok) {
      throw GuidepostError.of(response.status, await response.text());
    }
    const reader = response.body!.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    let next: ServerSentEvent = { event: "", data: "", id: undefined };
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      clearTimeout(silence);
      silence = setTimeout(end, SILENCE_MILLIS);
      const lines = (rest + decoder.decode(piece.value, { stream: true })).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        const [, key, value = ""] = /^([^:]*)(?:: ?(.*?))?\r?$/s.exec(line)!;
        if (key === "event") {
          next.event = value;
        } else if (key === "data") {
          next.data += value;
        } else if (key === "id") {
          next.id = value;
        } else if (key === "" && !line.startsWith(":") && next.event !== "") {
          yield next;
          next = { event: "", data: "", id: undefined };
        }
      }
    }
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}

/** See Client.watch. */
export async function* watch(servers: Servers, prefix: string, signal: AbortSignal): AsyncGenerator<Change, void, void> {
  const target = `/v1/names?watch=1&prefix=${encodeURIComponent(prefix)}`;
  let position: string | undefined;
  let told = false;
  let ready = false;
  let retry = RETRY_MILLIS_MIN;
  while (!signal.aborted) {
    if (position === undefined && told) {
      // The snapshot was cut off, or is of another server: what was told of it may be gone.
      told = ready = false;
      yield { kind: "reset" };
    }
    try {
      for await (const { event, data, id } of events(servers, target, position, signal)) {
        retry = RETRY_MILLIS_MIN;
        const reset = event === "reset";
        position = reset ? undefined : (id ?? position);
        // A server tells "ready" once more when a watch resumes.
        const tells = reset ? told : !ready;
        told = !reset;
        ready = told && (ready || event === "ready");
        if (event === "put") {
          const record = readRecord(JSON.parse(data));
          yield { kind: "put", name: record.name, record };
        } else if (event === "delete") {
          yield { kind: "delete", name: (JSON.parse(data) as { name: string }).name };
        } else if ((event === "ready" || reset) && tells) {
          yield { kind: event };
        }
      }
    } catch (error) {
      if (error instanceof GuidepostError && (error.kind === "denied" || error.kind === "invalid")) {
        if (error.status !== 400 || position === undefined) {
          throw error;
        }
        position = undefined;
        continue;
      }
    }
    servers.rotate();
    const wait = retry * (0.5 + Math.random() / 2);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, signal.aborted ? 0 : wait);
      signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
    });
    retry = Math.min(2 * retry, RETRY_MILLIS_MAX);
  }
}
