package io.guidepost.naming;

import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Writes names until it is killed. Prints each write when it is acknowledged ({@code W name number}; 0 = removed) and each event
 * of a watcher ({@code E position name number}).
 */
public final class NameWatchCrashChild {
    private NameWatchCrashChild() {}

    static StoreOptions options(Path folder) {
        return StoreOptions.in(folder).withDurability(RecordStore.Durability.OS);
    }

    /** Runs with a folder, a seed, the first number, and the position of the watcher or nothing. */
    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        SplittableRandom random = new SplittableRandom(Long.parseLong(args[1]));
        try (LocalApi api = new LocalApi(options(Path.of(args[0])), 1 << 20, WriterTokens.NONE);
                Watcher watcher = args.length > 3 ? api.watch("", "last-event-id", args[3]) : api.watch("")) {
            Thread.ofVirtual().start(() -> tell(watcher, out));
            for (int number = Integer.parseInt(args[2]); ; number++) {
                String name = "name-of-a-service-" + random.nextInt(5);
                boolean removes = random.nextInt(4) == 0;
                if (removes) {
                    api.call("DELETE", "/v1/names/" + name, "");
                } else {
                    api.call("PUT", "/v1/names/" + name, body(number));
                }
                synchronized (out) {
                    out.println("W " + name + " " + (removes ? 0 : number));
                }
            }
        }
    }

    static String body(int number) {
        return "{\"places\":[{\"place\":\"192.0.2.1:80\",\"labels\":{\"n\":\"" + number + "\"}}]}";
    }

    private static void tell(Watcher watcher, PrintStream out) {
        try {
            while (true) {
                String line = line(watcher.next());
                synchronized (out) {
                    out.println(line);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the line of an event: its position or a dash, its name or its type, its number. */
    static String line(Watcher.Event event) {
        boolean named = event.type().equals("put") || event.type().equals("delete");
        String name = named ? event.data().replaceAll(".*\"name\":\"([^\"]*)\".*", "$1") : event.type();
        String number = event.type().equals("put") ? event.data().replaceAll(".*\"n\":\"([0-9]+)\".*", "$1") : "0";
        return "E " + (event.id().isEmpty() ? "-" : event.id()) + " " + name + " " + number;
    }
}
