package io.guidepost.lab.command;

import io.guidepost.lab.prove.ProveCommand;
import io.guidepost.server.cli.CommandProvider;
import java.util.Map;

/** The commands of a checkout: {@code guidepost prove} and {@code guidepost simulate}. */
public final class LabCommands implements CommandProvider {
    @Override
    public Map<String, Class<?>> commands() {
        return Map.of("prove", ProveCommand.class, "simulate", SimulateCommand.class);
    }
}
