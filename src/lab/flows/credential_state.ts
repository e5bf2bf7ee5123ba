import type { Context } from "../../server/issuer/context.ts";
import { toMilliseconds } from "../../server/issuer/time.ts";
import { readJwt } from "../recording/credentials.ts";
import type { Exchange } from "../recording/exchange.ts";
import { findConcernedIds, isUsable } from "../recording/presented_values.ts";
import { findRevocation } from "./credential_end.ts";
import {
  type CredentialKind,
  firstRedemption,
  type FlowCredentials,
  type IssuedCredential,
} from "./flow_credentials.ts";

/** Whether a credential can be used now, and if not, why. */
export type CredentialState =
  | { kind: "active"; until?: number | undefined }
  | { kind: "spent"; exchange?: number | undefined }
  | { kind: "revoked"; reason?: string | undefined; exchange?: number | undefined }
  | { kind: "expired"; at?: number | undefined }
  | { kind: "reissued" }
  | { kind: "unknown" };

/** The parameter with which a request presents a credential of an authorization. */
const parameters: Readonly<Partial<Record<CredentialKind, string>>> = {
  code: "code",
  "access token": "token",
  "refresh token": "refresh_token",
};

/** A lab, and those whose requests it records. */
export interface LabWithTenants {
  exchanges(): readonly Exchange[];
  labOf(tenant: string | undefined): {
    readonly context: Context;
    originalOf(token: string): Promise<string>;
  } | undefined;
}

/** Returns the state of every credential of a flow, by its value. */
export async function statesOf(
  lab: LabWithTenants,
  credentials: FlowCredentials,
): Promise<Map<string, CredentialState>> {
  const sources = sourcesOf(lab, credentials);
  const entries = credentials.issued.map(async (credential) =>
    [credential.value, await stateOf(sources, credential)] as const
  );
  return new Map(await Promise.all(entries));
}

/** Gathers what decides about the credentials of a flow: each is of the server that issued it. */
function sourcesOf(lab: LabWithTenants, credentials: FlowCredentials) {
  const exchanges = lab.exchanges();
  const issuerOf = ({ issuedBy }: IssuedCredential) =>
    lab.labOf(exchanges.find(({ id }) => id === issuedBy)?.tenant);
  return {
    /** Returns the context of the server that issued a credential, unless it is closed. */
    contextOf: (credential: IssuedCredential) => issuerOf(credential)?.context,
    /** Returns a credential as the server that issued it knows it. */
    async withOriginal(credential: IssuedCredential): Promise<IssuedCredential> {
      const value = await issuerOf(credential)?.originalOf(credential.value);
      return value === undefined ? credential : { ...credential, value };
    },
    credentials,
    /** Every exchange of the lab: another flow, or a page, may have revoked something. */
    exchanges,
  };
}

async function stateOf(
  sources: ReturnType<typeof sourcesOf>,
  credential: IssuedCredential,
): Promise<CredentialState> {
  const ctx = sources.contextOf(credential);
  const redemption = firstRedemption(sources.credentials, credential.value);
  const spent = { kind: "spent", exchange: redemption?.exchange } as const;
  // The server that issued it does not learn that another one redeemed it.
  if (credential.kind === "ID-JAG" && redemption) return spent;
  if (!ctx) return { kind: "unknown" };
  const until = expirationOf(ctx, credential);
  const known = await sources.withOriginal(credential);
  const isReissued = await belongsToOther(ctx, known);
  if (!isReissued && await isActive(ctx, known)) return { kind: "active", until };
  const isSpendable = credential.kind !== "access token" && credential.kind !== "ID token";
  if (isSpendable && redemption) return spent;
  if (isReissued) return { kind: "reissued" };
  if (until !== undefined && until <= ctx.now()) return { kind: "expired", at: until };
  if (!await isStored(ctx, known)) {
    const { faults = [] } = sources.exchanges.find(({ id }) => id === credential.issuedBy) ?? {};
    // A refresh token without a row has expired, unless a fault made it up.
    return faults.length > 0 ? { kind: "unknown" } : { kind: "expired" };
  }
  return { kind: "revoked", ...findRevocation(sources.exchanges, credential) };
}

/** Whether a value went over to another authorization, because a test chose it again. */
async function belongsToOther(
  ctx: Context,
  { kind, value, authorization: own }: IssuedCredential,
): Promise<boolean> {
  const name = parameters[kind];
  if (name === undefined || own === undefined) return false;
  const { authorization } = await findConcernedIds(ctx, {
    path: "",
    accessToken: undefined,
    parameter: (each) => each === name ? value : undefined,
  });
  return authorization !== undefined && authorization !== own;
}

/** Whether the server still has the row of a refresh token. It has none of others. */
async function isStored(ctx: Context, { kind, value }: IssuedCredential): Promise<boolean> {
  return kind !== "refresh token" || await ctx.records.refreshTokens.get(value) !== undefined;
}

/** Whether a credential can be used now, by the decision that the server itself makes. */
async function isActive(ctx: Context, { kind, value }: IssuedCredential): Promise<boolean> {
  if (kind === "ID token" || kind === "ID-JAG") return (expirationInJwt(value) ?? 0) > ctx.now();
  return await isUsable(ctx, { kind, value });
}

function expirationOf(
  { settings: { lifetimes } }: Context,
  { kind, value, issuedAt, lifetime }: IssuedCredential,
): number | undefined {
  if (kind === "code") return issuedAt + lifetimes.code * 1000;
  if (lifetime !== undefined) return issuedAt + lifetime * 1000;
  return kind === "refresh token" ? undefined : expirationInJwt(value);
}

function expirationInJwt(jwt: string): number | undefined {
  const exp = readJwt(jwt)?.claims.exp;
  return typeof exp === "number" ? toMilliseconds(exp) : undefined;
}
