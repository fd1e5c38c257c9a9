/** The DNS service: a door at each queue, and connections. */
package io.guidepost.server.dns;
