/** The console of an operator in a browser: its files, what they are told once a second, and the pages that they read. */
package io.guidepost.server.console;
