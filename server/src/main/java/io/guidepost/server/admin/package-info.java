/** The admin port: health, metrics, reload and backup over HTTP, and the pages that commands read. */
@NullMarked
package io.guidepost.server.admin;

import org.jspecify.annotations.NullMarked;
