import { SignJWT } from "jose";
import { listClients, listUsers } from "../issuer/admin/directory_entries.ts";
import { createAuthorization } from "../issuer/authorizations/authorizations.ts";
import type { Context } from "../issuer/context.ts";
import { randomId } from "../issuer/random.ts";
import type { Session } from "../issuer/records/rows.ts";
import { numericDate, toMilliseconds } from "../issuer/time.ts";
import { issueTokens, type TokenResponse } from "../issuer/tokens/issue_tokens.ts";
import type { Client } from "../model/client.ts";
import type { User } from "../model/user.ts";
import { isResourceUri } from "../protocol/resource.ts";
import { isScopeToken } from "../protocol/scope.ts";
import type { Duration } from "../util/duration.ts";
import { readSpan } from "./clock.ts";
import { LabError, unknownName } from "./lab_error.ts";
import { readJwt } from "./recording/credentials.ts";

const optionNames = ["sub", "scope", "client", "audience", "expiresIn", "claims"];

/** Which tokens to mint. */
export interface MintOptions {
  /**
   * The name or the `sub` of a user; or the id of a confidential client, for a token of its own.
   */
  sub: string;
  /**
   * The scope, whether or not the server knows it. With `openid` there is an ID token; with
   * `offline_access` there is a refresh token.
   *
   * @default the default scope of the client
   */
  scope?: string | undefined;
  /**
   * The id of the client.
   *
   * @default the first client that users sign in to
   */
  client?: string | undefined;
  /**
   * The resources that the access token is for.
   *
   * @default the default resource of the server
   */
  audience?: string | string[] | undefined;
  /**
   * The lifetime of the tokens. With a minus sign, they have already expired: `"-1m"`.
   *
   * @default the configured lifetime
   */
  expiresIn?: Duration | `-${string}` | undefined;
  /** Additional claims for the access token and the ID token. */
  claims?: Record<string, unknown> | undefined;
}

/** Issues tokens as a flow would: the server can introspect, refresh and revoke them. */
export async function mint(ctx: Context, options: MintOptions): Promise<TokenResponse> {
  checkOptions(options);
  const client = await findMintClient(ctx, options);
  const response = await issue(ctx, client, options);
  ctx.emit({
    type: "token.issued",
    client: client.id,
    grantType: "minted",
    scope: splitScope(response.scope ?? ""),
  });
  return await applyOptions(ctx, options, response);
}

async function issue(ctx: Context, client: Client, options: MintOptions): Promise<TokenResponse> {
  const scope = options.scope === undefined ? client.defaultScope : splitScope(options.scope);
  const resources = [options.audience ?? []].flat();
  if (options.sub === client.id) return await issueTokens(ctx, client, { scope, resources });
  const user = await findMintUser(ctx, options.sub);
  const receiver = withRefresh(client, scope.includes("offline_access"));
  const authorization = await createAuthorization(
    ctx,
    receiver,
    {
      clientId: client.id,
      responseTarget: {
        redirectUri: client.redirectUris[0] ?? "",
        mode: "query",
        trusted: true,
        promptsNone: true,
      },
      scope,
      resources,
      prompt: [],
    },
    { session: sessionOf(ctx, user), user },
  );
  return await issueTokens(ctx, receiver, { scope, resources, authorization });
}

/** Returns the session of a user who has just signed in with a password. */
function sessionOf(ctx: Context, { name, subject }: User): Session {
  return {
    sid: randomId(ctx),
    userName: name,
    subject,
    authTime: numericDate(ctx),
    amr: ["pwd"],
  };
}

/** Returns the client with or without refresh tokens, which come with `offline_access` only. */
function withRefresh(client: Client, refresh: boolean): Client {
  const otherGrantTypes = client.grantTypes.filter((type) => type !== "refresh_token");
  return {
    ...client,
    grantTypes: refresh ? [...otherGrantTypes, "refresh_token"] : otherGrantTypes,
  };
}

/** Gives the tokens the lifetime and the claims that no flow could ask for. */
async function applyOptions(
  ctx: Context,
  { expiresIn, claims }: MintOptions,
  response: TokenResponse,
): Promise<TokenResponse> {
  if (expiresIn === undefined && claims === undefined) return response;
  const lifetime = expiresIn === undefined
    ? response.expires_in
    : Math.floor(readSpan(expiresIn) / 1000);
  const now = numericDate(ctx);
  const times = { exp: now + lifetime, iat: Math.min(now, now + lifetime) };
  const changes = { ...claims, ...expiresIn !== undefined && times };
  const { id_token } = response;
  return {
    ...response,
    expires_in: lifetime,
    access_token: await rewrite(ctx, response.access_token, changes),
    ...id_token && { id_token: await rewrite(ctx, id_token, changes) },
  };
}

async function rewrite(
  ctx: Context,
  token: string,
  changes: Record<string, unknown>,
): Promise<string> {
  const jwt = readJwt(token);
  if (!jwt) return await rewriteOpaque(ctx, token, changes);
  const key = await ctx.keys.find(String(jwt.header.kid));
  if (!key) throw new LabError("The key that signed this token has been removed.");
  return await new SignJWT({ ...jwt.claims, ...changes })
    .setProtectedHeader({ ...jwt.header, alg: String(jwt.header.alg) })
    .sign(key.privateKey);
}

async function rewriteOpaque(
  ctx: Context,
  token: string,
  changes: Record<string, unknown>,
): Promise<string> {
  const row = await ctx.records.opaqueTokens.find(token);
  if (!row) return token;
  const claims = { ...row.claims, ...changes };
  await ctx.records.opaqueTokens.put(token, { claims }, toMilliseconds(claims.exp));
  return token;
}

async function findMintClient(ctx: Context, { client: id, sub }: MintOptions): Promise<Client> {
  const clients = (await listClients(ctx)).map(({ value }) => value);
  const client = id === undefined
    ? defaultClient(clients, sub)
    : clients.find((each) => each.id === id);
  if (client) return client;
  if (id === undefined) throw new LabError("This lab has no client to mint a token for.");
  throw unknownName("client", id, clients.map((each) => each.id));
}

function defaultClient(clients: readonly Client[], sub: string): Client | undefined {
  return clients.find(({ id }) => id === sub) ??
    clients.find(({ grantTypes }) => grantTypes.includes("authorization_code")) ??
    clients[0];
}

async function findMintUser(ctx: Context, sub: string): Promise<User> {
  const users = (await listUsers(ctx)).map(({ value }) => value);
  const user = users.find(({ name, subject }) => name === sub || subject === sub);
  if (!user) throw unknownName("user", sub, users.map(({ name }) => name));
  return user;
}

function splitScope(scope: string): string[] {
  return scope.split(" ").filter(Boolean);
}

function checkOptions(options: MintOptions): void {
  const { sub, scope, audience, expiresIn } = options;
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name));
  if (unknown) throw unknownName("token option", unknown, optionNames);
  if (typeof sub !== "string") {
    throw new LabError("'sub' must be the name of a user or the id of a client.");
  }
  if (scope !== undefined && !isScope(scope)) {
    throw new LabError("'scope' must be text: scope tokens with spaces between them.");
  }
  if (![audience ?? []].flat().every(isAudience)) {
    throw new LabError("'audience' must be an absolute URI without a fragment, or a list of them.");
  }
  if (expiresIn !== undefined) readSpan(expiresIn);
}

function isScope(value: unknown): boolean {
  return typeof value === "string" && splitScope(value).every(isScopeToken);
}

function isAudience(value: unknown): boolean {
  return typeof value === "string" && isResourceUri(value);
}
