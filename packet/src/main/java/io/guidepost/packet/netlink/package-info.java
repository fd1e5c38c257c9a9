/** The kernel's netlink sockets: events of links and addresses, metrics of routes, and the sockets that listen. */
package io.guidepost.packet.netlink;
