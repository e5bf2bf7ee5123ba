import { clientAuthenticationMethods } from "../../model/client.ts";
import { signingAlgorithms } from "../../model/signing.ts";
import { fapi2 } from "./fapi_2.ts";
import { mcp } from "./mcp.ts";
import type { Profile } from "./profile.ts";

/** What everybody gets (OAuth 2.1): the defaults are strict already. */
const oauth21: Profile = {
  name: "oauth-2.1",
  server: {},
  client: {},
  untrustedClient: {},
  untrustedClients: "standard scopes",
  algs: signingAlgorithms,
  authentication: clientAuthenticationMethods,
  serverRules: [],
  clientRules: [],
};

const profiles: readonly Profile[] = [oauth21, fapi2, mcp];

export const profileNames: readonly string[] = profiles.map(({ name }) => name);

/** The profile of a configuration; the usual one, where it names none. */
export function profileOf(name: unknown): Profile {
  return profiles.find((profile) => profile.name === name) ?? oauth21;
}
