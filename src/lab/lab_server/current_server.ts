import type { UserConfig } from "../../server/config/user_config.ts";
import type { ClientConfig } from "../../server/features.ts";
import { heldBytes } from "../../server/util/values/bounded_map.ts";
import {
  type ChangeHistory,
  type Past,
  replacedBytes,
  valueAt,
} from "../recording/change_history.ts";
import type { LabAnswers } from "./lab_answers.ts";
import type { LabServerConfig } from "./lab_config.ts";
import {
  checkLabShape,
  createLabServer,
  createShapedServer,
  withServerScopes,
} from "./lab_server.ts";
import {
  createSource,
  type EntryDefaults,
  reconfigured,
  type ScopedServerConfig,
  type ServerEntries,
  type ServerSource,
  withDefaults,
} from "./server_source.ts";

/** What remembering a user or a client takes that another source has as well, in bytes. */
const entryBytes = 16;

/** The first configuration of a server, and what its sources have in common. */
export interface CurrentServerConfig extends LabServerConfig {
  /** What users and clients have that do not have their own. */
  entryDefaults?: EntryDefaults | undefined;
  /** Answers where the server by itself asks a page, or refuses. */
  answers: LabAnswers;
  history: ChangeHistory;
}

/**
 * Creates a server from its first configuration. It is replaced together with the source that it was
 * created from.
 */
export function createCurrentServer(
  { answers, entryDefaults = {}, history, ...given }: CurrentServerConfig,
) {
  let source = sourceOf(given);
  let server = createShapedServer(configOf(source), answers);

  function sourceOf(config: LabServerConfig): ServerSource {
    const scoped: ScopedServerConfig = withServerScopes(config);
    checkLabShape(scoped);
    return createSource(scoped, answers.addsScope !== undefined);
  }

  function configOf({ config, entries }: ServerSource): ScopedServerConfig & ServerEntries {
    return { ...config, ...withDefaults(entries, entryDefaults) };
  }

  function replace(next: ServerSource): void {
    server = createLabServer(configOf(next), answers);
    const { users, clients, ...others } = source.entries;
    const { entries } = next;
    const replaced = [
      ...users.filter((user, at) => user !== entries.users[at]),
      ...clients.filter((client, at) => client !== entries.clients[at]),
    ];
    follow(next, heldBytes(replaced) + replacedBytes(others, { ...entries }));
  }

  /** Follows another source, without what `bytes` of memory hold. */
  function follow(next: ServerSource, bytes: number): void {
    const { users, clients } = source.entries;
    const shared = entryBytes * (users.length + clients.length);
    history.note("server", "server", source, { bytes: shared + bytes });
    source = next;
  }

  /** Follows entries of which one was put or removed. */
  function changeEntries<Name extends "users" | "clients">(
    name: Name,
    entries: ServerEntries[Name],
  ): void {
    const replaced = source.entries[name].find((entry, at) => entry !== entries[at]);
    follow({ ...source, entries: { ...source.entries, [name]: entries } }, heldBytes(replaced));
  }

  return {
    server: () => server,
    source: () => source,
    /** Returns the source as it was. */
    sourceAt: (past: Past) => valueAt(past, "server", source),
    /** Returns the configuration with the users, clients and scopes of a source. */
    configOf,
    /** Creates the next server from another source. One that the server rejects changes nothing. */
    replace,
    /** Puts a user. One that the server rejects changes nothing. */
    putUser(user: UserConfig, users: UserConfig[]): void {
      const complete = withDefaults({ users: [user], clients: [] }, entryDefaults);
      for (const each of complete.users) server.context.settings.parties.users.put(each);
      changeEntries("users", users);
    },
    /** Puts a client. One that the server rejects changes nothing. */
    putClient(client: ClientConfig, clients: ClientConfig[]): void {
      const complete = withDefaults({ users: [], clients: [client] }, entryDefaults);
      for (const each of complete.clients) server.context.settings.parties.clients.put(each);
      changeEntries("clients", clients);
    },
    removeUser(name: string, users: UserConfig[]): void {
      server.context.settings.parties.users.remove(name);
      changeEntries("users", users);
    },
    removeClient(id: string, clients: ClientConfig[]): void {
      server.context.settings.parties.clients.remove(id);
      changeEntries("clients", clients);
    },
    /** Follows another configuration. */
    configure: (config: LabServerConfig) => replace(reconfigured(source, sourceOf(config))),
  };
}
