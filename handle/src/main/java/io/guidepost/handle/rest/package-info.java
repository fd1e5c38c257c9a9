/** The JSON interface over HTTP: routes, authentication, CORS, bulk changes, the response cache. */
package io.guidepost.handle.rest;
