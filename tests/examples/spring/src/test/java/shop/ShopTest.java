package shop;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.web.servlet.AutoConfigureMockMvc;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

@SpringBootTest
@AutoConfigureMockMvc
class ShopTest {
    /** Spring's decoder accepts the type JWT only, unless the application changes it. */
    @RegisterExtension
    static final HallpassExtension hallpass = new HallpassExtension(Map.of("accessTokenType", "JWT"));

    @DynamicPropertySource
    static void properties(DynamicPropertyRegistry registry) {
        registry.add("shop.issuer", hallpass::issuer);
    }

    @Autowired
    MockMvc mvc;

    ResultActions me(String token) throws Exception {
        return mvc.perform(get("/api/me").header("Authorization", "Bearer " + token));
    }

    @Test
    void acceptsATokenOfAlice() throws Exception {
        me(hallpass.mint(Map.of("sub", "alice"))).andExpect(status().isOk()).andExpect(content().string("alice"));
    }

    @Test
    void rejectsAnExpiredToken() throws Exception {
        me(hallpass.mint(Map.of("sub", "alice", "expiresIn", "-5m"))).andExpect(status().isUnauthorized());
    }

    @Test
    void rejectsATokenOfAnotherIssuer() throws Exception {
        var other = new HallpassExtension(Map.of("accessTokenType", "JWT"));
        me(other.mint(Map.of("sub", "alice"))).andExpect(status().isUnauthorized());
    }
}
