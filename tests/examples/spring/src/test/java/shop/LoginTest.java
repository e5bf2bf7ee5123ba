package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class LoginTest {
    @RegisterExtension
    static final HallpassExtension hallpass = new HallpassExtension(Map.of());

    @DynamicPropertySource
    static void properties(DynamicPropertyRegistry registry) {
        registry.add("shop.issuer", hallpass::issuer);
    }

    @LocalServerPort
    int port;

    final HttpClient browser = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NORMAL).cookieHandler(new CookieManager()).build();

    String shop(String path) {
        return "http://localhost:" + port + path;
    }

    /** Only now is the port known. Spring Security 6 uses PKCE only if a client has no secret. */
    @BeforeEach
    void registerTheShop() {
        hallpass.lab("/reset", Map.of());
        hallpass.lab("/sign-in", Map.of("user", "alice"));
        hallpass.lab("PUT", "/clients/shop", Map.of("secret", "a-secret-of-32-letters-and-digits",
            "redirectUris", List.of(shop("/login/oauth2/code/id")), "pkce", "optional"));
    }

    @Test
    void signsAliceIn() throws Exception {
        assertEquals("Hello Alice Adler", open("/").body());
        hallpass.assertClean(Map.of("refused", true));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "callback.wrong_state", "callback.without_state", "callback.denied", "callback.foreign_code",
        "token.without_token_type", "token.wrong_token_type", "token.malformed_json", "token.without_id_token",
        "id_token.wrong_iss", "id_token.wrong_aud", "id_token.wrong_sub", "id_token.wrong_nonce",
        "id_token.without_nonce", "id_token.expired", "id_token.foreign_signature", "id_token.alg_none"})
    void refusesAHostileLogin(String fault) throws Exception {
        hallpass.lab("/faults", Map.of("name", fault, "times", 1));
        assertNotEquals("Hello Alice Adler", open("/").body());
        hallpass.assertNoIdleFaults();
    }

    /** What Spring Security 6.4 does not check. It matters to a client with more than one provider. */
    @ParameterizedTest
    @ValueSource(strings = {
        "callback.wrong_iss", "callback.without_iss", "callback.doubled_iss", "callback.doubled_state",
        "callback.error_and_code"})
    void acceptsAHostileCallback(String fault) throws Exception {
        hallpass.lab("/faults", Map.of("name", fault, "times", 1));
        assertEquals("Hello Alice Adler", open("/").body());
        hallpass.assertNoIdleFaults();
    }

    @Test
    void endsTheSessionOnABackChannelLogout() throws Exception {
        open("/");
        var logoutToken = hallpass.mint(Map.of("sub", "alice", "client", "shop", "kind", "logout"));
        var body = HttpRequest.BodyPublishers.ofString("logout_token=" + logoutToken);
        var logout = HttpRequest.newBuilder(URI.create(shop("/logout/connect/back-channel/id"))).POST(body)
            .header("Content-Type", "application/x-www-form-urlencoded").build();
        hallpass.lab("/sign-in", Map.of("user", "bob"));
        assertEquals("Hello Alice Adler", open("/").body());
        assertEquals(200, browser.send(logout, HttpResponse.BodyHandlers.ofString()).statusCode());
        assertEquals("Hello Bob Baker", open("/").body());
    }

    HttpResponse<String> open(String path) throws Exception {
        return browser.send(HttpRequest.newBuilder(URI.create(shop(path))).build(), HttpResponse.BodyHandlers.ofString());
    }
}
