package shop.before;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import java.util.List;
import java.util.Map;
import no.nav.security.mock.oauth2.MockOAuth2Server;
import no.nav.security.mock.oauth2.token.DefaultOAuth2TokenCallback;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.web.servlet.AutoConfigureMockMvc;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/** What ShopTest was before: the same tests with mock-oauth2-server. */
@SpringBootTest
@AutoConfigureMockMvc
class MockOAuth2ServerTest {
    static final MockOAuth2Server server = new MockOAuth2Server();

    @DynamicPropertySource
    static void properties(DynamicPropertyRegistry registry) {
        server.start();
        registry.add("shop.issuer", () -> server.issuerUrl("shop").toString());
    }

    @AfterAll
    static void stop() {
        server.shutdown();
    }

    @Autowired
    MockMvc mvc;

    ResultActions me(String token) throws Exception {
        return mvc.perform(get("/api/me").header("Authorization", "Bearer " + token));
    }

    String issue(String issuer, long expiresIn) {
        var claims = new DefaultOAuth2TokenCallback(issuer, "alice", "JWT", List.of("api"), Map.of(), expiresIn);
        return server.issueToken(issuer, "web", claims).serialize();
    }

    @Test
    void acceptsATokenOfAlice() throws Exception {
        me(issue("shop", 3600)).andExpect(status().isOk()).andExpect(content().string("alice"));
    }

    @Test
    void rejectsAnExpiredToken() throws Exception {
        me(issue("shop", -300)).andExpect(status().isUnauthorized());
    }

    @Test
    void rejectsATokenOfAnotherIssuer() throws Exception {
        me(issue("other", 3600)).andExpect(status().isUnauthorized());
    }
}
