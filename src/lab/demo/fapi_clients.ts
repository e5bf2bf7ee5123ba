import type { ClientConfig } from "../../server/features.ts";
import { cibaGrantType } from "../../server/protocol/grant_types.ts";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import { demoPublicKey } from "./demo_keys.ts";

/** Returns the demo clients for the profile fapi-2.0, which authenticate with the demo key. */
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
      // The profile allows http for clients on the user's machine only, where this lab runs.
      native: uris.some((uri) => uri.startsWith("http:")),
      redirectUris: uris,
      defaultScope: ["read"],
    },
    {
      id: "demo-agent",
      name: "Demo agent with a key",
      jwks,
      grantTypes: ["refresh_token", cibaGrantType],
      defaultScope: ["openid", "read"],
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
