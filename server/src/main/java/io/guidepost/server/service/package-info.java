/** What a service of the server is, and what carries one: ports of every kind, workers, admission, reload. */
@NullMarked
package io.guidepost.server.service;

import org.jspecify.annotations.NullMarked;
