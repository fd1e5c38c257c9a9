import { Client } from "@guidepost/client";

/** What the documentation shows: a name is put, resolved, held by a lease and watched. Returns what a program would print. */
export async function tour(server, gnrs, token) {
  const told = [];
  // snippet: js
  const client = new Client({ servers: server, gnrs, token });
  await client.put("orders.example", ["192.0.2.10:8443", "[2001:db8::10]:8443"]);
  for (const place of await client.resolve("orders.example")) {
    told.push(place.address);
  }
  const lease = client.lease(30);
  await lease.add("workers.example", "192.0.2.7:9000"); // renewed until the lease or the process ends
  for await (const change of client.watch("workers.")) {
    if (change.kind === "ready") break; // the snapshot is complete; a service goes on
    told.push(`${change.kind} ${change.name}`);
  }
  // end
  await lease.close();
  client.close();
  return told;
}
