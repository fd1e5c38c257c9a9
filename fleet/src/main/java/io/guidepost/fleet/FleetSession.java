package io.guidepost.fleet;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.guidepost.base.AddressText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Sessions of the driver with a cluster. */
final class FleetSession {
    private FleetSession() {}

    /**
     * Connects.
     *
     * @throws ClusterException if no contact point answers
     * @throws IOException in one line, if the cluster refuses the user, or its data centre is not known
     */
    static CqlSession connect(FleetSettings settings) throws IOException {
        CqlSessionBuilder builder = CqlSession.builder()
                .addContactPoints(settings.contactPoints())
                .withClassLoader(FleetSession.class.getClassLoader())
                .withConfigLoader(DriverConfigLoader.programmaticBuilder(FleetSession.class.getClassLoader())
                        // The data centre is that of the contact points.
                        .withString(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, "DcInferringLoadBalancingPolicy")
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofMillis(FleetLimits.STATEMENT_MILLIS))
                        .withInt(DefaultDriverOption.CONNECTION_MAX_REQUESTS, FleetLimits.CONNECTION_REQUESTS_MAX)
                        .withDuration(DefaultDriverOption.HEARTBEAT_INTERVAL, Duration.ofMillis(FleetLimits.HEARTBEAT_MILLIS))
                        .withDuration(DefaultDriverOption.HEARTBEAT_TIMEOUT, Duration.ofMillis(FleetLimits.STATEMENT_MILLIS))
                        .withString(DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS, "ConstantSpeculativeExecutionPolicy")
                        .withInt(DefaultDriverOption.SPECULATIVE_EXECUTION_MAX, FleetLimits.SPECULATION_NODES_MAX)
                        .withDuration(
                                DefaultDriverOption.SPECULATIVE_EXECUTION_DELAY, Duration.ofMillis(FleetLimits.SPECULATION_MILLIS))
                        .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, Duration.ofMillis(FleetLimits.STATEMENT_MILLIS))
                        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Duration.ofMillis(FleetLimits.CONNECT_MILLIS))
                        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, Duration.ofMillis(FleetLimits.CONNECT_MILLIS))
                        .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(200))
                        .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofMillis(FleetLimits.PROBE_MILLIS))
                        .withString(DefaultDriverOption.METRICS_FACTORY_CLASS, "NoopMetricsFactory")
                        .build());
        if (!settings.user().isEmpty()) {
            builder.withAuthCredentials(settings.user(), settings.password());
        }
        if (settings.authority().isPresent()) {
            builder.withSslContext(tls(settings.authority().get()));
        }
        try {
            return builder.build();
        } catch (DriverException e) {
            if (isRefused(e)) {
                throw new IOException("the cluster refuses the user of fleet.login-file: " + reason(e), e);
            }
            throw new ClusterException("no node of the cluster answers at " + points(settings) + ": " + reason(e), false);
        } catch (IllegalStateException e) {
            throw new IOException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Returns whether all nodes that answered know no such user. */
    private static boolean isRefused(DriverException e) {
        return e instanceof AllNodesFailedException all
                && all.getAllErrors().values().stream().flatMap(List::stream).anyMatch(AuthenticationException.class::isInstance);
    }

    private static String points(FleetSettings settings) {
        return settings.contactPoints().stream().map(AddressText::of).collect(Collectors.joining(", "));
    }

    /**
     * Looks whether the tables are those of this version.
     *
     * @throws IOException in one line, if they are not
     */
    static void check(CqlSession session, FleetSettings settings) throws IOException {
        String comment = comment(session, settings);
        if (comment == null) {
            throw new IOException("the keyspace " + settings.keyspace()
                    + " of the cluster has no tables of Guidepost: make them with guidepost fleet schema --create");
        }
        if (FleetSchema.EARLIER.contains(comment)) {
            throw new IOException("the tables in the keyspace " + settings.keyspace() + " are '" + comment + "', and this is "
                    + FleetSchema.COMMENT + ": end all servers of the fleet, then move the tables with guidepost fleet schema --create,"
                    + " which keeps all records");
        }
        if (!FleetSchema.COMMENT.equals(comment)) {
            throw new IOException("the tables in the keyspace " + settings.keyspace() + " are '" + comment + "', and this is "
                    + FleetSchema.COMMENT + ": use the Guidepost that made them, or another keyspace");
        }
    }

    /** Returns what the table of records says of its version; null if there is no such table. */
    static @Nullable String comment(CqlSession session, FleetSettings settings) {
        Row table = session.execute(SimpleStatement.newInstance(
                        "SELECT comment FROM system_schema.tables WHERE keyspace_name = ? AND table_name = 'records'", settings.keyspace()))
                .one();
        return table == null ? null : table.getString(0);
    }

    private static SSLContext tls(Path authority) throws IOException {
        try (InputStream in = Files.newInputStream(authority)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            int number = 0;
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("authority" + number++, each);
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(authority + " holds no certificates in PEM: " + e.getMessage(), e);
        }
    }

    /** Returns in one line why a statement failed. */
    static String reason(DriverException e) {
        if (e instanceof AllNodesFailedException all && !all.getAllErrors().isEmpty()) {
            return all.getAllErrors().entrySet().stream()
                    .map(each -> each.getKey().getEndPoint() + ": " + line(each.getValue().getLast()))
                    .collect(Collectors.joining("; "));
        }
        return e instanceof AllNodesFailedException ? "no node of it can be reached" : line(e);
    }

    private static String line(Throwable e) {
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        // Without the driver's number of session and connection.
        return message.lines().findFirst().orElse("").replaceFirst("^\\[[^]]*] ?", "");
    }
}
