import { GuidepostError } from "./model.js";

/** Returns the path of a name. */
export function path(name: string): string {
  if (/^\.\.?$/.test(name)) {
    // URLs lose such segments even where they are escaped: these two are asked for by their GUIDs.
    return `/v1/names/guid:${"2e".repeat(name.length).padEnd(40, "0")}`;
  }
  try {
    return `/v1/names/${encodeURIComponent(name)}`;
  } catch {
    throw new GuidepostError("invalid", "a name is Unicode text without single surrogates");
  }
}
