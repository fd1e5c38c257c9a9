package io.guidepost.server.cli;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Several commands in one process, for tests that need them in another network namespace: a JVM starts once. */
public final class CommandLines {
    private CommandLines() {}

    /** Runs each argument as the words of a command; prints its exit code, how many bytes it said, and these. */
    public static void main(String[] lines) {
        for (String each : lines) {
            CommandRun ran = CommandRun.of(each.split(" ", -1));
            byte[] said = (ran.out() + ran.err()).getBytes(StandardCharsets.UTF_8);
            System.out.print(ran.code() + " " + said.length + "\n");
            System.out.writeBytes(said);
        }
        System.out.flush();
    }

    /** What each of so many commands ended with, from what {@link #main} printed. */
    public static List<CommandRun> read(String printed, int count) {
        byte[] all = printed.getBytes(StandardCharsets.UTF_8);
        List<CommandRun> found = new ArrayList<>();
        int at = 0;
        while (found.size() < count) {
            int end = at;
            while (end < all.length && all[end] != '\n') {
                end++;
            }
            String[] head = new String(all, at, end - at, StandardCharsets.UTF_8).split(" ", -1);
            if (head.length != 2 || !head[0].matches("\\d+") || !head[1].matches("\\d+")) {
                throw new AssertionError("not what commands print: " + printed);
            }
            int length = Integer.parseInt(head[1]);
            found.add(new CommandRun(Integer.parseInt(head[0]), new String(all, end + 1, length, StandardCharsets.UTF_8), ""));
            at = end + 1 + length;
        }
        return found;
    }
}
