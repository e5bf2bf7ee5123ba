import { interactionIdAt } from "../../server/config/endpoint_paths.ts";
import type { ConcernedIds } from "../../server/config/events.ts";
import { findStoredRow } from "../../server/grants/one_time_credential.ts";
import { featuresOf } from "../../server/issuer/active_features.ts";
import { findActiveAuthorization } from "../../server/issuer/authorizations/active_authorization.ts";
import type { Context } from "../../server/issuer/context.ts";
import { findStoredInteraction } from "../../server/issuer/requests/interactions.ts";
import { findStoredRequest } from "../../server/issuer/requests/stored_requests.ts";
import { findActiveToken } from "../../server/issuer/tokens/active_tokens.ts";
import type { User } from "../../server/model/user.ts";
import { storedRequestHandle } from "../../server/protocol/request_delivery.ts";
import type { Row } from "../../server/store/store.ts";
import { sha256 } from "../../server/util/crypto/hash.ts";
import { intendedForm, tokenOf, type WireRequest } from "./exchange.ts";

/** What a text is that the server issued. */
export type KnownValue = KnownToken | { kind: "code" };

export interface KnownToken {
  kind: "access token" | "refresh token";
  clientId: string;
  scope: string | undefined;
  /** The user whom it is about; none for the token of a client that acts for itself. */
  user: User | undefined;
}

/** Looks up what a parameter names; the context notes what it concerns. */
type LookUp = (ctx: Context, value: string) => Promise<unknown>;

const lookUps: ReadonlyArray<readonly [parameter: string, lookUp: LookUp]> = [
  ["code", (ctx, code) => findStoredRow(ctx, ctx.records.codes, code)],
  ["refresh_token", (ctx, token) => findStoredRow(ctx, ctx.records.refreshTokens, token)],
  [
    "request_uri",
    async (ctx, uri) => await findStoredRequest(ctx, await sha256(storedRequestHandle(uri) ?? "")),
  ],
  ["token", findActiveToken],
  ["subject_token", findActiveToken],
];

/**
 * Asks the server what a request concerns, for a request that the server does not get, or refuses
 * before it looks: a fault responds in its place, or the client fails to authenticate.
 */
export function identifyRequest(ctx: Context, request: WireRequest): Promise<ConcernedIds> {
  const { path, query } = request;
  const form = intendedForm(request);
  return findConcernedIds(ctx, {
    path,
    accessToken: tokenOf(request),
    parameter: (name) => form.get(name) ?? query.get(name) ?? undefined,
  });
}

/** Finds what presented values concern. Returns what it found until the store failed. */
export async function findConcernedIds(
  ctx: Context,
  presented: {
    /** The path of the request, below that of the issuer. */
    path: string;
    accessToken: string | undefined;
    parameter(name: string): string | undefined;
  },
): Promise<ConcernedIds> {
  const ids: ConcernedIds = {};
  const { path, accessToken, parameter } = presented;
  const all: Array<[lookUp: LookUp, value: string]> = [];
  const add = (lookUp: LookUp, value: string | undefined) => {
    if (value) all.push([lookUp, value]);
  };
  add(findStoredInteraction, interactionIdAt(ctx.settings.paths, path));
  add(findActiveToken, accessToken);
  for (const [name, lookUp] of lookUps) add(lookUp, parameter(name));
  for (const each of featuresOf(ctx).presented) add(each.lookUp, parameter(each.parameter));
  // Most requests present nothing.
  if (all.length === 0) return ids;
  const noting = { ...ctx, note: (facts: ConcernedIds) => void Object.assign(ids, facts) };
  try {
    for (const [lookUp, value] of all) await lookUp(noting, value);
  } catch {
    // What was found until then is returned.
  }
  return ids;
}

/** Finds the client that a user is about to decide on, from the parameters of a link. */
export async function findPresentedClient(
  ctx: Context,
  parameters: URLSearchParams,
): Promise<string | undefined> {
  for (const { parameter, findClient } of featuresOf(ctx).presented) {
    const value = parameters.get(parameter);
    const client = value ? await findClient?.(ctx, value) : undefined;
    if (client !== undefined) return client;
  }
  return undefined;
}

/**
 * Returns whether a value can be used now, by the decisions that the endpoints make: a code, an
 * access token or a refresh token, or a kind of a feature.
 */
export async function isUsable(
  ctx: Context,
  { kind, value }: { kind: string; value: string },
): Promise<boolean> {
  if (kind === "code") return await isUsableCode(ctx, value);
  const ofFeature = featuresOf(ctx).presented.find(({ credential }) => credential === kind);
  if (ofFeature) return isUnused(ctx, await ofFeature.findRow?.(ctx, value));
  const isToken = kind === "access token" || kind === "refresh token";
  return isToken && await findActiveToken(ctx, value) !== undefined;
}

/** Returns what a text is, if the server issued it: an active token, or a code of any state. */
export async function identifyValue(ctx: Context, value: string): Promise<KnownValue | undefined> {
  const token = await findActiveToken(ctx, value);
  if (!token) return await ctx.records.codes.get(value) ? { kind: "code" } : undefined;
  const clientId = token.client.id;
  const { active } = token;
  const user = active?.user;
  if (token.kind === "access") {
    return { kind: "access token", clientId, scope: token.claims.scope, user };
  }
  const { scope } = token.active.authorization;
  return { kind: "refresh token", clientId, scope: scope.join(" "), user };
}

function isUnused({ now }: Context, row: Row<unknown> | undefined): boolean {
  return row !== undefined && row.usedAt === undefined && row.expiresAt > now();
}

async function isUsableCode(ctx: Context, code: string): Promise<boolean> {
  const row = await ctx.records.codes.get(code);
  if (!row || row.usedAt !== undefined) return false;
  return await findActiveAuthorization(ctx, row.value) !== undefined;
}
