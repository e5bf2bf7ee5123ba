import type { ClientConfig } from "../../server/features.ts";
import type { InternalServer } from "../../server/server.ts";
import { demoScopes } from "../demo/demo_scopes.ts";
import type { Past } from "../recording/change_history.ts";
import { createCurrentServer, type CurrentServerConfig } from "./current_server.ts";
import { createDirectory, createUserDirectory, type Directory } from "./directory.ts";
import type { CopiedUnknownUsers, LabAnswers, ServerWithUsers } from "./lab_answers.ts";
import type { LabServerConfig } from "./lab_config.ts";
import { createLabServer } from "./lab_server.ts";
import { createOverlayStore } from "./overlay_store.ts";
import type { HeldRows, RestorableStore } from "./restorable_store.ts";
import {
  configuredScopesIn,
  type ScopedServerConfig,
  type ServerEntries,
  type ServerSource,
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
export interface ReplaceableServer extends RespondingServer {
  readonly clients: Directory<ClientConfig>;
  /** Returns what the server knew at an earlier time; without one, what it knows. */
  at(past?: Past): ServerState;
  /**
   * Creates another server from a state, with a change of its configuration, users, clients and
   * answers. What it stores, it keeps to itself.
   */
  copy(state: ServerState, change: ChangeConfig, changeAnswers: ChangeAnswers): InternalServer;
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

/** What responds to the requests of a lab. */
export interface RespondingServer extends ServerWithUsers {
  /** What makes unknown users known; undefined if they are refused. */
  readonly unknownUsers: CopiedUnknownUsers | undefined;
  /** The scopes of the configuration, without those that were added. */
  configuredScopes(): readonly string[];
  /** Adds scopes that the server does not know. */
  addScopes(names: readonly string[]): void;
}

export interface ReplaceableServerConfig extends CurrentServerConfig {
  store: RestorableStore;
}

/** What a server is created from, and what it has stored, at some time. */
export interface ServerState {
  source: ServerSource;
  rows: HeldRows;
}

/** What a server knew and had stored at some time. */
export interface ServerSnapshot {
  config: ScopedServerConfig;
  entries: Pick<ServerEntries, "users" | "clients">;
  rows: Awaited<ReturnType<HeldRows["everything"]>>;
}

/** Changes a configuration that has the current users, clients and scopes. */
export type ChangeConfig = (config: CopiedConfig) => LabServerConfig;

/** Changes what the server is answered. */
type ChangeAnswers = (answers: LabAnswers) => LabAnswers;

type CopiedConfig = LabServerConfig & ServerEntries;

/** Creates the server of a lab that changes while it runs. */
export function createReplaceableServer(given: ReplaceableServerConfig): ReplaceableServer {
  const { store, history } = given;
  const current = createCurrentServer(given);
  const start = current.source();
  let resetting: Promise<void> = Promise.resolve();

  const at = (past = history.at(history.mark())): ServerState => ({
    source: current.sourceAt(past),
    rows: store.at(past),
  });

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
    at,
    copy({ source, rows }, changeConfig, changeAnswers) {
      const { scopes = demoScopes, ...config } = current.configOf(source);
      const changed = changeConfig({ ...config, scopes });
      return createLabServer(
        { ...changed, store: createOverlayStore(rows, store.onWrite) },
        changeAnswers(given.answers),
      );
    },
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
      const { source: { config, entries: { users, clients } }, rows } = at();
      return { config, entries: { users, clients }, rows: await rows.everything() };
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
