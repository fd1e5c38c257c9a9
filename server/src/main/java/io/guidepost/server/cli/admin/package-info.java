/** Commands of the operator: config, doctor, reload, backup, restore, top, sites. */
@NullMarked
package io.guidepost.server.cli.admin;

import org.jspecify.annotations.NullMarked;
