import type { UserConfig } from "../../server/config/user_config.ts";
import type { ClientConfig, Config } from "../../server/features.ts";
import { isObject } from "../../server/util/text/json.ts";
import { demoClients } from "../demo/demo_clients.ts";
import { demoScopes } from "../demo/demo_scopes.ts";
import { demoUsers } from "../demo/demo_users.ts";
import { derivedId, type SubjectForm } from "../dialect/identifier_forms.ts";
import type { ClientDefaults, LabServerConfig } from "./lab_config.ts";
import { addScopes } from "./lab_scopes.ts";
import type { withServerScopes } from "./lab_server.ts";

/** The configuration of a server, with its scopes as a server takes them. */
export type ScopedServerConfig = ReturnType<typeof withServerScopes<LabServerConfig>>;

/** The users and clients of a server, and what else a lab changes while it runs. */
export interface ServerEntries {
  users: UserConfig[];
  clients: ClientConfig[];
  scopes?: NonNullable<Config["scopes"]>;
}

/** What a server is created from. Changes make another source, which takes its place. */
export interface ServerSource {
  readonly config: ScopedServerConfig;
  /** What the configuration by itself has. */
  readonly configured: ServerEntries;
  readonly entries: ServerEntries;
}

/** What users and clients of a lab have that do not have their own. */
export interface EntryDefaults {
  client?: ClientDefaults;
  /** The form of `sub`. */
  subjects?: SubjectForm | undefined;
}

/**
 * Creates the source of a server as it is configured. If requests add scopes, the demo clients may
 * ask for them.
 */
export function createSource(config: ScopedServerConfig, addsScopes: boolean): ServerSource {
  const configured = {
    users: config.users ?? demoUsers,
    clients: config.clients ?? demoClientsOf(config, addsScopes),
  };
  return { config, configured, entries: configured };
}

/**
 * Follows another configuration. Users and clients stay if they were changed since the last one.
 */
export function reconfigured(source: ServerSource, next: ServerSource): ServerSource {
  const { scopes: _, ...others } = source.entries;
  return {
    ...next,
    entries: {
      ...others,
      users: (isKept("users", source, next) ? source : next).entries.users,
      clients: (isKept("clients", source, next) ? source : next).entries.clients,
    },
  };
}

/** Whether entries were changed, and the other configuration names the same ones as before. */
function isKept(name: "users" | "clients", source: ServerSource, next: ServerSource): boolean {
  return source.entries[name] !== source.configured[name] &&
    next.config[name] === source.config[name];
}

/** Returns the scopes of the configuration, without those that were added. */
export function configuredScopesIn({ config }: ServerSource): string[] {
  return Object.keys(config.scopes ?? demoScopes);
}

/** Adds scopes that the server does not know. */
export function withScopes(source: ServerSource, names: readonly string[]): ServerSource {
  const { config, entries } = source;
  const { scopes: configured = demoScopes } = config;
  const { scopes: present = configured } = entries;
  const scopes = addScopes({ configured, present }, names);
  return { ...source, entries: { ...entries, scopes } };
}

/** Returns users and clients with the defaults. What is not an object is reported later. */
export function withDefaults<E extends Pick<ServerEntries, "users" | "clients">>(
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

function demoClientsOf(config: ScopedServerConfig, addsScopes: boolean): ClientConfig[] {
  // The server reports an address that is no URL.
  if (!URL.canParse(config.frontChannelUrl ?? config.issuer)) return [];
  return demoClients(config).map(({ scopes, ...client }) =>
    addsScopes ? client : { ...client, ...scopes && { scopes } }
  );
}

/** Returns a client with the defaults. Without a secret or a key, PKCE is all that protects it. */
function clientWithDefaults<C extends ClientConfig>(
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
