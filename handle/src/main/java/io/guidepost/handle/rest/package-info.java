/** The JSON interface over HTTP: routes, authentication, CORS, bulk changes, the response cache. */
@NullMarked
package io.guidepost.handle.rest;

import org.jspecify.annotations.NullMarked;
