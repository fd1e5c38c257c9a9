package io.guidepost.server.cli.names;

import picocli.CommandLine.Command;

/** {@code guidepost token}: tokens of those that write names over HTTP. */
@Command(
        name = "token",
        description = "Makes tokens of those that write names over HTTP.",
        mixinStandardHelpOptions = true,
        subcommands = TokenNewCommand.class,
        footer = "%nExample:  guidepost token new --prefix orders. --file /etc/guidepost/tokens")
public final class TokenCommand {}
