import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A login, tested against Hallpass over HTTP, with JUnit and the standard library. */
class LoginTest {
    static final String CALLBACK = "https://shop.example/callback";
    static final String LAB = "Bearer " + System.getenv().getOrDefault("HALLPASS_LAB_TOKEN", "");
    static String server = System.getenv("HALLPASS_URL");
    static Process process;

    /** Starts a lab for these tests, unless one is already running. */
    @BeforeAll
    static void start() throws Exception {
        if (server != null) return;
        process = new ProcessBuilder("hallpass", "lab", "--port", "0").redirectError(ProcessBuilder.Redirect.INHERIT).start();
        var lines = process.inputReader();
        for (String line; server == null && (line = lines.readLine()) != null;) {
            if (line.startsWith("hallpass ready ")) server = line.substring("hallpass ready ".length());
        }
        new Thread(() -> lines.lines().forEach(line -> {})).start(); // a full pipe would stop the server
    }

    @AfterAll
    static void stop() {
        if (process != null) process.destroy();
    }

    /** HTTP/1.1, because not every server accepts the upgrade to HTTP/2 with a body, which is the default. */
    static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    static HttpResponse<String> send(String url, String authorization, String type, String body) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(url)).header("Authorization", authorization).header("Content-Type", type)
            .header("Accept", "text/plain");
        if (body != null) request.POST(HttpRequest.BodyPublishers.ofString(body));
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    static String lab(String url, String json) throws Exception {
        return send(url, LAB, "application/json", json).body();
    }

    /** Reads a string from JSON, or a parameter from a URL. */
    static String read(String name, String text) {
        var found = Pattern.compile("\"%1$s\":\\s*\"([^\"]*)\"|[?&]%1$s=([^&\"]*)".formatted(name)).matcher(text);
        assertTrue(found.find(), name + " is missing in " + text);
        return found.group(1) != null ? found.group(1) : found.group(2);
    }

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Does what the application under test does; the lab plays the browser and the user. */
    static HttpResponse<String> logIn(String issuer) throws Exception {
        String state = UUID.randomUUID().toString(), verifier = state + UUID.randomUUID();
        var hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes());
        var url = issuer + "/oauth2/authorize?response_type=code&client_id=shop&scope=openid&code_challenge_method=S256&state=" + state
            + "&code_challenge=" + Base64.getUrlEncoder().withoutPadding().encodeToString(hash) + "&redirect_uri=" + encode(CALLBACK);
        var callback = read("callback", lab(issuer + "/lab/authorize", "{\"user\": \"alice\", \"url\": \"" + url + "\"}"));
        assertEquals(state + " " + encode(issuer), read("state", callback) + " " + read("iss", callback));
        var basic = "Basic " + Base64.getEncoder().encodeToString("shop:s3cret".getBytes());
        return send(issuer + "/oauth2/token", basic, "application/x-www-form-urlencoded", "grant_type=authorization_code&code="
            + read("code", callback) + "&code_verifier=" + verifier + "&redirect_uri=" + encode(CALLBACK));
    }

    @Test
    void logsInUntilTheTokenExpires() throws Exception {
        var shop = "{\"id\": \"shop\", \"secret\": \"s3cret\", \"redirectUris\": [\"%s\"]}".formatted(CALLBACK);
        var issuer = read("issuer", lab(server + "/lab/tenants", "{\"clients\": [" + shop + "]}")); // for this test alone
        lab(issuer + "/lab/faults", "{\"name\": \"token.server_error\", \"times\": 1}");
        assertEquals(500, logIn(issuer).statusCode());
        var bearer = "Bearer " + read("access_token", logIn(issuer).body());
        assertEquals("alice", read("sub", send(issuer + "/oauth2/userinfo", bearer, "", null).body()));
        lab(issuer + "/lab/clock", "{\"advance\": \"2h\"}");
        assertEquals(401, send(issuer + "/oauth2/userinfo", bearer, "", null).statusCode());
        // Accept: text/plain asks for the rule, the request, the fix and a diagram.
        var clean = send(issuer + "/lab/assert-clean", LAB, "application/json", "{}");
        assertEquals(200, clean.statusCode(), clean.body());
    }
}
