package corpus;

import static org.springframework.security.config.Customizer.withDefaults;

import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.client.oidc.web.logout.OidcClientInitiatedLogoutSuccessHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.HtmlUtils;

/**
 * Spring Boot 3.5.7, by the reference of Spring Security: "OAuth 2.0 Login", "OpenID Connect 1.0
 * Client-Initiated Logout", "OIDC Back-Channel Logout" and "OAuth 2.0 Resource Server JWT".
 */
@SpringBootApplication
@RestController
public class Corpus {
  public static void main(String[] args) {
    String base = System.getenv("BASE_URL");
    String client = "spring.security.oauth2.client.registration.lab.";
    String resource = "spring.security.oauth2.resourceserver.jwt.";
    SpringApplication application = new SpringApplication(Corpus.class);
    application.setDefaultProperties(Map.of(
        "server.port", System.getenv("PORT"),
        "server.address", "localhost",
        client + "client-id", System.getenv("CLIENT_ID"),
        client + "client-secret", System.getenv("CLIENT_SECRET"),
        client + "scope", "openid,profile,email",
        client + "redirect-uri", base + "/login/oauth2/code/lab",
        "spring.security.oauth2.client.provider.lab.issuer-uri", System.getenv("ISSUER"),
        resource + "issuer-uri", System.getenv("ISSUER"),
        resource + "audiences", System.getenv().getOrDefault("AUDIENCE", base)));
    application.run(args);
  }

  @Bean
  @Order(1)
  SecurityFilterChain api(HttpSecurity http) throws Exception {
    return http.securityMatcher("/orders")
        .authorizeHttpRequests(requests -> requests.anyRequest().hasAuthority("SCOPE_read"))
        .oauth2ResourceServer(server -> server.jwt(withDefaults()))
        .build();
  }

  @Bean
  SecurityFilterChain pages(HttpSecurity http, ClientRegistrationRepository clients) throws Exception {
    var atServer = new OidcClientInitiatedLogoutSuccessHandler(clients);
    atServer.setPostLogoutRedirectUri("{baseUrl}/");
    return http
        .authorizeHttpRequests(requests -> requests
            .requestMatchers("/", "/error").permitAll()
            .anyRequest().authenticated())
        .oauth2Login(withDefaults())
        .logout(logout -> logout.logoutSuccessHandler(atServer))
        .oidcLogout(logout -> logout.backChannel(withDefaults()))
        .build();
  }

  @GetMapping("/")
  String home() {
    return "<a href='/account'>Sign in</a>";
  }

  @GetMapping("/account")
  String account(@AuthenticationPrincipal OidcUser user, CsrfToken csrf) {
    return "Hello " + HtmlUtils.htmlEscape(user.getFullName())
        + "<pre>" + HtmlUtils.htmlEscape(user.getClaims().toString()) + "</pre>"
        + "<form method='post' action='/logout'><input type='hidden' name='" + csrf.getParameterName()
        + "' value='" + csrf.getToken() + "'><button>Sign out</button></form>";
  }

  @GetMapping("/orders")
  Map<String, String> orders(@AuthenticationPrincipal Jwt jwt) {
    return Map.of("ordersOf", jwt.getSubject());
  }
}
