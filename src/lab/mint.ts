import { SignJWT } from "jose";
import { listClients, listUsers } from "../issuer/admin/directory_entries.ts";
import { createAuthorization } from "../issuer/authorizations/authorizations.ts";
import type { Context } from "../issuer/context.ts";
import { randomId } from "../issuer/random.ts";
import { instantOf, numericDate } from "../issuer/time.ts";
import { issueTokens, type TokenResponse } from "../issuer/tokens/issue_tokens.ts";
import type { Client } from "../model/client.ts";
import type { User } from "../model/user.ts";
import { isResourceUri } from "../protocol/resource.ts";
import { isScopeToken } from "../protocol/scope.ts";
import type { Duration } from "../util/duration.ts";
import { readSpan } from "./clock.ts";
import { LabError, unknownName } from "./lab_error.ts";
import { readJwt } from "./recording/credentials.ts";

/** An order for tokens, without any flow. */
export interface MintOptions {
  /** A user, by name or by `sub`; or a confidential client, which then has a token for itself. */
  sub: string;
  /** Any scope, known or not. Default: the client's. */
  scope?: string;
  /** Default: the first client that people use. */
  client?: string;
  /** The resources that the access token is for. Default: as the server would choose. */
  audience?: string | string[];
  /** From now on; with a minus, the token has expired already: "-1m". Default: as configured. */
  expiresIn?: Duration | `-${string}`;
  /** More claims for the access token and the ID token. */
  claims?: Record<string, unknown>;
}

/** Gives tokens as a flow would: the server knows them, introspects them, and can revoke them. */
export async function mint(ctx: Context, options: MintOptions): Promise<TokenResponse> {
  checkOptions(options);
  const { sub, audience = [] } = options;
  const client = await findClientOf(ctx, options.client ?? await defaultClient(ctx, sub));
  const scope = options.scope === undefined
    ? client.defaultScope
    : options.scope.split(" ").filter(Boolean);
  const resources = [audience].flat();
  if (sub === client.id) {
    return await finish(ctx, options, client, await issueTokens(ctx, client, { scope, resources }));
  }
  const user = await findUserOf(ctx, sub);
  const session = {
    sid: randomId(ctx),
    userName: user.name,
    subject: user.subject,
    authTime: numericDate(ctx),
    amr: ["pwd"],
  };
  const receiver = withRefresh(client, scope.includes("offline_access"));
  const authorizationRequest = {
    clientId: client.id,
    responseTarget: {
      redirectUri: client.redirectUris[0] ?? "",
      mode: "query" as const,
      trusted: true,
      promptsNone: true,
    },
    scope,
    resources,
    prompt: [],
  };
  const authorization = await createAuthorization(ctx, receiver, authorizationRequest, {
    session,
    user,
  });
  return await finish(
    ctx,
    options,
    client,
    await issueTokens(ctx, receiver, { scope, resources, authorization }),
  );
}

/** A refresh token comes with `offline_access`, and only with it. */
function withRefresh(client: Client, refresh: boolean): Client {
  const others = client.grantTypes.filter((type) => type !== "refresh_token");
  return { ...client, grantTypes: refresh ? [...others, "refresh_token"] : others };
}

/** Puts in what no flow could have asked for. */
async function finish(
  ctx: Context,
  { expiresIn, claims }: MintOptions,
  { id }: Client,
  response: TokenResponse,
): Promise<TokenResponse> {
  ctx.emit({
    type: "token.issued",
    client: id,
    grantType: "minted",
    scope: response.scope?.split(" ") ?? [],
  });
  if (expiresIn === undefined && claims === undefined) return response;
  const expires_in = expiresIn === undefined
    ? response.expires_in
    : Math.floor(readSpan(expiresIn) / 1000);
  const now = numericDate(ctx);
  const changes = {
    ...claims,
    ...expiresIn !== undefined && { exp: now + expires_in, iat: Math.min(now, now + expires_in) },
  };
  const { id_token } = response;
  return {
    ...response,
    expires_in,
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
  const { privateKey } = (await ctx.keys.find(String(jwt.header.kid)))!;
  return await new SignJWT({ ...jwt.claims, ...changes }).setProtectedHeader({
    ...jwt.header,
    alg: String(jwt.header.alg),
  }).sign(
    privateKey,
  );
}

async function rewriteOpaque(
  ctx: Context,
  token: string,
  changes: Record<string, unknown>,
): Promise<string> {
  const row = (await ctx.records.opaqueTokens.find(token))!;
  const claims = { ...row.claims, ...changes };
  await ctx.records.opaqueTokens.put(token, { claims }, instantOf(claims.exp));
  return token;
}

async function findClientOf(ctx: Context, id: string): Promise<Client> {
  const clients = (await listClients(ctx)).map(({ value }) => value);
  const client = clients.find((each) => each.id === id);
  if (!client) throw unknownName("client", id, clients.map((each) => each.id));
  return client;
}

async function defaultClient(ctx: Context, sub: string): Promise<string> {
  const clients = (await listClients(ctx)).map(({ value }) => value);
  const itself = clients.find(({ id }) => id === sub);
  const forPeople = clients.find(({ grantTypes }) => grantTypes.includes("authorization_code"));
  const chosen = itself ?? forPeople ?? clients[0];
  if (!chosen) throw new LabError("This lab has no client that tokens could be for.");
  return chosen.id;
}

async function findUserOf(ctx: Context, sub: string): Promise<User> {
  const users = (await listUsers(ctx)).map(({ value }) => value);
  const user = users.find(({ name, subject }) => name === sub || subject === sub);
  if (!user) throw unknownName("user", sub, users.map(({ name }) => name));
  return user;
}

const members = ["sub", "scope", "client", "audience", "expiresIn", "claims"];

function checkOptions(options: MintOptions): void {
  const stranger = Object.keys(options).find((name) => !members.includes(name));
  if (stranger) throw unknownName("member of a token order", stranger, members);
  if (typeof options.sub !== "string") {
    throw new LabError(
      "The 'sub' says whom the token is about: the name of a user, or the id of a client.",
    );
  }
  if (
    options.scope !== undefined &&
    !(typeof options.scope === "string" &&
      options.scope.split(" ").filter(Boolean).every(isScopeToken))
  ) {
    throw new LabError("The 'scope' is a text of scope tokens, with spaces between them.");
  }
  if (
    ![options.audience ?? []].flat().every((each) =>
      typeof each === "string" && isResourceUri(each)
    )
  ) {
    throw new LabError("The 'audience' is an absolute URI without a fragment, or a list of them.");
  }
  if (options.expiresIn !== undefined) readSpan(options.expiresIn);
}
