/** The admin port: health, metrics, reload and backup over HTTP, and the pages that commands read. */
package io.guidepost.server.admin;
