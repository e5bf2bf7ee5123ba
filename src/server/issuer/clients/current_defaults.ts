import { clientWithoutSecrets, defaultPkce, scopesAboutUser } from "../../config/make_client.ts";
import { type Settings, trustedOffer } from "../../config/settings.ts";
import { type Client, describesItself, withIdentityOf } from "../../model/client.ts";

/**
 * Returns a stored client; if an operator stored it, with the defaults that the server has now where
 * it was given nothing. Its secrets, and how it may authenticate, are always its own: without them,
 * it would become public. What opens an API must be given, so no client gains it.
 */
export function withCurrentDefaults(settings: Settings, stored: Client): Client {
  if (describesItself(stored)) return stored;
  const offer = trustedOffer(settings);
  const { givenSettings, authentication, authorizationDetailsTypes, secrets } = stored;
  if (givenSettings === undefined || !followsServer(settings, stored)) {
    const { pkce = defaultPkce(stored, offer) } = stored;
    return { ...stored, pkce };
  }
  const own = { authentication, scopes: scopesOf(settings, stored), authorizationDetailsTypes };
  const made = clientWithoutSecrets({ ...givenSettings, ...own }, offer);
  return withIdentityOf(stored, { ...made, secrets, givenSettings });
}

/** Whether the defaults of a client are those of the server, and not those of its row. */
function followsServer({ hardened }: Settings, { grantTypes }: Client): boolean {
  return !hardened && !grantTypes.includes("client_credentials");
}

/** Returns the scopes of a client, with those about the user that the server gained since. */
function scopesOf(settings: Settings, { givenSettings, scopes }: Client): string[] {
  return givenSettings?.scopes ?? [...new Set([...scopes, ...scopesAboutUser(settings)])];
}
