package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.security.config.oauth2.client.CommonOAuth2Provider;
import org.springframework.security.oauth2.client.authentication.OAuth2LoginAuthenticationProvider;
import org.springframework.security.oauth2.client.authentication.OAuth2LoginAuthenticationToken;
import org.springframework.security.oauth2.client.endpoint.DefaultAuthorizationCodeTokenResponseClient;
import org.springframework.security.oauth2.client.oidc.authentication.OidcAuthorizationCodeAuthenticationProvider;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserService;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrations;
import org.springframework.security.oauth2.client.userinfo.DefaultOAuth2UserService;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationExchange;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationResponse;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.oauth2.core.user.OAuth2User;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;

/** The providers that Spring Security knows by name, at the lab: only their hosts are others. */
class ProvidersTest {
    static final String CALLBACK = "https://shop.example/login/oauth2/code/id";
    static final Map<String, Object> SHOP = Map.of("id", "shop", "secret", "a-secret-of-32-letters-and-digits",
        "redirectUris", List.of(CALLBACK));

    @RegisterExtension
    static final HallpassExtension google = provider("google");
    @RegisterExtension
    static final HallpassExtension github = provider("github");
    @RegisterExtension
    static final HallpassExtension okta = provider("okta");

    static HallpassExtension provider(String name) {
        return new HallpassExtension(Map.of("provider", name, "signIn", "alice", "clients", List.of(SHOP)));
    }

    static ClientRegistration.Builder complete(ClientRegistration.Builder client) {
        return client.clientId("shop").clientSecret("a-secret-of-32-letters-and-digits").redirectUri(CALLBACK);
    }

    /** Spring's own registration, with the lab in place of each host. */
    static ClientRegistration at(HallpassExtension lab, CommonOAuth2Provider common) {
        var client = complete(common.getBuilder("id")).build();
        var provider = client.getProviderDetails();
        return ClientRegistration.withClientRegistration(client)
            .authorizationUri(moved(provider.getAuthorizationUri(), lab))
            .tokenUri(moved(provider.getTokenUri(), lab))
            .userInfoUri(moved(provider.getUserInfoEndpoint().getUri(), lab))
            .jwkSetUri(moved(provider.getJwkSetUri(), lab))
            .issuerUri(moved(provider.getIssuerUri(), lab)).build();
    }

    static String moved(String uri, HallpassExtension lab) {
        return uri == null ? null : uri.replaceFirst("https://[^/]+", lab.issuer());
    }

    @Test
    void signsInAtGoogle() throws Exception {
        OidcUser user = (OidcUser) logIn(at(google, CommonOAuth2Provider.GOOGLE));
        assertEquals("alice@example.com", user.getEmail());
        assertEquals(google.issuer(), user.getIdToken().getIssuer().toString());
    }

    @Test
    void signsInAtGitHub() throws Exception {
        OAuth2User user = logIn(at(github, CommonOAuth2Provider.GITHUB));
        assertEquals("alice", user.getAttribute("login"));
    }

    /** Spring knows no host of Okta: applications name their issuer. */
    @Test
    void signsInAtOkta() throws Exception {
        var discovered = complete(ClientRegistrations.fromIssuerLocation(okta.issuer())).build().getProviderDetails();
        var client = complete(CommonOAuth2Provider.OKTA.getBuilder("id"))
            .authorizationUri(discovered.getAuthorizationUri()).tokenUri(discovered.getTokenUri())
            .userInfoUri(discovered.getUserInfoEndpoint().getUri()).jwkSetUri(discovered.getJwkSetUri())
            .issuerUri(okta.issuer()).build();
        assertEquals("Alice Adler", ((OidcUser) logIn(client)).getFullName());
    }

    @Test
    void refusesAnIdTokenOfAnotherIssuer() {
        google.lab("/faults", Map.of("name", "id_token.wrong_iss", "times", 1));
        var error = assertThrows(OAuth2AuthenticationException.class,
            () -> logIn(at(google, CommonOAuth2Provider.GOOGLE)));
        assertEquals("invalid_id_token", error.getError().getErrorCode());
    }

    /** Does what Spring does with a callback: exchanges the code, verifies the ID token, loads the user. */
    @SuppressWarnings({"deprecation", "removal"}) // what Spring Security 6.4 uses by default
    static OAuth2User logIn(ClientRegistration client) throws Exception {
        var request = OAuth2AuthorizationRequest.authorizationCode().clientId(client.getClientId())
            .authorizationUri(client.getProviderDetails().getAuthorizationUri()).redirectUri(CALLBACK)
            .scopes(client.getScopes()).state("a-state").attributes(all -> all.put("registration_id", "id")).build();
        var exchange = new OAuth2AuthorizationExchange(request, responseTo(request));
        var tokens = new DefaultAuthorizationCodeTokenResponseClient();
        var isOpenId = client.getScopes().contains("openid");
        var provider = isOpenId ? new OidcAuthorizationCodeAuthenticationProvider(tokens, new OidcUserService())
            : new OAuth2LoginAuthenticationProvider(tokens, new DefaultOAuth2UserService());
        var result = provider.authenticate(new OAuth2LoginAuthenticationToken(client, exchange));
        return ((OAuth2LoginAuthenticationToken) result).getPrincipal();
    }

    static OAuth2AuthorizationResponse responseTo(OAuth2AuthorizationRequest request) throws Exception {
        var opened = HttpRequest.newBuilder(URI.create(request.getAuthorizationRequestUri())).build();
        var browser = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        var response = browser.send(opened, HttpResponse.BodyHandlers.discarding());
        var arrived = UriComponentsBuilder.fromUriString(response.headers().firstValue("Location").orElseThrow()).build();
        var code = UriUtils.decode(arrived.getQueryParams().getFirst("code"), StandardCharsets.UTF_8);
        return OAuth2AuthorizationResponse.success(code).redirectUri(CALLBACK).state("a-state").build();
    }
}
