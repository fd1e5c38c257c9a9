package io.guidepost.server.http.tls;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import javax.crypto.KeyAgreement;

/**
 * EC keys on the curve P-256, which a server makes for its certificates: in a JVM that has just started a pair takes a tenth of the
 * processor time of one for RSA.
 */
final class EcKeys {
    private static final String CURVE = "secp256r1";
    static final String SIGNATURE = "SHA256withECDSA";

    private EcKeys() {}

    /** Makes a pair. */
    static KeyPair generate(SecureRandom random) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec(CURVE), random);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AssertionError("every JDK has P-256", e);
        }
    }

    /**
     * Returns the pair of which the private key is given. The JDK does not tell the public key, a point of the curve; its x is what
     * the key agrees on with the generator of the curve, and of the two points that have it one verifies what the key signs.
     *
     * @throws GeneralSecurityException if it is not an EC key on a curve over a prime field
     */
    static KeyPair pairOf(PrivateKey key) throws GeneralSecurityException {
        if (!(key instanceof ECPrivateKey own) || !(own.getParams().getCurve().getField() instanceof ECFieldFp field)) {
            throw new GeneralSecurityException("its public key does not follow from a private key for " + key.getAlgorithm());
        }
        ECParameterSpec curve = own.getParams();
        KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
        agreement.init(own);
        agreement.doPhase(point(curve.getGenerator(), curve), true);
        BigInteger x = new BigInteger(1, agreement.generateSecret());
        BigInteger p = field.getP();
        BigInteger square = x.pow(3).add(curve.getCurve().getA().multiply(x)).add(curve.getCurve().getB()).mod(p);
        // A root of a square, where p is 3 modulo 4, as that of P-256 is.
        BigInteger y = square.modPow(p.add(BigInteger.ONE).shiftRight(2), p);
        PublicKey first = point(new ECPoint(x, y), curve);
        return new KeyPair(verifies(first, own) ? first : point(new ECPoint(x, p.subtract(y)), curve), own);
    }

    private static PublicKey point(ECPoint point, ECParameterSpec curve) throws GeneralSecurityException {
        return KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(point, curve));
    }

    private static boolean verifies(PublicKey key, PrivateKey own) throws GeneralSecurityException {
        byte[] any = {1};
        Signature signing = Signature.getInstance(SIGNATURE);
        signing.initSign(own);
        signing.update(any);
        byte[] signed = signing.sign();
        Signature verifying = Signature.getInstance(SIGNATURE);
        verifying.initVerify(key);
        verifying.update(any);
        return verifying.verify(signed);
    }
}
