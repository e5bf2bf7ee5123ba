import type { Context } from "../../server/issuer/context.ts";
import { fromNow, numericDate } from "../../server/issuer/time.ts";
import type { TokenResponse } from "../../server/issuer/tokens/issue_tokens.ts";
import type { Client } from "../../server/model/client.ts";
import { isObject } from "../../server/util/text/json.ts";
import { readSpan } from "../util/clock.ts";
import { LabError } from "../util/lab_error.ts";
import { issueWithoutRequest, type UnrequestedTokens } from "./issue_without_request.ts";
import {
  type AddedTokens,
  checkMintOptions,
  type MintOptions,
  splitScope,
} from "./mint_options.ts";
import { requireMintClient } from "./mint_parties.ts";
import { sealedTextOf } from "./sealed.ts";
import { readSignedToken, signingKeyOf, signJwt, storeOpaqueToken } from "./signed_tokens.ts";

/** Minted tokens: those of a token response, and the one that was asked for. */
export interface MintedTokens extends TokenResponse {
  /** The token of the requested kind. With a `kind`, the options change this one alone: send it. */
  token: string;
  /** The logout token, if it was requested. */
  logout_token?: string;
}

/** The shape of tokens and credentials in a lab that differs from its server. */
export interface TokenDialect {
  shapeToken(ctx: Context, kind: "idToken" | "accessToken", token: string): Promise<string>;
  /** Remembers the access token that the server knows, for the one that a client gets. */
  remember(token: string, original: string): void;
}

/** Issues tokens as a flow would: the server can introspect, refresh and revoke them. */
export async function mint(
  ctx: Context,
  options: MintOptions,
  added: AddedTokens,
  dialect?: TokenDialect,
): Promise<MintedTokens> {
  checkMintOptions(options, added);
  const client = await requireMintClient(ctx, options.client, options.sub);
  const { bare = false, secret } = options;
  // The server knows no token that is bare or signed by a secret: its value cannot be chosen.
  const issuing = bare || secret !== undefined
    ? { ...ctx, hooks: { ...ctx.hooks, chooseCredential: undefined } }
    : ctx;
  const issued = await issue(issuing, client, options, added);
  const response = dialect ? await inDialect(ctx, dialect, issued) : issued;
  ctx.emit({
    type: "token.issued",
    client: client.id,
    grantType: "minted",
    scope: splitScope(response.scope ?? ""),
  });
  const isShaped = dialect !== undefined;
  const minted = await applyOptions(ctx, options, response, isShaped);
  if (dialect && minted.access_token !== issued.access_token) {
    const original = await applyOptions(ctx, options, issued);
    dialect.remember(minted.access_token, original.access_token);
  }
  return minted;
}

/** Gives minted tokens the shape that those of a flow have. */
async function inDialect(
  ctx: Context,
  { shapeToken }: TokenDialect,
  { access_token, id_token, token, ...others }: MintedTokens,
): Promise<MintedTokens> {
  const access = await shapeToken(ctx, "accessToken", access_token);
  const id = id_token && await shapeToken(ctx, "idToken", id_token);
  const shaped = { [access_token]: access, ...id_token && { [id_token]: id } };
  return {
    ...others,
    access_token: access,
    ...id && { id_token: id },
    token: shaped[token] ?? token,
  };
}

async function issue(
  ctx: Context,
  client: Client,
  options: MintOptions,
  added: AddedTokens,
): Promise<MintedTokens> {
  const { sub, kind } = options;
  const asked = options.scope === undefined ? client.defaultScope : splitScope(options.scope);
  // An ID token comes only with `openid`.
  const scope = kind === "id" ? [...new Set(["openid", ...asked])] : asked;
  const resources = kind === undefined || kind === "access" ? [options.audience ?? []].flat() : [];
  const hasRefresh = scope.includes("offline_access") || kind === "refresh";
  const access = { subject: sub, scope, resources, hasRefresh };
  const issued = await issueWithoutRequest(ctx, client, access);
  const token = await added[kind ?? ""]?.(ctx, client, issued.subject);
  if (kind === undefined || token === undefined) return withKind(client, options, issued);
  return { ...issued.response, [`${kind}_token`]: token, token };
}

/** Names the token that the test asked for. */
function withKind(
  client: Client,
  { kind = "access" }: MintOptions,
  { response }: UnrequestedTokens,
): MintedTokens {
  const { access_token, id_token, refresh_token } = response;
  const usual: Record<string, string | undefined> = {
    access: access_token,
    id: id_token,
    refresh: refresh_token,
  };
  const token = usual[kind];
  if (token !== undefined) return { ...response, token };
  throw new LabError(`A token of the kind '${kind}' needs a user; '${client.id}' is a client.`);
}

/** Gives the tokens what no flow could ask for. */
async function applyOptions(
  ctx: Context,
  options: MintOptions,
  response: MintedTokens,
  isShaped: boolean = false,
): Promise<MintedTokens> {
  const { kind, expiresIn } = options;
  if (kind === "refresh") {
    const { refreshTokens } = ctx.records;
    const row = await refreshTokens.get(response.token);
    // A refresh token is a random text: of all changes, it can only expire at another time.
    if (expiresIn !== undefined && row) {
      await refreshTokens.put(response.token, row.value, fromNow(ctx, secondsOf(expiresIn)));
    }
    return response;
  }
  const changes = changesOf(ctx, options, isShaped);
  if (kind === "id" || kind === "logout") {
    const token = await rewrite(ctx, response.token, changes);
    return { ...response, [`${kind}_token`]: token, token };
  }
  const token = await rewrite(ctx, response.access_token, changes);
  const { id_token } = response;
  const { claims: { cnf }, omit } = changes;
  const isBoundToKey = isObject(cnf) && typeof cnf.jkt === "string" && !omit.includes("cnf");
  return {
    ...response,
    ...isBoundToKey && { token_type: "DPoP" },
    ...expiresIn !== undefined && { expires_in: secondsOf(expiresIn) },
    access_token: token,
    token,
    ...id_token && kind === undefined && { id_token: await rewrite(ctx, id_token, changes) },
  };
}

/** What differs between a minted token and that of a flow. */
interface TokenChanges {
  claims: Record<string, unknown>;
  header: Record<string, unknown>;
  omit: readonly string[];
  secret: string | undefined;
  bare: boolean;
}

const bareClaims = ["iss", "sub", "aud", "iat", "exp"];

function changesOf(ctx: Context, options: MintOptions, isShaped: boolean): TokenChanges {
  const { kind, audience, expiresIn, claims, header = {}, omit = [], secret } = options;
  const { bare = false } = options;
  const isForClient = kind === "id" || kind === "logout";
  // The dialect of a provider may have replaced the audience.
  const hasOtherAudience = isForClient || isShaped;
  return {
    claims: {
      ...hasOtherAudience && audience != null && { aud: audience },
      ...claims,
      ...expiresIn !== undefined && timesOf(ctx, secondsOf(expiresIn)),
    },
    header,
    omit,
    secret,
    bare,
  };
}

function timesOf(ctx: Context, lifetime: number): { iat: number; exp: number } {
  const now = numericDate(ctx);
  return { exp: now + lifetime, iat: Math.min(now, now + lifetime) };
}

function secondsOf(expiresIn: NonNullable<MintOptions["expiresIn"]>): number {
  return Math.floor(readSpan(expiresIn) / 1000);
}

async function rewrite(ctx: Context, token: string, changes: TokenChanges): Promise<string> {
  const { claims, header, omit, secret, bare } = changes;
  const isChanged = secret !== undefined || bare ||
    [claims, header, omit].some((each) => Object.keys(each).length > 0);
  if (!isChanged) return token;
  const sealed = sealedTextOf(ctx, token);
  if (sealed) return await sealed.seal(await rewrite(ctx, sealed.text, changes));
  const jwt = await readSignedToken(ctx, token);
  if (!jwt) {
    if (bare) {
      throw new LabError("A bare token is a JWT, and those of this client or API are opaque.");
    }
    if (secret !== undefined) throw new LabError("An opaque token has no signature.");
    return await storeOpaqueToken(ctx, token, claims, omit);
  }
  const { kid: _, ...unnamed } = jwt.header;
  // The `kid` names a key of the server, which a secret is not.
  const members = secret === undefined ? jwt.header : { ...unnamed, alg: "HS256" };
  const key = secret === undefined
    ? await signingKeyOf(ctx, jwt.header, jwt.claims.aud)
    : new TextEncoder().encode(secret);
  const bareMembers = bareClaims.map((name) => [name, jwt.claims[name]] as const);
  const own = bare ? Object.fromEntries(bareMembers) : jwt.claims;
  return await signJwt({
    header: withoutNull({ ...members, ...header }),
    claims: without({ ...own, ...claims }, omit),
    key,
  });
}

function without(
  claims: Record<string, unknown>,
  omit: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !omit.includes(name)));
}

function withoutNull(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}
