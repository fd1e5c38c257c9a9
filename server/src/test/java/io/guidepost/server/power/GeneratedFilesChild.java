package io.guidepost.server.power;

import io.guidepost.base.Memory;
import io.guidepost.base.Sha256;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.server.alto.PidKeyFile;
import io.guidepost.server.handle.ServerIdentity;
import io.guidepost.server.http.tls.GeneratedCertificate;
import io.guidepost.store.power.Marks;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.util.List;

/** The process whose power is lost while it makes keys, certificates and a site for itself, as a server does at its first start. */
final class GeneratedFilesChild {
    private GeneratedFilesChild() {}

    /** Receives what was made, as a number that differs with its bytes. */
    interface Made {
        void made(int step, long digest);
    }

    /** Argument: folder. */
    public static void main(String[] args) throws Exception {
        Path root = Path.of(args[0]);
        Marks marks = new Marks(root);
        make(root, (step, digest) -> marks.say('M', step, digest, 0));
    }

    /** Makes what is missing, and reads all of it. */
    static void make(Path root, Made made) throws IOException, GeneralSecurityException {
        SecureRandom random = new SecureRandom();
        ServerIdentity identity = new ServerIdentity(root.resolve("a").resolve("handle"), null, random);
        KeyPair keys = identity.keys();
        made.made(0, digest(keys.getPrivate().getEncoded()) + digest(keys.getPublic().getEncoded()));
        SiteRecord site = identity.site(keys, key -> new SiteRecord(
                2, 11, 7, true, false, SiteRecord.Hash.HANDLE, new byte[0], List.of(), List.of()));
        made.made(1, digest(site.write()));
        List<InetAddress> addresses = List.of(InetAddress.getLoopbackAddress());
        made.made(2, digest(identity.certificate(keys, "a test", addresses).getEncoded()));
        Path tls = root.resolve("tls");
        GeneratedCertificate.of(tls, "a test", addresses, random);
        made.made(3, digest(Files.readAllBytes(tls.resolve("key.pem"))));
        made.made(4, digest(Files.readAllBytes(tls.resolve("certificate.pem"))));
        made.made(5, digest(PidKeyFile.of(root.resolve("alto"))));
    }

    private static long digest(byte[] bytes) {
        return Memory.longAt(Sha256.of(bytes), 0);
    }
}
