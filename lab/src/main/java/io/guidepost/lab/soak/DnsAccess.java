package io.guidepost.lab.soak;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.ServiceUnavailableException;
import javax.naming.directory.Attribute;
import javax.naming.directory.InitialDirContext;

/** Names over DNS, by the resolver of the JDK; places are told without their port there. It does not write. */
final class DnsAccess implements LedgerAccess {
    /** The zone of the server. */
    static final String ZONE = "soak.example";

    private static final String PORT = ":7000";

    private final InitialDirContext resolver;

    DnsAccess(InetSocketAddress server) throws IOException {
        Properties settings = new Properties();
        settings.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.dns.DnsContextFactory");
        settings.put(Context.PROVIDER_URL, "dns://" + server.getAddress().getHostAddress() + ":" + server.getPort());
        settings.put("com.sun.jndi.dns.timeout.initial", "1000");
        settings.put("com.sun.jndi.dns.timeout.retries", "1");
        try {
            resolver = new InitialDirContext(settings);
        } catch (NamingException e) {
            throw new IOException("there is no client of DNS: " + e, e);
        }
    }

    @Override
    @SuppressWarnings("BanJNDI") // The names are those of the ledger, and the provider is DNS alone, whose answers are text.
    public String read(String name) throws IOException {
        try {
            Attribute addresses = resolver.getAttributes(name + "." + ZONE, new String[] {"A"}).get("A");
            List<String> places = new ArrayList<>();
            if (addresses != null) {
                NamingEnumeration<?> each = addresses.getAll();
                while (each.hasMore()) {
                    places.add(each.next() + PORT);
                }
            }
            return WriteLedger.state(places);
        } catch (NameNotFoundException absent) {
            return "";
        } catch (ServiceUnavailableException refusal) {
            throw new Refused(String.valueOf(refusal.getMessage()));
        } catch (NamingException silence) {
            throw new IOException(silence);
        }
    }

    @Override
    public void write(WriteLedger.Write write) throws IOException {
        throw new Refused("names are not written over DNS");
    }

    @Override
    public void close() {
        try {
            resolver.close();
        } catch (NamingException e) {
            // Its socket is of no more use either way.
        }
    }
}
