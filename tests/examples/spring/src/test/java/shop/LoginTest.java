package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
        hallpass.lab("/sign-in", Map.of("user", "alice"));
        hallpass.lab("PUT", "/clients/shop", Map.of("secret", "a-secret-of-32-letters-and-digits",
            "redirectUris", List.of(shop("/login/oauth2/code/id")), "pkce", "optional"));
    }

    @Test
    void signsAliceIn() throws Exception {
        assertEquals("Hello Alice Adler", open("/").body());
        hallpass.assertClean();
    }

    @Test
    void refusesAnIdTokenWithAWrongNonce() throws Exception {
        hallpass.lab("/faults", Map.of("name", "id_token.wrong_nonce", "times", 1));
        assertEquals("/login", open("/").uri().getPath());
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
