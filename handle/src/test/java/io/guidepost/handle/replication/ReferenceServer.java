package io.guidepost.handle.replication;

import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.SiteServer;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An existing server of another make, in a process of its own, on the loopback address alone. */
final class ReferenceServer implements AutoCloseable {

    final Path folder;
    final int port;
    final Path keys;
    private final Path jars;
    private @Nullable Process process;

    /** One that is set up and not started; {@code more} goes into its configuration. */
    ReferenceServer(Path jars, Path folder, int port, Path keys, boolean primary, String more) throws IOException {
        this.jars = jars;
        this.folder = Files.createDirectories(folder);
        this.port = port;
        this.keys = keys;
        TestReplicationKeys own = TestReplicationKeys.in(keys);
        Files.createDirectories(folder.resolve("home/.handle"));
        Files.writeString(
                folder.resolve("home/.handle/config.dct"),
                "{ \"auto_update_root_info\" = \"no\" \"no_udp_resolution\" = \"yes\" }");
        Files.writeString(folder.resolve("config.dct"), configuration(port, more));
        Files.write(folder.resolve("privkey.bin"), own.secretFile());
        Files.write(
                folder.resolve("pubkey.bin"), PublicKeyRecord.of(own.pair().getPublic()).write());
        Files.write(folder.resolve("siteinfo.bin"), site(own, port, primary).write());
    }

    static SiteRecord site(TestReplicationKeys keys, int port, boolean primary) {
        SiteServer server = new SiteServer(
                1,
                SiteServer.address(InetAddress.getLoopbackAddress()),
                PublicKeyRecord.of(keys.pair().getPublic()).write(),
                List.of(new SiteInterface(true, true, SiteInterface.Transport.TCP, port)));
        return new SiteRecord(
                2, 11, 1, primary, false, SiteRecord.Hash.HANDLE, new byte[0], List.of(), List.of(server));
    }

    private static String configuration(int port, String more) {
        return """
                {
                "hdl_tcp_config" = { "num_threads" = "5" "bind_address" = "127.0.0.1" "bind_port" = "%d" }
                "server_type" = "server"
                "log_save_config" = { "log_save_directory" = "logs" "log_save_interval" = "Never" }
                "no_udp_resolution" = "y"
                "interfaces" = ( "hdl_tcp" )
                "auto_update_root_info" = "no"
                "server_config" = {
                "server_admins" = ( "300:1234/ADMIN" )
                "replication_admins" = ( "300:1234/MIRROR" )
                "auto_homed_prefixes" = ( "0.NA/1234" )
                "this_server_id" = "1"
                "server_admin_full_access" = "yes"
                "allow_na_admins" = "no"
                "template_ns_override" = "yes"
                "allow_list_hdls" = "yes"
                %s
                } }
                """
                .formatted(port, more);
    }

    /** Makes it a mirror. */
    ReferenceServer following(SiteRecord source, TestReplicationKeys mirror) throws IOException {
        Files.write(folder.resolve("txnsrcsv.bin"), source.write());
        Files.write(folder.resolve("replpriv.bin"), mirror.secretFile());
        return this;
    }

    /** Runs one of its tools to its end. */
    void tool(String name, String... arguments) throws IOException, InterruptedException {
        Process tool = launch(name, arguments);
        if (tool.waitFor() != 0) {
            throw new IOException(name + " ended with " + tool.exitValue());
        }
    }

    private Process launch(String name, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx300m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Duser.home=" + folder.resolve("home"),
                "-cp",
                jars + "/*",
                name));
        command.addAll(Arrays.asList(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("said.txt").toFile()))
                .start();
    }

    ReferenceServer start() throws IOException {
        process = launch("net.handle.server.Main", folder.toString());
        return this;
    }

    /** Kills it without warning. */
    void kill() {
        if (process != null) {
            process.destroyForcibly().onExit().join();
        }
    }


    @Override
    public void close() {
        kill();
    }
}
