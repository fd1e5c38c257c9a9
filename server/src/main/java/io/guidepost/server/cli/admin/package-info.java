/** Commands of the operator: config, doctor, reload, backup, restore, top, sites. */
package io.guidepost.server.cli.admin;
