import type { UserConfig } from "../../server/config/user_config.ts";
import type { ClientConfig } from "../../server/features.ts";
import { isObject } from "../../server/util/text/json.ts";
import { derivedId } from "../dialect/derived_id.ts";
import type { SubjectForm } from "../dialect/identifier_settings.ts";
import type { ClientDefaults } from "./lab_config.ts";

/** What users and clients of a lab have that do not have their own. */
export interface EntryDefaults {
  client?: ClientDefaults;
  /** The form of `sub`. */
  subjects?: SubjectForm | undefined;
}

interface Entries {
  users: UserConfig[];
  clients: ClientConfig[];
}

/** Returns users and clients with the defaults. One that is not an object stays as it is, and is reported later. */
export function withDefaults<E extends Entries>(
  entries: E,
  { client = {}, subjects }: EntryDefaults,
): E {
  const { users, clients } = entries;
  return {
    ...entries,
    clients: Object.keys(client).length === 0
      ? clients
      : clients.map((each) => isObject(each) ? clientWithDefaults(each, client) : each),
    users: subjects
      ? users.map((each) =>
        isObject(each) ? { sub: derivedId(each.name, subjects), ...each } : each
      )
      : users,
  };
}

/** Returns a client with the defaults. Without a secret or a key, PKCE is all that protects it. */
export function clientWithDefaults<C extends ClientConfig>(
  client: C,
  { pkce, subjectType, ...defaults }: ClientDefaults,
): C {
  const authenticates = [client.secret, client.jwks, client.jwksUri].some((each) =>
    each !== undefined
  );
  return {
    ...defaults,
    ...pkce && authenticates && { pkce },
    ...subjectType && hasSector(client) && { subjectType },
    ...client,
  };
}

/**
 * Pairwise subjects depend on the one host of the redirect URIs (OpenID Connect Core, section 8.1).
 */
function hasSector({ redirectUris = [], sectorIdentifierUri }: ClientConfig): boolean {
  const hosts = redirectUris.map((uri) => URL.canParse(uri) ? new URL(uri).host : uri);
  return sectorIdentifierUri !== undefined || new Set(hosts).size === 1;
}
