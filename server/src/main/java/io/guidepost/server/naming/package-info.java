/** Names over HTTP: the service, its configuration and its metrics. */
@NullMarked
package io.guidepost.server.naming;

import org.jspecify.annotations.NullMarked;
