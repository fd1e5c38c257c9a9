package io.guidepost.scaffold.gateway;

import io.guidepost.scaffold.wire.HostLocator;

/**
 * A way out of this host: an own socket on one link.
 *
 * @param device name of the interface
 * @param own its address and port
 * @param up whether its link is up
 */
public record GatewayWay(String device, HostLocator own, boolean up) {}
