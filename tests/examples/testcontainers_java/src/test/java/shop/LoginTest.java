package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Our CI has no Docker. It compiles this test, and runs HallpassContainer with the binary. */
class LoginTest {
    static final HallpassContainer lab = new HallpassContainer("hallpass", 9000, """
        {
          "clients": [{ "id": "shop", "redirectUris": ["http://localhost:3000/callback"] }],
          "signIn": "alice"
        }""");

    @BeforeAll
    static void start() {
        lab.start();
    }

    @AfterAll
    static void stop() {
        lab.stop();
    }

    @Test
    void startsAtTheAddressThatItsMetadataNames() throws Exception {
        var url = URI.create(lab.issuer() + "/.well-known/openid-configuration");
        var response = HttpClient.newHttpClient().send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.ofString());
        assertEquals(200, response.statusCode());
        assertTrue(response.body().contains("\"issuer\":\"" + lab.issuer() + "\""));
    }
}
