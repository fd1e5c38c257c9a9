/**
 * The ALTO and Proxidor services: what ALTO publishes of the topology, its HTTP port, and the UDP doors of Proxidor.
 */
package io.guidepost.server.alto;
