/** What a service of the server is, and what carries one: ports of every kind, workers, admission, reload. */
package io.guidepost.server.service;
