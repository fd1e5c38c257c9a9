package io.guidepost.lab.command;

import io.guidepost.lab.prove.ProveCommand;
import io.guidepost.lab.soak.SoakCommand;
import io.guidepost.lab.trace.ReplayCommand;
import io.guidepost.server.cli.CommandProvider;
import java.util.Map;

/** The commands of a checkout: {@code guidepost prove}, {@code soak}, {@code simulate} and {@code replay}. */
public final class LabCommands implements CommandProvider {
    @Override
    public Map<String, Class<?>> commands() {
        return Map.of(
                "prove", ProveCommand.class, "soak", SoakCommand.class, "simulate", SimulateCommand.class, "replay", ReplayCommand.class);
    }
}
