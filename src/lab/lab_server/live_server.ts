import { checkShape } from "../../server/config/check_shape.ts";
import type { UserConfig } from "../../server/config/user_config.ts";
import { type ClientConfig, type Config, configSchema } from "../../server/features.ts";
import type { InternalServer } from "../../server/server.ts";
import { isObject } from "../../server/util/text/json.ts";
import { demoClients } from "../demo/demo_clients.ts";
import { demoScopes } from "../demo/demo_scopes.ts";
import { demoUsers } from "../demo/demo_users.ts";
import { derivedId, type SubjectForm } from "../dialect/identifier_forms.ts";
import type { ClientDefaults, LabServerConfig } from "./core_lab_config.ts";
import {
  additionsOf,
  createShapedServer,
  type LabHooks,
  type ServerDefaults,
} from "./create_server.ts";
import { createDirectory } from "./directory.ts";
import { addScopes, withServerScopes } from "./lab_scopes.ts";
import type { RestorableStore, StoredRowAt } from "./restorable_store.ts";

/** Kinds of rows that survive a reset: clients keep using the keys that they have fetched. */
const permanentKinds = ["key", "secret"];

/** What a server is created from. A change makes another source, and then another server. */
interface Source {
  readonly config: Config;
  readonly users: readonly UserConfig[];
  readonly clients: readonly ClientConfig[];
  /** Which of these a test changed: they stay when the configuration changes. */
  readonly changed: ReadonlySet<"users" | "clients">;
  /** The scopes of the configuration, with those that requests added. */
  readonly scopes?: NonNullable<Config["scopes"]>;
}

/** What a server knew and had stored at some time. */
export type ServerSnapshot = Omit<Source, "scopes"> & { rows: readonly StoredRowAt[] };

/**
 * A server that is replaced when its configuration changes. What it wrote stays in the store.
 *
 * The users and clients are those of a configuration, not rows: tests change them in one step,
 * without waiting, and metadata, callbacks and claims follow. To change one, only that one is
 * checked, and the server stays.
 */
export type LiveServer = ReturnType<typeof createLiveServer>;

/** Creates the server of a lab. A change that the server rejects changes nothing. */
export function createLiveServer({ hooks, features, ...given }: LabServerConfig & {
  store: RestorableStore;
  hooks: LabHooks;
  features: readonly ServerDefaults[];
  /** What clients have that do not have their own settings. */
  clientDefaults?: ClientDefaults;
  /** The form of `sub`. */
  subjects?: SubjectForm | undefined;
}) {
  const { store, now, randomBytes, onEvent, clientDefaults = {}, subjects, ...first } = given;
  /** What a lab never changes. */
  const fixed = {
    store,
    ...now && { now },
    ...randomBytes && { randomBytes },
    ...onEvent && { onEvent },
  };
  const complete = completerOf(clientDefaults, subjects);
  let start = sourceOf(first);
  let source = start;
  let server = serverOf(source);
  let resetting: Promise<void> = Promise.resolve();

  function sourceOf(given: LabServerConfig): Source {
    const { redirectUris, ...config } = withServerScopes({ ...given, ...fixed });
    // The demo clients, and what features fill in, are computed from values of the right type.
    checkShape(config, configSchema);
    const { users = demoUsers, clients = demoClientsOf(config, redirectUris) } = config;
    return { config, users, clients, changed: new Set() };
  }

  /** Where requests add scopes, the demo clients may ask for any. */
  function demoClientsOf(config: Config, redirectUris: LabServerConfig["redirectUris"]) {
    // The server reports an address that is no URL.
    if (!URL.canParse(config.frontChannelUrl ?? config.issuer)) return [];
    return demoClients({ redirectUris, ...config }, additionsOf(features))
      .map(({ scopes, ...client }) =>
        hooks.admits?.scope ? client : { ...client, ...scopes && { scopes } }
      );
  }

  function serverOf({ config, users, clients, scopes }: Source): InternalServer {
    const own = { users: users.map(complete.user), clients: clients.map(complete.client) };
    return createShapedServer({ ...config, ...scopes && { scopes }, ...own }, features, hooks);
  }

  function replace(next: Source): void {
    server = serverOf(next);
    source = next;
  }

  function changed<Name extends "users" | "clients">(name: Name, entries: Source[Name]): void {
    source = { ...source, [name]: entries, changed: new Set([...source.changed, name]) };
  }

  const settings = () => server.context.settings;
  const configuredScopes = () => source.config.scopes ?? demoScopes;

  return {
    /** Returns the server with the current users and clients. */
    current: () => server,
    users: createDirectory<UserConfig>({
      what: "user",
      nameOf: ({ name }) => name,
      read: () => source.users,
      put: (user) => settings().users.put(complete.user(user)),
      remove: (name) => settings().users.remove(name),
      changed: (users) => changed("users", users),
    }),
    clients: createDirectory<ClientConfig>({
      what: "client",
      nameOf: ({ id }) => id,
      read: () => source.clients,
      put: (client) => settings().clients.put(complete.client(client)),
      remove: (id) => settings().clients.remove(id),
      changed: (clients) => changed("clients", clients),
    }),
    /** What makes unknown users known; undefined if they are refused. */
    unknownUsers: hooks.unknownUsers,
    /** The scopes of the configuration, without those that were added. */
    configuredScopes: (): readonly string[] => Object.keys(configuredScopes()),
    /** Adds scopes that the server does not know. */
    addScopes(names: readonly string[]) {
      const present = source.scopes ?? configuredScopes();
      replace({ ...source, scopes: addScopes({ configured: configuredScopes(), present }, names) });
    },
    /**
     * Changes the configuration, perhaps as the one that a reset returns to. What a test changed
     * stays, unless the configuration names others.
     */
    configure(config: LabServerConfig, { asStart = false } = {}) {
      const next = sourceOf(config);
      const kept = [...source.changed].filter((name) => next.config[name] === source.config[name]);
      const present = Object.fromEntries(kept.map((name) => [name, source[name]]));
      replace({ ...next, ...present, changed: new Set(kept) });
      if (asStart) start = next;
    },
    /** Returns to the first configuration, and empties the store except for the keys. */
    reset(): Promise<void> {
      resetting = store.empty(permanentKinds);
      replace(start);
      return resetting;
    },
    /** Returns the users, the clients and everything stored. */
    async capture(): Promise<ServerSnapshot> {
      await server.context.background.idle();
      const { scopes: _, ...captured } = source;
      return { ...captured, rows: await store.everything() };
    },
    /** Returns to what was captured. The new server remembers no key of the current one. */
    restore({ rows, ...captured }: ServerSnapshot): Promise<void> {
      resetting = store.restore(rows);
      replace({ ...source, ...captured });
      return resetting;
    },
    /** Resolves when no reset is in progress. */
    settled: () => resetting,
  };
}

/** Returns what fills in users and clients. What is not an object is reported later. */
function completerOf(defaults: ClientDefaults, subjects: SubjectForm | undefined) {
  const { pkce, subjectType, ...others } = defaults;
  return {
    user: (user: UserConfig) =>
      subjects && isObject(user) ? { sub: derivedId(user.name, subjects), ...user } : user,
    client(client: ClientConfig): ClientConfig {
      if (!isObject(client)) return client;
      const { secret, jwks, jwksUri } = client;
      // Without a secret or a key, PKCE is all that protects a client.
      const authenticates = [secret, jwks, jwksUri].some((each) => each !== undefined);
      return {
        ...others,
        ...pkce && authenticates && { pkce },
        ...subjectType && hasSector(client) && { subjectType },
        ...client,
      };
    },
  };
}

/** Pairwise subjects depend on one host of the redirect URIs (OpenID Connect Core, section 8.1). */
function hasSector({ redirectUris = [], sectorIdentifierUri }: ClientConfig): boolean {
  const hosts = redirectUris.map((uri) => URL.canParse(uri) ? new URL(uri).host : uri);
  return sectorIdentifierUri !== undefined || new Set(hosts).size === 1;
}
