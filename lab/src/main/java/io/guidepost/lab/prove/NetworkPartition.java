package io.guidepost.lab.prove;

import io.guidepost.server.cli.support.ChildProcesses;
import java.io.IOException;
import java.net.InetAddress;

/** A way to cut a server off from all others, and to heal that. */
interface NetworkPartition {
    /** What is done, for the table. */
    String text();

    /** Cuts it off: it runs on, or at least its process is there. */
    void off(long process, InetAddress address) throws IOException;

    /** Heals it. */
    void heal(long process, InetAddress address) throws IOException;

    /** Stops its process for a while: it neither hears nor answers, and its clock runs on. */
    NetworkPartition PAUSE = new NetworkPartition() {
        @Override
        public String text() {
            return "stopped (SIGSTOP)";
        }

        @Override
        public void off(long process, InetAddress address) throws IOException {
            ChildProcesses.run("kill", "-STOP", Long.toString(process));
        }

        @Override
        public void heal(long process, InetAddress address) throws IOException {
            ChildProcesses.run("kill", "-CONT", Long.toString(process));
        }
    };

    /**
     * In a network namespace of our own: two rules of the kernel's routing take the way from and to its address. It
     * answers no peer, and believes that everyone else is gone. The rule that leads to local addresses has to make room
     * before them.
     */
    NetworkPartition NETWORK = new NetworkPartition() {
        @Override
        public String text() {
            return "cut off (ip rule)";
        }

        @Override
        public void off(long process, InetAddress address) throws IOException {
            String host = address.getHostAddress();
            ChildProcesses.run("ip", "rule", "add", "pref", "0", "from", host, "blackhole");
            ChildProcesses.run("ip", "rule", "add", "pref", "0", "to", host, "blackhole");
        }

        @Override
        public void heal(long process, InetAddress address) throws IOException {
            String host = address.getHostAddress();
            ChildProcesses.run("ip", "rule", "del", "pref", "0", "from", host, "blackhole");
            ChildProcesses.run("ip", "rule", "del", "pref", "0", "to", host, "blackhole");
        }
    };
}
