import type { Config } from "../../server/features.ts";
import type { Context } from "../../server/issuer/context.ts";
import { forever } from "../../server/issuer/records/table.ts";
import { openIdScopes } from "../../server/model/claims.ts";
import type { Client } from "../../server/model/client.ts";
import { isScopeToken } from "../../server/protocol/scope.ts";
import { isObject, parseJson } from "../../server/util/text/json.ts";
import { ownMember } from "../../server/util/values/members.ts";
import { readJwt } from "../recording/credentials.ts";
import type { WireRequest } from "../recording/exchange.ts";

/** The scopes of a server, each with its settings. */
type Scopes = NonNullable<Config["scopes"]>;

/** How many scopes of requests a lab adds to its own. Any web page can make it add some. */
const maxAdded = 1000;

/** The scopes of a lab: with their texts, or as a list. */
export type LabScopes = NonNullable<Config["scopes"]> | readonly string[];

/** Returns the scopes as a server takes them: each of a list gets the text of OpenID Connect. */
export function toScopes(scopes: LabScopes | undefined): Scopes | undefined {
  return isList(scopes) ? describeScopes(scopes) : scopes;
}

/** Returns a configuration with the scopes as a server takes them. */
export function withServerScopes<T extends { scopes?: LabScopes | undefined }>(
  { scopes, ...config }: T,
): Omit<T, "scopes"> & { scopes?: Scopes } {
  const described = toScopes(scopes);
  return { ...config, ...described !== undefined && { scopes: described } };
}

function isList(scopes: LabScopes | undefined): scopes is readonly string[] {
  return Array.isArray(scopes) && scopes.every((scope) => typeof scope === "string");
}

/** Describes scopes by the text of OpenID Connect, or by their own name. */
function describeScopes(names: readonly string[]): Scopes {
  return Object.fromEntries(names.map((name) => [name, ownMember(openIdScopes, name) ?? name]));
}

/** Adds scopes to those that a server has. Of all that were added, the newest stay. */
export function addScopes(
  { configured, present }: { configured: Scopes; present: Scopes },
  names: readonly string[],
): Scopes {
  const added = Object.keys(present).filter((name) => !Object.hasOwn(configured, name));
  return { ...describeScopes([...names, ...added].slice(0, maxAdded)), ...configured };
}

/** Returns the scopes that a request names, wherever it does. */
export function scopesIn({ endpoint, query, form, body }: WireRequest): string[] {
  const object = query.get("request") ?? form.get("request") ?? "";
  const registered = endpoint === "register" ? parseScope(body) : undefined;
  const texts = [query.get("scope"), form.get("scope"), readJwt(object)?.claims.scope, registered];
  const tokens = texts.flatMap((text) => typeof text === "string" ? text.split(" ") : []);
  return [...new Set(tokens)].filter(isScopeToken);
}

function parseScope(body: string): unknown {
  const metadata = parseJson(body);
  return isObject(metadata) ? metadata.scope : undefined;
}

/** Lets a client of the store ask for new scopes. Returns whether that changed the client. */
export async function widenStoredClient(
  ctx: Context,
  id: string | undefined,
  requested: readonly string[],
  mayWiden: (client: Client) => boolean,
): Promise<boolean> {
  const client = id === undefined ? undefined : await ctx.records.clients.find(id);
  if (!client || !mayWiden(client)) return false;
  if (requested.every((token) => client.scopes.includes(token))) return false;
  // Those that a lab has forgotten go, so that they do not become more and more here.
  const scopes = [...new Set([...client.scopes, ...requested])];
  const wider = { ...client, scopes: scopes.filter((token) => ctx.settings.scopes.has(token)) };
  await ctx.records.clients.put(client.id, wider, forever);
  return true;
}
