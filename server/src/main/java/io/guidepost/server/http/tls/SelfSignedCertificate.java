package io.guidepost.server.http.tls;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * A certificate that a server makes of its own key (RFC 5280): clients know it by that key, which its site tells.
 *
 * <pre>
 *  version 3, a random serial number, SHA-256 with RSA or ECDSA, CN=name as subject and issuer,
 *  valid from a day ago on for twenty years, with localhost and its addresses as alternative names
 * </pre>
 */
public final class SelfSignedCertificate {
    /** Object identifier 1.2.840.113549.1.1.11, with parameters: none. */
    private static final byte[] SHA256_WITH_RSA = DerWriter.sequence(DerWriter.identifier("2a864886f70d01010b"), DerWriter.none());

    /** Object identifier 1.2.840.10045.4.3.2, without parameters. */
    private static final byte[] SHA256_WITH_ECDSA = DerWriter.sequence(DerWriter.identifier("2a8648ce3d040302"));

    /** Object identifier 2.5.4.3. */
    private static final String COMMON_NAME = "550403";

    /** Object identifier 2.5.29.17. */
    private static final String ALTERNATIVE_NAMES = "551d11";

    private static final int VERSION = 0xa0;
    private static final int EXTENSIONS = 0xa3;
    private static final int DNS_NAME = 0x82;
    private static final int IP_ADDRESS = 0x87;
    private static final int SERIAL_BITS = 127;
    private static final Duration VALID = Duration.ofDays(20 * 365L);

    private SelfSignedCertificate() {}

    /**
     * Makes one.
     *
     * @param keys for RSA, or on an elliptic curve
     * @param name whose it is
     * @param addresses of the server
     * @throws GeneralSecurityException if the keys are for something else
     */
    public static X509Certificate of(
            KeyPair keys, String name, List<InetAddress> addresses, Instant now, SecureRandom random)
            throws GeneralSecurityException {
        boolean curve = keys.getPublic().getAlgorithm().equals("EC");
        byte[] algorithm = curve ? SHA256_WITH_ECDSA : SHA256_WITH_RSA;
        byte[] subject = DerWriter.sequence(DerWriter.set(DerWriter.sequence(DerWriter.identifier(COMMON_NAME), DerWriter.text(name))));
        Instant from = now.minus(1, ChronoUnit.DAYS);
        byte[] certified = DerWriter.sequence(
                DerWriter.tagged(VERSION, DerWriter.integer(BigInteger.TWO)),
                DerWriter.integer(new BigInteger(SERIAL_BITS, random).setBit(0)),
                algorithm,
                subject,
                DerWriter.sequence(DerWriter.time(from), DerWriter.time(from.plus(VALID))),
                subject,
                keys.getPublic().getEncoded(),
                DerWriter.tagged(
                        EXTENSIONS,
                        DerWriter.sequence(DerWriter.sequence(DerWriter.identifier(ALTERNATIVE_NAMES), DerWriter
                                .octets(names(addresses))))));
        Signature signature = Signature.getInstance(curve ? EcKeys.SIGNATURE : "SHA256withRSA");
        signature.initSign(keys.getPrivate());
        signature.update(certified);
        byte[] certificate = DerWriter.sequence(certified, algorithm, DerWriter.bits(signature.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate));
    }

    private static byte[] names(List<InetAddress> addresses) {
        List<byte[]> names = new ArrayList<>();
        names.add(DerWriter.tagged(DNS_NAME, "localhost".getBytes(StandardCharsets.US_ASCII)));
        for (InetAddress each : addresses) {
            names.add(DerWriter.tagged(IP_ADDRESS, each.getAddress()));
        }
        return DerWriter.sequence(names.toArray(byte[][]::new));
    }
}
