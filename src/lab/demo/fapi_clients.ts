import type { ClientConfig } from "../../model/client_config.ts";
import { issuerUrl } from "../../protocol/issuer_url.ts";
import { demoPublicKey } from "./demo_key.ts";

/** The demo clients that fit the profile fapi-2.0: both have the demo key, and nothing else. */
export function demoFapiClients(
  frontChannelUrl: string,
  redirectUris: readonly string[],
): ClientConfig[] {
  const uris = [issuerUrl(frontChannelUrl, "/authorized"), ...redirectUris];
  const jwks = { keys: [demoPublicKey] };
  return [
    {
      id: "demo-web",
      name: "Demo web app with a key",
      jwks,
      // The profile has http for those alone who listen on their user's machine, as this lab does.
      native: uris.some((uri) => uri.startsWith("http:")),
      redirectUris: uris,
      postLogoutRedirectUris: [issuerUrl(frontChannelUrl, "/")],
      defaultScope: ["read"],
    },
    {
      id: "demo-jwt",
      name: "Demo service with a key",
      jwks,
      scopes: ["read", "write"],
      defaultScope: ["read"],
    },
  ];
}
