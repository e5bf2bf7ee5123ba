import type { UserConfig } from "../../server/config/user_config.ts";
import type { WrapperAnswers } from "../../server/issuer/wrapper_answers.ts";
import type { ClientConfig } from "../../server/model/client_config.ts";
import type { InternalServer } from "../../server/server.ts";
import type { Store } from "../../server/store/store.ts";
import { demoScopes } from "../demo/demo_scopes.ts";
import { createDirectory, type Directory } from "./directory.ts";
import { type EntryDefaults, withDefaults } from "./entry_defaults.ts";
import type { LabServerConfig } from "./lab_config.ts";
import {
  checkLabShape,
  createLabServer,
  createShapedServer,
  withServerScopes,
} from "./lab_server.ts";
import {
  createSource,
  reconfigured,
  type ScopedServerConfig,
  type ServerEntries,
  type ServerSource,
  withScopes,
} from "./server_source.ts";
import type { RestorableStore } from "./snapshots.ts";

/** Kinds of rows that survive a reset: clients keep using the keys that they have fetched. */
const permanentKinds = ["key", "secret"];

/**
 * A server that is replaced when its users or clients change. What it wrote stays in the store.
 *
 * The users and clients are those of a configuration, not rows: each change is checked with the
 * whole configuration, as at a start, and metadata, callbacks and claims follow from it.
 */
export interface ReplaceableServer {
  /** Returns the server with the current users and clients. */
  current(): InternalServer;
  readonly users: Directory<UserConfig>;
  readonly clients: Directory<ClientConfig>;
  /** Creates another server, with a change of the current configuration, users and clients. */
  copy(change: ChangeConfig, answers: WrapperAnswers): InternalServer;
  /** Changes the line at the top of every page. */
  setNotice(notice: string): void;
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
  /** Returns to the first configuration, users and clients, and empties the store except for the keys. */
  reset(): Promise<void>;
  /** Returns the users, the clients and everything stored. */
  capture(): Promise<ServerSnapshot>;
  /** Returns to what was captured. */
  restore(snapshot: ServerSnapshot): Promise<void>;
  /** Resolves when no reset is in progress. */
  settled(): Promise<void>;
}

export interface ReplaceableServerConfig extends LabServerConfig {
  store: RestorableStore;
  /** Whether the demo clients may ask for scopes that are added later. */
  anyScope?: boolean | undefined;
  /** What users and clients have that do not have their own. */
  entryDefaults?: EntryDefaults | undefined;
  /** Answers where the server by itself asks a page, or refuses. */
  answers: WrapperAnswers;
}

/** What a server knew and had stored at some time. */
export interface ServerSnapshot {
  config: ScopedServerConfig;
  entries: Pick<ServerEntries, "users" | "clients">;
  rows: Awaited<ReturnType<RestorableStore["capture"]>>;
}

/** Changes a configuration that has the current users, clients and scopes. */
export type ChangeConfig = (config: CopiedConfig) => LabServerConfig;

type CopiedConfig = LabServerConfig & Pick<ReplaceableServerConfig, "store"> & ServerEntries;

export function createReplaceableServer(
  { anyScope = false, answers, entryDefaults = {}, ...given }: ReplaceableServerConfig,
): ReplaceableServer {
  const { store, now, randomBytes, onEvent } = given;
  const fixed = {
    store,
    ...now && { now },
    ...randomBytes && { randomBytes },
    ...onEvent && { onEvent },
  };
  const sourceOf = (config: LabServerConfig): ServerSource => {
    const scoped: ScopedServerConfig = withServerScopes(config);
    checkLabShape(scoped);
    return createSource(scoped, anyScope);
  };
  const configOf = ({ config, entries }: ServerSource) => ({
    ...config,
    ...withDefaults(entries, entryDefaults),
  });
  const start = sourceOf(given);
  let source = start;
  let current = createShapedServer(configOf(source), answers);
  let resetting: Promise<void> = Promise.resolve();

  /** A source that the server rejects changes nothing. */
  function replace(next: ServerSource): void {
    current = createLabServer(configOf(next), answers);
    source = next;
  }

  function change(entries: Partial<ServerEntries>): void {
    replace({ ...source, entries: { ...source.entries, ...entries } });
  }

  return {
    current: () => current,
    users: createDirectory<UserConfig>({
      what: "user",
      nameOf: ({ name }) => name,
      read: () => source.entries.users,
      replace: (users) => change({ users }),
    }),
    clients: createDirectory<ClientConfig>({
      what: "client",
      nameOf: ({ id }) => id,
      read: () => source.entries.clients,
      replace: (clients) => change({ clients }),
    }),
    copy(changeConfig, ownAnswers) {
      const { scopes = demoScopes, ...config } = configOf(source);
      return createLabServer(changeConfig({ ...config, scopes, store }), ownAnswers);
    },
    setNotice: (notice) => change({ notice }),
    configuredScopes: () => Object.keys(source.config.scopes ?? demoScopes),
    configure: (changed) => replace(reconfigured(source, sourceOf({ ...changed, ...fixed }))),
    addScopes: (names) => replace(withScopes(source, names)),
    reset() {
      resetting = emptyStore(store);
      replace(start);
      return resetting;
    },
    async capture() {
      await current.context.background.idle();
      const { config, entries: { users, clients } } = source;
      return { config, entries: { users, clients }, rows: await store.capture() };
    },
    restore({ config, entries, rows }) {
      resetting = store.restore(rows);
      // The new server remembers no key and no token of the current one.
      replace({ ...source, config, entries: { ...source.entries, ...entries } });
      return resetting;
    },
    settled: () => resetting,
  };
}

async function emptyStore(store: Store): Promise<void> {
  const permanent = await Promise.all(
    permanentKinds.map(async (kind) =>
      (await store.list(kind)).map(([id, row]) => ({ kind, id, row }))
    ),
  );
  // By this time every row has expired.
  while (await store.sweep(Number.MAX_SAFE_INTEGER) > 0);
  await Promise.all(permanent.flat().map(({ kind, id, row }) => store.put(kind, id, row)));
}
