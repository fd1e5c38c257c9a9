import { GuidepostError } from "./model.js";

const SCHEME = "guid:";
const DIGITS = /^[0-9a-fA-F]{40}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HANDLE = /^(?:[0-9]+(?:\.[0-9]+)*|0\.[nN][aA])\/.+$/s;
const WORD = /^[!-~]{1,20}$/;
const NAME_BYTES_MAX = 2048;

/**
 * Returns the 20 bytes under which GNRS knows a name: a GUID itself, a word of at most 20 characters, or the beginning of SHA-256 of
 * its form (docs/clients.md).
 */
export async function guid(name: string): Promise<Uint8Array> {
  const given = name.startsWith(SCHEME);
  const rest = given ? name.slice(SCHEME.length) : name;
  if (DIGITS.test(rest)) {
    return Uint8Array.from(rest.match(/../g)!, (each) => parseInt(each, 16));
  }
  const handle = HANDLE.test(name);
  const form = handle
    ? name.replace(/[a-z]+/g, (each) => each.toUpperCase())
    : UUID.test(name) ? name.toLowerCase() : rest.normalize("NFC");
  const bytes = new TextEncoder().encode(form);
  const word = WORD.test(form) && !handle;
  if (given && !word) {
    throw new GuidepostError("invalid", "guid: is followed by 40 hexadecimal digits or a word of at most 20 characters");
  }
  if (bytes.length < 1 || bytes.length > NAME_BYTES_MAX) {
    throw new GuidepostError("invalid", `a name has 1 to ${NAME_BYTES_MAX} bytes in UTF-8, not ${bytes.length}`);
  }
  if (word) {
    const padded = new Uint8Array(20);
    padded.set(bytes);
    return padded;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).slice(0, 20);
}
