/** Guidepost from JavaScript: where is it? A name goes in, the places where it is now come out. */
export { Client, type ClientOptions, type Condition } from "./client.js";
export { Lease } from "./lease.js";
export { type Change, GuidepostError, type Kind, type NameRecord, type Place, type PlaceLike } from "./model.js";
export { guid } from "./names.js";
