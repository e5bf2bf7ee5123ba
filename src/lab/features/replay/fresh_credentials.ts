import { storeAuthorization } from "../../../server/issuer/authorizations/authorizations.ts";
import { findClient } from "../../../server/issuer/clients/clients.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { randomId, randomSecret } from "../../../server/issuer/random.ts";
import type { IssuedRow } from "../../../server/issuer/records/rows.ts";
import type { Table } from "../../../server/issuer/records/table.ts";
import { fromNow } from "../../../server/issuer/time.ts";
import { readJwt } from "../../recording/credentials.ts";
import { parameterOf, type WireRequest } from "../../recording/exchange.ts";
import { withParameter } from "./edited_request.ts";
import type { ChangedClaims } from "./replay_changes.ts";
import { type SigningAgain, withClaims } from "./sign_again.ts";

/** The signed JWTs of a request that work once, with what a sentence calls them. */
const signedNames: ReadonlyArray<[name: keyof ChangedClaims, what: string]> = [
  ["client_assertion", "client assertion"],
  ["assertion", "assertion"],
  ["dpop", "DPoP proof"],
];

/**
 * Puts fresh credentials in the place of those that work once and are spent. They are for what the
 * recorded ones were for. What the test changed stays as it is.
 */
export async function withFreshCredentials(
  original: WireRequest,
  changed: ReadonlySet<string>,
  signer: SigningAgain,
): Promise<{ request: WireRequest; renewed: string[] }> {
  const ctx = signer.lab.context;
  const renewed: string[] = [];
  let request = original;
  const { codes, refreshTokens } = ctx.records;
  const { code: lifetime, refreshIdle } = ctx.settings.lifetimes;
  const code = { what: "code", table: codes, lifetime };
  const refreshToken = { what: "refresh token", table: refreshTokens, lifetime: refreshIdle };
  const issued = [
    { name: "code", renewed: (spent: string) => renew(ctx, code, spent) },
    { name: "refresh_token", renewed: (spent: string) => renew(ctx, refreshToken, spent) },
  ];
  for (const each of request.endpoint === "token" ? issued : []) {
    const value = parameterOf(request, each.name);
    if (value === undefined || changed.has(each.name)) continue;
    const fresh = await each.renewed(await signer.lab.originalOf(value));
    if (!fresh) continue;
    renewed.push(fresh.note);
    if (fresh.secret) request = withParameter(request, each.name, [fresh.secret]);
  }
  if (parameterOf(request, "device_code") !== undefined && !changed.has("device_code")) {
    renewed.push("The device code is the recorded one: only a device and its user make another.");
  }
  for (const [name, what] of signedNames) {
    const jwt = name === "dpop" ? request.headers.dpop : parameterOf(request, name);
    if (jwt === undefined || changed.has(name) || !readJwt(jwt)?.claims.jti) continue;
    try {
      request = await withClaims(request, { claims: { [name]: {} }, privateKeys: [] }, signer);
      renewed.push(`The ${what} was signed again, with a new jti and later times.`);
    } catch {
      renewed.push(
        `The ${what} is the recorded one: the lab does not have the key to sign it again.`,
      );
    }
  }
  return { request, renewed };
}

/** A credential that a token request presents. */
interface SpendableCredential<T> {
  what: string;
  table: Table<T>;
  /** In seconds. */
  lifetime: number;
}

/**
 * Issues another credential, if one is spent: for the same client, user, scope, resources, nonce,
 * PKCE and key, under a new authorization: using it cannot revoke what the first one issued.
 */
async function renew<T extends IssuedRow>(
  ctx: Context,
  { what, table, lifetime }: SpendableCredential<T>,
  spent: string,
): Promise<{ secret?: string; note: string } | undefined> {
  const row = await table.getStored(spent);
  if (row && row.usedAt === undefined && row.expiresAt > ctx.now()) return undefined;
  const authorization = row && await ctx.records.authorizations.find(row.value.authorization);
  const client = authorization && await findClient(ctx, authorization.clientId);
  if (!row || !client) {
    const why = row ? "what it was issued from was revoked" : "the lab does not know it";
    return { note: `The ${what} is the recorded one: ${why}.` };
  }
  const copy = {
    ...authorization,
    id: randomId(ctx),
    issuingUntil: fromNow(ctx, ctx.settings.lifetimes.refreshToken),
  };
  await storeAuthorization(ctx, client, copy);
  const secret = randomSecret(ctx);
  await table.add(secret, { ...row.value, authorization: copy.id }, fromNow(ctx, lifetime));
  return { secret, note: `The ${what} was spent: a fresh one was sent in its place.` };
}
