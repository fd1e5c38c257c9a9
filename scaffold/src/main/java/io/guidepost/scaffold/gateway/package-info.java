/** The gateway of a host with its ports: packets of a TUN device in UDP datagrams, the ways out, and the names of one zone in DNS. */
package io.guidepost.scaffold.gateway;
