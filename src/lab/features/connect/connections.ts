import type { EndpointField } from "../../../server/model/server_metadata.ts";

/** How an application that uses a library is connected to a lab. */
export interface LibraryConnection {
  library: string;
  /** Where the text goes. */
  file: string;
  /**
   * The lines, with `{issuer}`, `{host}`, `{client}` and `{secret}`, and names of endpoints. Those
   * of an application in a browser have no secret.
   */
  text: string;
  /** Whether it is for a lab without metadata, such as that of a provider that has none. */
  isWithoutMetadata?: boolean;
  /** The redirect URI that the library uses by itself, where its own guide runs the application. */
  redirectUri?: string;
  /** What else there is to do. */
  note?: string;
  /** The documentation that the lines follow. */
  source?: string;
}

/** The endpoints that some lines name, because their library reads no metadata. */
export const namedEndpoints: readonly EndpointField[] = [
  "authorization_endpoint",
  "token_endpoint",
  "userinfo_endpoint",
  "jwks_uri",
];

/** The libraries that most applications sign their users in with. */
export const connections: readonly LibraryConnection[] = [
  {
    library: "Environment variables",
    file: ".env",
    text: `ISSUER={issuer}
CLIENT_ID={client}
CLIENT_SECRET={secret}`,
  },
  {
    library: "Environment variables",
    file: ".env",
    text: `AUTHORIZATION_URL={authorization_endpoint}
TOKEN_URL={token_endpoint}
CLIENT_ID={client}
CLIENT_SECRET={secret}`,
    isWithoutMetadata: true,
  },
  {
    library: "Auth.js",
    file: "auth.ts",
    text: `providers: [{
  id: "hallpass",
  name: "Hallpass",
  type: "oidc",
  issuer: "{issuer}",
  clientId: "{client}",
  clientSecret: "{secret}",
  checks: ["pkce", "state", "nonce"],
}],`,
    redirectUri: "http://localhost:3000/api/auth/callback/hallpass",
    source: "https://authjs.dev/guides/configuring-oauth-providers",
  },
  {
    library: "openid-client",
    file: "auth.js",
    text: `const config = await client.discovery(
  new URL("{issuer}"), "{client}", "{secret}", undefined,
  { execute: [client.allowInsecureRequests] }, // only for http
);`,
    redirectUri: "http://localhost:3000/callback",
    note: "With import * as client from 'openid-client'.",
    source: "https://github.com/panva/openid-client#readme",
  },
  {
    library: "Passport",
    file: "auth.js",
    text: `const config = await discovery(new URL("{issuer}"), "{client}", "{secret}", undefined, {
  execute: [allowInsecureRequests], // only for http
});
const callbackURL = "http://localhost:3000/callback";
const options = { config, callbackURL, scope: "openid profile email" };
passport.use("hallpass", new Strategy(options, (tokens, done) => done(null, tokens.claims())));`,
    redirectUri: "http://localhost:3000/callback",
    note: "With 'openid-client' and the Strategy of 'openid-client/passport'.",
    source: "https://github.com/panva/openid-client#readme",
  },
  {
    library: "Spring Boot",
    file: "application.properties",
    text: `spring.security.oauth2.client.provider.hallpass.issuer-uri={issuer}
spring.security.oauth2.client.registration.hallpass.client-id={client}
spring.security.oauth2.client.registration.hallpass.client-secret={secret}
spring.security.oauth2.client.registration.hallpass.scope=openid,profile,email`,
    redirectUri: "http://localhost:8080/login/oauth2/code/hallpass",
    note: "Before Spring Security 7, a client with a secret sends a code_challenge only if its " +
      "settings require a proof key.",
    source: "https://docs.spring.io/spring-security/reference/servlet/oauth2/login/core.html",
  },
  {
    library: "ASP.NET Core",
    file: "appsettings.json",
    text: `"Authentication": {
  "Schemes": {
    "OpenIdConnect": {
      "Authority": "{issuer}",
      "ClientId": "{client}",
      "ClientSecret": "{secret}",
      "ResponseType": "code",
      "RequireHttpsMetadata": false
    }
  }
}`,
    redirectUri: "https://localhost:5001/signin-oidc",
    note: "AddOpenIdConnect() reads them since .NET 8. The port is in launchSettings.json.",
    source:
      "https://learn.microsoft.com/aspnet/core/security/authentication/configure-oidc-web-authentication",
  },
  {
    library: "Rails (OmniAuth)",
    file: "config/initializers/omniauth.rb",
    text: `SWD.url_builder = URI::HTTP # only for http
Rails.application.config.middleware.use OmniAuth::Builder do
  provider :openid_connect,
    name: :hallpass,
    issuer: "{issuer}",
    discovery: true,
    pkce: true,
    scope: [:openid, :profile, :email],
    client_options: {
      identifier: "{client}",
      secret: "{secret}",
      redirect_uri: "http://localhost:3000/auth/hallpass/callback",
    }
end`,
    redirectUri: "http://localhost:3000/auth/hallpass/callback",
    source: "https://github.com/omniauth/omniauth_openid_connect#readme",
  },
  {
    library: "Django",
    file: "settings.py",
    text: `OIDC_RP_CLIENT_ID = "{client}"
OIDC_RP_CLIENT_SECRET = "{secret}"
OIDC_RP_SIGN_ALGO = "RS256"
OIDC_USE_PKCE = True
OIDC_OP_AUTHORIZATION_ENDPOINT = "{authorization_endpoint}"
OIDC_OP_TOKEN_ENDPOINT = "{token_endpoint}"
OIDC_OP_USER_ENDPOINT = "{userinfo_endpoint}"
OIDC_OP_JWKS_ENDPOINT = "{jwks_uri}"`,
    redirectUri: "http://localhost:8000/oidc/callback/",
    source: "https://mozilla-django-oidc.readthedocs.io/en/stable/installation.html",
  },
  {
    library: "MSAL",
    file: "auth.ts",
    text: `const app = new PublicClientApplication({
  auth: {
    clientId: "{client}",
    authority: "{issuer}",
    knownAuthorities: ["{host}"],
    redirectUri: "http://localhost:3000/",
  },
  system: { protocolMode: ProtocolMode.OIDC },
});`,
    redirectUri: "http://localhost:3000/",
    note: "MSAL accepts no authority with http: start the lab with --tls.",
    source: "https://github.com/AzureAD/microsoft-authentication-library-for-js/tree/dev/lib/" +
      "msal-browser/docs",
  },
  {
    library: "oidc-client-ts",
    file: "auth.ts",
    text: `const users = new UserManager({
  authority: "{issuer}",
  client_id: "{client}",
  redirect_uri: "http://localhost:5173/callback",
  scope: "openid profile email",
});`,
    redirectUri: "http://localhost:5173/callback",
    note: "For an application in a browser.",
    source: "https://authts.github.io/oidc-client-ts/",
  },
  {
    library: "Supabase",
    file: "create_provider.ts",
    text: `await supabase.auth.admin.customProviders.createProvider({
  provider_type: "oidc",
  identifier: "custom:hallpass",
  name: "Hallpass",
  issuer: "{issuer}",
  client_id: "{client}",
  client_secret: "{secret}",
});`,
    redirectUri: "http://localhost:54321/auth/v1/callback",
    note: "Run this once, with the secret key of the project. Supabase fetches the metadata from " +
      "its own container, which must reach the issuer by the same address.",
    source: "https://supabase.com/docs/guides/auth/custom-oauth-providers",
  },
];
