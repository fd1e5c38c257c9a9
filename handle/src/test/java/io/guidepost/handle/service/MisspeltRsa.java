package io.guidepost.handle.service;

import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;

/**
 * Gives the JDK's RSA cipher the name by which the client library asks for it where it decrypts a session's key, which no
 * provider of the JDK knows.
 */
public final class MisspeltRsa extends Provider {
    public MisspeltRsa() {
        super("MisspeltRsa", "1", "RSA/EBC/PKCS1");
        Provider jdk = Security.getProvider("SunJCE");
        putService(new Service(
                this, "Cipher", "RSA/EBC/PKCS1", jdk.getService("Cipher", "RSA").getClassName(), null, null) {
            @Override
            public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
                return jdk.getService("Cipher", "RSA").newInstance(parameter);
            }
        });
    }
}
