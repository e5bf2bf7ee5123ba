import type { UserConfig } from "../../server/config/user_config.ts";
import type { ClientConfig } from "../../server/features.ts";
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

/** The first configuration of a server, and what its sources have in common. */
export interface CurrentServerConfig extends LabServerConfig {
  /** What users and clients have that do not have their own. */
  entryDefaults?: EntryDefaults | undefined;
  /** Answers where the server by itself asks a page, or refuses. */
  answers: LabAnswers;
}

/**
 * Creates a server from its first configuration. It is replaced together with the source that it was
 * created from.
 */
export function createCurrentServer(
  { answers, entryDefaults = {}, ...given }: CurrentServerConfig,
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
    source = next;
  }

  /** Follows entries of which one was put or removed. */
  function changeEntries<Name extends "users" | "clients">(
    name: Name,
    entries: ServerEntries[Name],
  ): void {
    source = { ...source, entries: { ...source.entries, [name]: entries } };
  }

  return {
    server: () => server,
    source: () => source,
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
