import type { Config } from "../../config/config.ts";
import type { ClientConfig } from "../../model/client_config.ts";
import { deviceCodeGrant, jwtBearerGrant, tokenExchangeGrant } from "../../protocol/grant_types.ts";
import { issuerUrl } from "../../protocol/issuer_url.ts";
import { demoPublicKey } from "./demo_key.ts";
import { demoFapiClients } from "./fapi_clients.ts";

/** The settings that the demo clients depend on. */
export interface DemoConfig extends Pick<Config, "issuer" | "frontChannelUrl" | "profile"> {
  /** Additional redirect URIs. */
  redirectUris?: readonly string[] | undefined;
}

/**
 * Returns one client of every kind that the profile allows. They differ in how they authenticate.
 */
export function demoClients(
  { issuer, frontChannelUrl = issuer, redirectUris = [], profile }: DemoConfig,
): ClientConfig[] {
  if (profile === "fapi-2.0") return demoFapiClients(frontChannelUrl, redirectUris);
  const authorized = issuerUrl(frontChannelUrl, "/authorized");
  const postLogoutRedirectUris = [issuerUrl(frontChannelUrl, "/"), ...homesOf(redirectUris)];
  return [
    {
      id: "demo-spa",
      name: "Demo single-page app",
      redirectUris: [authorized, ...redirectUris],
      postLogoutRedirectUris,
      defaultScope: ["read"],
    },
    {
      id: "demo-web",
      name: "Demo web app",
      secret: "demo-web-secret",
      redirectUris: [authorized, ...redirectUris],
      postLogoutRedirectUris,
      defaultScope: ["read"],
    },
    {
      id: "demo-cli",
      name: "Demo command line",
      native: true,
      grantTypes: ["authorization_code", "refresh_token", deviceCodeGrant],
      redirectUris: [
        "http://127.0.0.1/callback",
        "http://[::1]/callback",
        "http://localhost/callback",
        ...redirectUris,
      ],
      postLogoutRedirectUris,
      defaultScope: ["read"],
    },
    {
      id: "demo-jwt",
      name: "Demo service with a key",
      jwks: { keys: [demoPublicKey] },
      scopes: ["read", "write"],
      defaultScope: ["read"],
    },
    {
      id: "demo-service",
      name: "Demo service",
      secret: "demo-service-secret",
      scopes: ["read", "write"],
      defaultScope: ["read"],
      introspect: "any",
      // It is the API for tokens without a resource, and may call another one.
      resources: [issuer],
      grantTypes: ["client_credentials", tokenExchangeGrant, jwtBearerGrant],
      tokenExchange: { audiences: ["https://api.example"], impersonation: true, delegation: true },
    },
  ];
}

/** Returns where an application may go after a sign-out: to the root of its origin. */
function homesOf(redirectUris: readonly string[]): string[] {
  return [
    ...new Set(
      redirectUris.filter((uri) => /^https?:/i.test(uri)).map((uri) => `${new URL(uri).origin}/`),
    ),
  ];
}
