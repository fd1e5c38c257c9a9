package io.guidepost.scaffold.flow;

import io.guidepost.scaffold.wire.HostLocator;

/**
 * An own socket.
 *
 * @param locator where it receives
 * @param up whether its link is up
 * @param labels whether the network leads all addresses with the same first half to this host
 */
record OwnWay(HostLocator locator, boolean up, boolean labels) {}
