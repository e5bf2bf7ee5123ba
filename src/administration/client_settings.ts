import { authenticationOf } from "../server/config/make_client.ts";
import type { ClientConfig } from "../server/features.ts";
import { currentClient } from "../server/issuer/clients/stored_clients.ts";
import type { Context } from "../server/issuer/context.ts";
import type { AdminContext } from "../server/issuer/directory/changes.ts";
import { changeStored, placeOfClient } from "../server/issuer/directory/directory_entries.ts";
import { AdminError } from "../server/issuer/records/lock.ts";
import { type Client, isPublic, keptSecrets, withIdentityOf } from "../server/model/client.ts";
import { canonicalJson } from "../server/util/text/json.ts";
import {
  checkOwnedByOperator,
  checkStoredClient,
  effectiveSettings,
  makeStoredClient,
  settingsOfClient,
} from "./stored_client.ts";

/** The longest text of a value in the log of changes, in characters. */
const maxLength = 200;

/** The settings of a client, and those that it has by default as well. */
export interface CurrentSettings {
  given: ClientConfig;
  effective: ClientConfig;
}

/**
 * Changes settings of a stored client, under the rules for a new one. Its tokens stay active.
 * Returns the client, and what is different.
 */
export async function set(
  ctx: AdminContext,
  id: string,
  change: (settings: CurrentSettings) => ClientConfig,
): Promise<{ client: Client; differences: string[] }> {
  let differences: string[] = [];
  const client = await changeStored(
    ctx,
    placeOfClient(ctx, id),
    (before) => changed(ctx, before, change),
    (before, after) => differences = describeClientChange(before, after),
  );
  return { client, differences };
}

async function changed(
  ctx: Context,
  before: Client,
  change: (settings: CurrentSettings) => ClientConfig,
): Promise<Client> {
  checkOwnedByOperator(before);
  const { given, standIn } = await settingsOfClient(ctx, before);
  const config = change({ given, effective: effectiveSettings(currentClient(ctx, before)) });
  if (canonicalJson(config) === canonicalJson(given)) return before;
  if (config.id !== before.id) throw new AdminError("The 'id' of a client never changes.");
  if (config.disabled !== undefined && config.disabled !== before.disabled) {
    throw new AdminError("To change 'disabled', use: hallpass client disable, or client enable");
  }
  checkStoredClient(ctx, config, "change the client", standIn);
  checkStaysConfidential(before, config);
  const made = withIdentityOf(before, await makeStoredClient(ctx, config, before));
  const keepsSecret = config.secret !== undefined && config.secret === given.secret;
  const kept = keepsSecret ? keptSecrets(before, made) : undefined;
  return kept ? { ...made, secrets: kept } : made;
}

/** A client without credentials is one that anyone can imitate (OAuth 2.1, section 2.1). */
function checkStaysConfidential(before: Client, config: ClientConfig): void {
  if (isPublic(before) || config.authentication) return;
  if (!authenticationOf(config).includes("none")) return;
  throw new AdminError(
    `Without its credentials, the client '${before.id}' would be public, and anyone could use ` +
      "its tokens and codes. If you want that, add --authentication none; for a new secret, use " +
      "--secret.",
  );
}

/** Describes what is different about a client, a line for each setting, without secrets. */
function describeClientChange(before: Client, after: Client): string[] {
  const from: Record<string, unknown> = { ...before.givenSettings ?? effectiveSettings(before) };
  const to: Record<string, unknown> = { ...after.givenSettings };
  const names = Object.keys({ ...from, ...to }).filter((name) => isDifferent(from[name], to[name]));
  return [
    ...names.map((name) => `${name}: ${describeValues(from[name], to[name])}`),
    ...describeSecret(before, after),
  ];
}

/** Of two lists, names only the entries that differ: they are hard to spot in a long list. */
export function describeValues(from: unknown, to: unknown): string {
  if (!Array.isArray(from) || !Array.isArray(to)) return `${shown(from)} -> ${shown(to)}`;
  const added = to.filter((value) => !holds(from, value)).map((value) => `+${shown(value)}`);
  const removed = from.filter((value) => !holds(to, value)).map((value) => `-${shown(value)}`);
  return [...added, ...removed].join(" ") || "in another order";
}

function describeSecret(before: Client, after: Client): string[] {
  const [[from], [to]] = [before.secrets, after.secrets];
  if (from?.hash === to?.hash) return [];
  if (!from) return ["secret: added"];
  if (to) return ["secret: replaced"];
  return [isPublic(after) ? "secret: removed; the client is public now" : "secret: removed"];
}

function holds(list: readonly unknown[], value: unknown): boolean {
  return list.some((each) => !isDifferent(each, value));
}

function isDifferent(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) !== canonicalJson(other ?? null);
}

function shown(value: unknown): string {
  if (value === undefined) return "default";
  const text = JSON.stringify(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
