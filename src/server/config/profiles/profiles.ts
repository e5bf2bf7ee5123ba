import { clientAuthenticationMethods } from "../../model/client_config.ts";
import { signingAlgorithms } from "../../model/signing.ts";
import { fapi2 } from "./fapi_2.ts";
import { mcp } from "./mcp.ts";
import type { Profile } from "./profile.ts";

/** The default (OAuth 2.1). It adds nothing: the defaults of the server are strict. */
const oauth21: Profile = {
  name: "oauth-2.1",
  server: {},
  client: {},
  untrustedClient: {},
  untrustedClients: "standard scopes",
  registeredScope: "limit",
  algs: signingAlgorithms,
  authentication: clientAuthenticationMethods,
  serverRules: [],
  clientRules: [],
};

const profiles: readonly Profile[] = [oauth21, fapi2, mcp];

/** The names of the profiles, the default first. */
export const profileNames: readonly string[] = profiles.map(({ name }) => name);

/** Returns the profile with a name, or the default one. */
export function profileOf(name: unknown): Profile {
  return profiles.find((profile) => profile.name === name) ?? oauth21;
}
