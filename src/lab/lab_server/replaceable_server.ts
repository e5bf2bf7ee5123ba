import type { UserConfig } from "../../server/config/user_config.ts";
import type { ClientConfig } from "../../server/features.ts";
import type { InternalServer } from "../../server/server.ts";
import type { UnknownUsers } from "../sign_in/unknown_users.ts";
import { createCurrentServer, type CurrentServerConfig } from "./current_server.ts";
import { createDirectory, createUserDirectory, type Directory } from "./directory.ts";
import type { LabServerConfig } from "./lab_config.ts";
import type { RestorableStore, StoredRowAt } from "./restorable_store.ts";
import {
  configuredScopesIn,
  type ScopedServerConfig,
  type ServerEntries,
  withScopes,
} from "./server_source.ts";

/** Kinds of rows that survive a reset: clients keep using the keys that they have fetched. */
const permanentKinds = ["key", "secret"];

/**
 * A server that is replaced when its configuration changes. What it wrote stays in the store.
 *
 * The users and clients are those of a configuration, not rows: tests change them in one step,
 * without waiting, and metadata, callbacks and claims follow. A change of one checks that one, and
 * the server stays.
 */
export interface ReplaceableServer {
  /** Returns the server with the current users and clients. */
  current(): InternalServer;
  readonly users: Directory<UserConfig>;
  readonly clients: Directory<ClientConfig>;
  /** What makes unknown users known; undefined if they are refused. */
  readonly unknownUsers: UnknownUsers | undefined;
  /** The scopes of the configuration, without those that were added. */
  configuredScopes(): readonly string[];
  /** Adds scopes that the server does not know. */
  addScopes(names: readonly string[]): void;
  /**
   * Changes the configuration. The users and clients stay, unless it names others; those of the
   * demo follow it.
   *
   * @throws {ConfigError} The configuration is invalid; nothing has changed.
   */
  configure(config: LabServerConfig): void;
  /**
   * Returns to the first configuration, users and clients, and empties the store except for the
   * keys.
   */
  reset(): Promise<void>;
  /** Returns the users, the clients and everything stored. */
  capture(): Promise<ServerSnapshot>;
  /** Returns to what was captured. */
  restore(snapshot: ServerSnapshot): Promise<void>;
  /** Resolves when no reset is in progress. */
  settled(): Promise<void>;
}

export interface ReplaceableServerConfig extends CurrentServerConfig {
  store: RestorableStore;
}

/** What a server knew and had stored at some time. */
export interface ServerSnapshot {
  config: ScopedServerConfig;
  entries: Pick<ServerEntries, "users" | "clients">;
  rows: readonly StoredRowAt[];
}

/** Creates the server of a lab that changes while it runs. */
export function createReplaceableServer(given: ReplaceableServerConfig): ReplaceableServer {
  const { store } = given;
  const current = createCurrentServer(given);
  const start = current.source();
  let resetting: Promise<void> = Promise.resolve();

  return {
    current: current.server,
    unknownUsers: given.answers.unknownUsers,
    users: createUserDirectory({
      read: () => current.source().entries.users,
      put: current.putUser,
      remove: current.removeUser,
    }),
    clients: createDirectory<ClientConfig>({
      what: "client",
      nameOf: ({ id }) => id,
      read: () => current.source().entries.clients,
      put: current.putClient,
      remove: current.removeClient,
    }),
    configuredScopes: () => configuredScopesIn(current.source()),
    configure: (config) => current.configure({ ...config, ...fixedSettings(given) }),
    addScopes: (names) => current.replace(withScopes(current.source(), names)),
    reset() {
      resetting = store.empty(permanentKinds);
      current.replace(start);
      return resetting;
    },
    async capture() {
      await current.server().context.background.idle();
      const { config, entries: { users, clients } } = current.source();
      return { config, entries: { users, clients }, rows: await store.everything() };
    },
    restore({ config, entries, rows }) {
      resetting = store.restore(rows);
      // The new server remembers no key and no token of the current one.
      const source = current.source();
      current.replace({ ...source, config, entries: { ...source.entries, ...entries } });
      return resetting;
    },
    settled: () => resetting,
  };
}

/** Returns what a lab never changes: a later configuration cannot name another store or clock. */
function fixedSettings({ store, now, randomBytes, onEvent }: ReplaceableServerConfig) {
  return {
    store,
    ...now && { now },
    ...randomBytes && { randomBytes },
    ...onEvent && { onEvent },
  };
}
