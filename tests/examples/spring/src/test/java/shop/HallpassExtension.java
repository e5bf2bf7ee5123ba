package shop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A JUnit 5 extension: an issuer of its own for each test class, in one lab for all of them. Copy it.
 * {@code HALLPASS_URL} and {@code HALLPASS_LAB_TOKEN} name a lab that is already running.
 */
public class HallpassExtension implements BeforeAllCallback, AfterAllCallback {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** HTTP/1.1, because not every server accepts the upgrade to HTTP/2 with a body, which is the default. */
    private static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static String server = System.getenv("HALLPASS_URL");

    private final Map<String, Object> configuration;
    private String issuer;

    /** Takes every setting of a tenant, such as {@code clients} and {@code users}. */
    public HallpassExtension(Map<String, Object> configuration) {
        this.configuration = configuration;
    }

    /** Returns the issuer. Spring may ask for it before JUnit calls {@code beforeAll}. */
    public synchronized String issuer() {
        if (issuer == null) issuer = send("POST", server() + "/lab/tenants", configuration).get("issuer").asText();
        return issuer;
    }

    /** Returns a token, without a flow: {@code Map.of("sub", "alice", "expiresIn", "-1m", "kind", "access")}. */
    public String mint(Map<String, Object> options) {
        return lab("/tokens", options).get("token").asText();
    }

    /** Signs a user in at an authorization URL, gives consent, and returns the callback. */
    public String authorize(String url, String user) {
        return lab("/authorize", Map.of("url", url, "user", user)).get("callback").asText();
    }

    /** Calls the lab: {@code lab("/clock", Map.of("advance", "2h"))}. GET /lab/openapi.json lists all paths. */
    public JsonNode lab(String path, Map<String, Object> body) {
        return lab("POST", path, body);
    }

    /** Calls the lab with another method: {@code lab("PUT", "/users/zoe", Map.of("name", "zoe"))}. */
    public JsonNode lab(String method, String path, Map<String, Object> body) {
        return send(method, issuer() + "/lab" + path, body);
    }

    /** Fails if the client under test broke a rule. */
    public void assertClean() {
        var report = lab("GET", "/report", null);
        if (!report.get("clean").asBoolean()) throw new AssertionError(report.toPrettyString());
    }

    /** Fails if a fault was never met, so that its test proves nothing. */
    public void assertNoIdleFaults() {
        var idle = lab("GET", "/report", null).get("idleFaults");
        if (!idle.isEmpty()) throw new AssertionError("These faults were never met: " + idle);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        issuer();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        send("DELETE", server() + "/lab/tenants/" + issuer.substring(issuer.lastIndexOf('/') + 1), Map.of());
    }

    private static synchronized String server() {
        if (server == null) server = start();
        return server;
    }

    private static String start() {
        try {
            var process = new ProcessBuilder("hallpass", "lab", "--port", "0")
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
            var lines = process.inputReader();
            for (String line; (line = lines.readLine()) != null;) {
                if (!line.startsWith("hallpass ready ")) continue;
                var reader = new Thread(() -> lines.lines().forEach(each -> {})); // a full pipe would stop the lab
                reader.setDaemon(true);
                reader.start();
                return line.substring("hallpass ready ".length());
            }
            throw new IllegalStateException("hallpass ended before it was ready");
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    private static JsonNode send(String method, String url, Object body) {
        try {
            var request = HttpRequest.newBuilder(URI.create(url)).header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + System.getenv().getOrDefault("HALLPASS_LAB_TOKEN", ""))
                .method(method, body == null ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)));
            var response = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) throw new IllegalStateException(response.body());
            return JSON.readTree(response.body());
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        } catch (InterruptedException cause) {
            throw new IllegalStateException(cause);
        }
    }
}
