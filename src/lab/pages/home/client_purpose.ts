import { authenticationOf, grantTypesOf } from "../../../server/config/make_client.ts";
import type { ClientConfig } from "../../../server/features.ts";
import { deviceCodeGrantType } from "../../../server/protocol/grant_types.ts";

/** Describes what a client is for, and how it proves who it is. */
export function purposeOf(client: ClientConfig): string {
  const hasUsers = (client.redirectUris ?? []).length > 0;
  if (client.native) return nativePurpose(client);
  const [method] = authenticationOf(client);
  if (method === "none") {
    return hasUsers
      ? "A single-page app: public, so it relies on PKCE alone."
      : "A device without a browser: public, its user signs in on another one.";
  }
  const proof = method === "private_key_jwt"
    ? "It signs assertions with its own key (private_key_jwt)."
    : "It has a secret.";
  return hasUsers
    ? `A web app on a server. ${proof}`
    : `A service that acts for itself, without a user. ${proof}`;
}

function nativePurpose(client: ClientConfig): string {
  const device = grantTypesOf(client).includes(deviceCodeGrantType)
    ? " Also for devices without a browser."
    : "";
  return `An app on the user's machine: public, with loopback redirect URIs on any port.${device}`;
}
