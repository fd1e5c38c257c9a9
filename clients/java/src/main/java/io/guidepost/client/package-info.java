/** A client of the names of a deployment: GNRS over UDP and HTTP. Begin with {@link io.guidepost.client.NameClient}. */
package io.guidepost.client;
