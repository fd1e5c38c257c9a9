/** A place of a name. What is not set is absent. */
export interface Place {
  /** `10.1.2.3:4444`, `[2001:db8::1]:4444`, `guid:` and 40 digits, or a URL. */
  address: string;
  /** How long a cache may keep it, in seconds. */
  ttl?: number;
  /** When it ends. */
  expires?: Date;
  /** Its share among places that are equally near. */
  weight?: number;
  labels?: Record<string, string>;
}

/** A place, or its address alone. */
export type PlaceLike = Place | string;

/** What is kept of a name. `version` grows with every change; a write can demand it. */
export interface NameRecord {
  name: string;
  guid: string;
  version: string;
  places: Place[];
}

/**
 * What a watch tells. `put`: `record` has the name's places now. `delete`: `name` has no places any more. `ready`: the snapshot is
 * complete, and what follows are changes. `reset`: forget all that was told; a snapshot follows, in which deleted names are missing.
 */
export type Change =
  | { kind: "put"; name: string; record: NameRecord }
  | { kind: "delete"; name: string }
  | { kind: "ready" | "reset" };

/**
 * Why a request failed. `unreachable`: no server could be reached; a write was not done, unless the message says that its outcome is
 * unknown. `timeout`: no server answered in time. `denied`: the token is missing, unknown, or not for this name (401, 403).
 * `invalid`: a malformed name, place, lifetime or event id (400, 413, 422). `conflict`: the record has another version than the one
 * that the write demands (409, 412). `overloaded`: the server has reached a bound, or has no room (429, 503, 507).
 */
export type Kind = "unreachable" | "timeout" | "denied" | "invalid" | "conflict" | "overloaded" | "other";

/** A request failed. `status` is that of HTTP, 0 if no server answered; `problem` the server's problem details (RFC 9457). */
export class GuidepostError extends Error {
  override readonly name = "GuidepostError";

  constructor(
    readonly kind: Kind,
    message: string,
    readonly status = 0,
    readonly problem: Record<string, unknown> = {},
  ) {
    super(message);
  }

  /** Returns the error of a response above 399, with what the server says about it. */
  static of(status: number, body: string): GuidepostError {
    let problem: Record<string, unknown> = {};
    try {
      problem = Object(JSON.parse(body)) as Record<string, unknown>;
    } catch {
      // A proxy may answer in plain text.
    }
    const kinds: Record<number, Kind> = {
      401: "denied", 403: "denied", 409: "conflict", 412: "conflict", 429: "overloaded", 503: "overloaded", 507: "overloaded",
      400: "invalid", 405: "invalid", 406: "invalid", 413: "invalid", 414: "invalid", 415: "invalid", 422: "invalid",
    };
    const said = problem["detail"] ?? problem["title"] ?? body.slice(0, 200);
    return new GuidepostError(kinds[status] ?? "other", `${status}: ${said}`, status, problem);
  }
}

/** The form of a place in JSON. */
export interface JsonPlace {
  place: string;
  ttl?: number;
  expires?: string;
  weight?: number;
  labels?: Record<string, string>;
}

export function writePlace(place: PlaceLike): JsonPlace {
  if (typeof place === "string") {
    return { place };
  }
  const { address, expires, ttl, weight, labels } = place;
  return { place: address, ttl, weight, labels, expires: expires?.toISOString() };
}

export function readRecord(json: { name: string; guid: string; version: string; places: JsonPlace[] }): NameRecord {
  const places = json.places.map(({ place, ttl, expires, weight, labels }): Place => ({
    address: place,
    ...(ttl !== undefined && { ttl }),
    ...(expires !== undefined && { expires: new Date(expires) }),
    ...(weight !== undefined && { weight }),
    ...(labels !== undefined && { labels }),
  }));
  return { name: json.name, guid: json.guid, version: json.version, places };
}
