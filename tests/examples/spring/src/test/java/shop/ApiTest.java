package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** A drill of the API: what it must refuse, and accept. Spring checks the audience only if it is told which. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class ApiTest {
    static final String AUDIENCE = "https://shop.example/api";

    @RegisterExtension
    static final HallpassExtension hallpass = new HallpassExtension(Map.of("accessTokenType", "JWT", "resources", List.of(AUDIENCE)));

    @DynamicPropertySource
    static void properties(DynamicPropertyRegistry registry) {
        registry.add("shop.issuer", hallpass::issuer);
        registry.add("spring.security.oauth2.resourceserver.jwt.audiences", () -> AUDIENCE);
    }

    @LocalServerPort
    int port;

    @Test
    void refusesWhatItMust() {
        Map<String, Object> api = Map.of("request", "http://localhost:" + port + "/api/me", "audience", AUDIENCE);
        Map<String, List<Map<String, Object>>> result = hallpass.lab("/drill", Map.of("api", api));
        assertEquals(List.of(), result.get("findings").stream()
            .filter(each -> each.get("level").equals("violation")).map(each -> each.get("id") + ": " + each.get("received")).toList());
    }
}
