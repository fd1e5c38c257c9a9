/** Endpoint services: costs between addresses, and their properties. */
package io.guidepost.alto.endpoint;
