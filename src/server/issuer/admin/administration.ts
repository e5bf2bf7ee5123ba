import type { UserConfig } from "../../config/user_config.ts";
import type { Claims } from "../../model/claims.ts";
import type { Client } from "../../model/client.ts";
import type { ClientConfig } from "../../model/client_config.ts";
import type { User } from "../../model/user.ts";
import type { Context } from "../context.ts";
import { checkEncryption } from "../keys/encrypted_rows.ts";
import type { OutdatedRow } from "../keys/reseal.ts";
import { randomSecret } from "../random.ts";
import type { AdminChange, Authorization } from "../records/rows.ts";
import { type AdminAction, listChanges, recordChange } from "./changes.ts";
import {
  addClientSecret,
  type ClientSecretState,
  dropClientSecret,
  listClientSecrets,
  retireClientSecret,
} from "./client_secrets.ts";
import { type DirectoryEntry, listClients, listUsers } from "./directory_entries.ts";
import type { Extent } from "./extent.ts";
import {
  listAuthorizations,
  removeAuthorization,
  requireAuthorization,
} from "./manage_authorizations.ts";
import { addClient, disableClient, removeClient } from "./manage_clients.ts";
import {
  checkKeyExists,
  type KeyEntry,
  listKeys,
  prepareReseal,
  removeKey,
  rotateKeys,
} from "./manage_keys.ts";
import { endSessionById, listSessionEntries, type SessionEntry } from "./manage_sessions.ts";
import { addUser, disableUser, removeUser, setPassword, signOutUser } from "./manage_users.ts";
import { type CurrentSettings, setClient } from "./set_client.ts";
import { setClaims } from "./set_user.ts";
import {
  describeClient,
  describeUser,
  showClient,
  showUser,
  type UserEntry,
} from "./show_entries.ts";

export type {
  AdminAction,
  AdminChange,
  Authorization,
  CurrentSettings,
  DirectoryEntry,
  Extent,
  KeyEntry,
  SessionEntry,
};

/**
 * What an administrator can do with the store of a server, by what it concerns. Each change is
 * recorded. What is refused throws an `AdminError`, and bad settings a `ConfigError`.
 */
export interface Administration {
  readonly users: UserAdministration;
  readonly clients: ClientAdministration;
  readonly sessions: SessionAdministration;
  readonly authorizations: AuthorizationAdministration;
  readonly keys: KeyAdministration;
  readonly changes: ChangeLog;
}

/** What an administrator can do with users. */
interface UserAdministration {
  /** Lists every user, disabled ones included. */
  list(): Promise<Array<DirectoryEntry<User>>>;
  /** Finds a user, and counts what they have. */
  show(name: string): Promise<UserEntry>;
  /** Describes a user of the store with what would be removed: "the user 'ada' with 2 sessions". */
  describe(name: string): Promise<string>;
  /** Adds a user to the store, under the same rules as in the configuration. */
  add(config: UserConfig): Promise<User>;
  /** Changes claims, and returns the names of those that are different. */
  setClaims(name: string, change: (claims: Claims) => Claims): Promise<string[]>;
  /** Sets a password, and ends everything that was issued under the old one. */
  setPassword(name: string, password: string): Promise<void>;
  /** Disables a user and ends everything that was issued for them. */
  disable(name: string): Promise<void>;
  /** Enables a user again; what ended stays ended. */
  enable(name: string): Promise<void>;
  /** Signs a user out everywhere, and returns what ended. */
  signOut(name: string): Promise<Extent>;
  /** Removes a user, and returns what went with them. */
  remove(name: string): Promise<Extent>;
}

/** What an administrator can do with clients. */
interface ClientAdministration {
  /** Lists every client, disabled ones included. */
  list(): Promise<Array<DirectoryEntry<Client>>>;
  /** Finds a client. */
  show(id: string): Promise<DirectoryEntry<Client>>;
  /** Describes a client of the store with what would be removed. */
  describe(id: string): Promise<string>;
  /** Makes a secret that cannot be guessed, for a new client. */
  createSecret(): string;
  /** Adds a client to the store, under the same rules as in the configuration. */
  add(config: ClientConfig): Promise<Client>;
  /** Changes settings of a client, and returns what is different. */
  set(id: string, change: (settings: CurrentSettings) => ClientConfig): Promise<string[]>;
  /** Disables a client and revokes everything that was issued to it. */
  disable(id: string): Promise<void>;
  /** Enables a client again; what was revoked stays revoked. */
  enable(id: string): Promise<void>;
  /** Removes a client, and returns what went with it. */
  remove(id: string): Promise<Extent>;
  /** Lists the secrets of a client: when they were made, and never what they are. */
  listSecrets(id: string): Promise<ClientSecretState[]>;
  /** Adds a second secret and returns it; both are valid. */
  addSecret(id: string): Promise<string>;
  /** Retires the earlier of two secrets. */
  retireSecret(id: string): Promise<void>;
  /** Drops the later of two secrets. */
  dropSecret(id: string): Promise<void>;
}

/** What an administrator can do with sessions. */
interface SessionAdministration {
  /** Lists the active sessions of every user, or of one. */
  list(userName?: string): Promise<SessionEntry[]>;
  /** Ends a session, as if its user had signed out. */
  end(sid: string): Promise<void>;
}

/** What an administrator can do with authorizations. */
interface AuthorizationAdministration {
  /** Lists what users have allowed clients. */
  list(): Promise<Authorization[]>;
  /** Finds an authorization. */
  show(id: string): Promise<Authorization>;
  /** Revokes an authorization with everything that was issued from it. */
  remove(id: string): Promise<Extent>;
}

/** What an administrator can do with signing keys. */
interface KeyAdministration {
  /** Lists the signing keys, those of the configuration first. */
  list(): Promise<KeyEntry[]>;
  /** Throws if the store has no such key. */
  checkExists(kid: string): Promise<void>;
  /** Creates the next key of each algorithm. */
  rotate(): Promise<void>;
  /** Removes a key that has leaked; everything that it signed becomes invalid. */
  remove(kid: string): Promise<Extent>;
  /** Throws unless the secret of the server decrypts every key. */
  checkSecret(): Promise<void>;
  /** Finds the rows that an earlier secret of the server encrypted. */
  findRowsToReseal(earlierSecret: string): Promise<OutdatedRow[]>;
}

/** What administrators have changed. */
interface ChangeLog {
  /** Lists the changes since a time in milliseconds, the oldest first. */
  list(since?: number): Promise<AdminChange[]>;
  /** Records a change that is made elsewhere, such as a backup. */
  record(target: string): Promise<void>;
}

/** Creates what an administrator works with. Without an action, changes are not recorded. */
export function createAdministration(server: Context, action?: AdminAction): Administration {
  const ctx = { ...server, ...action && { action } };
  return {
    users: {
      list: () => listUsers(ctx),
      show: (name) => showUser(ctx, name),
      describe: (name) => describeUser(ctx, name),
      add: (config) => addUser(ctx, config),
      setClaims: (name, change) => setClaims(ctx, name, change),
      setPassword: (name, password) => setPassword(ctx, name, password),
      disable: (name) => disableUser(ctx, name, true),
      enable: (name) => disableUser(ctx, name, false),
      signOut: (name) => signOutUser(ctx, name),
      remove: (name) => removeUser(ctx, name),
    },
    clients: {
      list: () => listClients(ctx),
      show: (id) => showClient(ctx, id),
      describe: (id) => describeClient(ctx, id),
      createSecret: () => randomSecret(ctx),
      add: (config) => addClient(ctx, config),
      set: async (id, change) => (await setClient(ctx, id, change)).differences,
      disable: (id) => disableClient(ctx, id, true),
      enable: (id) => disableClient(ctx, id, false),
      remove: (id) => removeClient(ctx, id),
      listSecrets: (id) => listClientSecrets(ctx, id),
      addSecret: (id) => addClientSecret(ctx, id),
      retireSecret: (id) => retireClientSecret(ctx, id),
      dropSecret: (id) => dropClientSecret(ctx, id),
    },
    sessions: {
      list: (userName) => listSessionEntries(ctx, userName),
      end: (sid) => endSessionById(ctx, sid),
    },
    authorizations: {
      list: () => listAuthorizations(ctx),
      show: (id) => requireAuthorization(ctx, id),
      remove: (id) => removeAuthorization(ctx, id),
    },
    keys: {
      list: () => listKeys(ctx),
      checkExists: (kid) => checkKeyExists(ctx, kid),
      rotate: () => rotateKeys(ctx),
      remove: (kid) => removeKey(ctx, kid),
      checkSecret: () => checkEncryption(ctx),
      findRowsToReseal: (earlierSecret) => prepareReseal(ctx, earlierSecret),
    },
    changes: {
      list: (since) => listChanges(ctx, since),
      record: (target) => recordChange(ctx, target),
    },
  };
}
