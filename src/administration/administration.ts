import type { Context } from "../server/issuer/context.ts";
import {
  type AdminAction,
  type AdminContext,
  listChanges,
  recordChange,
} from "../server/issuer/directory/changes.ts";
import * as authorizations from "./authorizations.ts";
import * as clientSecrets from "./client_secrets.ts";
import * as clientSettings from "./client_settings.ts";
import * as clients from "./clients.ts";
import * as importUsers from "./import_users.ts";
import * as keys from "./keys.ts";
import * as sessions from "./sessions.ts";
import * as userClaims from "./user_claims.ts";
import * as users from "./users.ts";

export type { AdminChange, Authorization } from "../server/issuer/records/rows.ts";
export type { AdminAction, AdminContext } from "../server/issuer/directory/changes.ts";
export type { CurrentSettings } from "./client_settings.ts";
export type { DirectoryEntry } from "../server/issuer/directory/directory_entries.ts";
export type { Extent } from "./extent.ts";
export type { KeyEntry } from "./keys.ts";
export type { SessionEntry } from "./sessions.ts";

/** Records also what is changed elsewhere, such as by a backup. */
const changeLog = { list: listChanges, record: recordChange };

/** What an administrator can do with something, as the functions of a module. */
type AdminModule = Readonly<Record<string, (ctx: AdminContext, ...rest: never[]) => unknown>>;

/** The functions of a module for one server: without the context that each takes first. */
type OnServer<Module extends AdminModule> = {
  readonly [Name in keyof Module]: Module[Name] extends
    (ctx: AdminContext, ...rest: infer Rest) => infer Result ? (...rest: Rest) => Result : never;
};

/**
 * What an administrator can do with the store of a server, by what it concerns. Each change is
 * recorded. What is refused throws an `AdminError`, and bad settings a `ConfigError`.
 */
export type Administration = ReturnType<typeof createAdministration>;

/** Creates what an administrator works with. Without an action, changes are not recorded. */
export function createAdministration(server: Context, action?: AdminAction) {
  const ctx = { ...server, ...action && { action } };
  return {
    users: onServer(ctx, { ...users, ...userClaims, ...importUsers }),
    clients: onServer(ctx, { ...clients, ...clientSecrets, ...clientSettings }),
    sessions: onServer(ctx, sessions),
    authorizations: onServer(ctx, authorizations),
    keys: onServer(ctx, keys),
    changes: onServer(ctx, changeLog),
  };
}

function onServer<Module extends AdminModule>(ctx: AdminContext, module: Module): OnServer<Module> {
  const bound = Object.entries(module).map(([name, run]) => [name, run.bind(undefined, ctx)]);
  return Object.fromEntries(bound);
}
