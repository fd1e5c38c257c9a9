package io.guidepost.scaffold.metrics;

/**
 * What a gateway's machine has now.
 *
 * @param flows of its own programs and of peers
 * @param hosts that are known
 * @param hostsWithFlows those of them that have a flow
 * @param keptBytes that its flows keep, so that they can go on at another instance
 * @param routers object routers
 * @param routersJoined those of them that know this host
 */
public record MachineLoad(int flows, int hosts, int hostsWithFlows, long keptBytes, int routers, int routersJoined) {}
