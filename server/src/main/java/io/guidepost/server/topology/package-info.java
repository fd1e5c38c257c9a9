/** The operator's topology in the server: its files, its live network, and why it ranks as it does. */
package io.guidepost.server.topology;
