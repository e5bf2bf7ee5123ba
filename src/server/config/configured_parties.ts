import type { Client } from "../model/client.ts";
import type { CoreClientConfig } from "../model/client_config.ts";
import type { User } from "../model/user.ts";
import type { UserConfig } from "./user_config.ts";

/** The clients or the users of a configuration. What wraps a server can change one of them. */
export interface ConfiguredList<Config, Entry> {
  /** What the server makes of each, when it is first needed. Later it is there at once. */
  readonly made: ReadonlyMap<string, () => Entry | Promise<Entry>>;
  /** Returns them as they are configured: another list after each change. */
  list(): readonly Config[];
  /**
   * Adds an entry, or replaces the one with its name in its place.
   *
   * @throws {ConfigError} It is invalid; nothing has changed. The error has its problems alone.
   */
  put(entry: Config): void;
  remove(name: string): void;
}

/** The clients and the users of a configuration. */
export interface ConfiguredParties {
  clients: ConfiguredList<CoreClientConfig, Client>;
  users: ConfiguredList<UserConfig, User>;
}
