import { checkValue, type Schema } from "../../server/config/schema.ts";
import type { Context } from "../../server/issuer/context.ts";
import { randomSecret } from "../../server/issuer/random.ts";
import { fromNow } from "../../server/issuer/time.ts";
import type { Client } from "../../server/model/client.ts";
import { OAuthError } from "../../server/protocol/oauth_error.ts";
import { pkceRequirementOf } from "../../server/protocol/pkce.ts";
import { sha256 } from "../../server/util/crypto/hash.ts";
import type { Duration } from "../../server/util/time/duration.ts";
import { readSpan } from "../util/clock.ts";
import { LabError } from "../util/lab_error.ts";
import { requireMintClient, requireMintUser } from "./mint_parties.ts";
import { issueCodeWithoutRequest } from "./unrequested_code.ts";

const text: Schema = { type: "string" };

const schema: Schema = {
  type: "object",
  required: ["user"],
  members: {
    kind: { type: "enum", values: ["code"] },
    user: text,
    client: text,
    redirectUri: text,
    scope: text,
    audience: { type: "anyOf", options: [text, { type: "array", items: text }] },
    nonce: text,
    state: text,
    codeChallenge: text,
    expiresIn: { type: "unknown" },
  },
};

/** Which authorization code to mint, for a test that begins at the callback. */
export interface MintCodeOptions {
  /** What to mint. */
  kind: "code";
  /** The name or the `sub` of the user who signed in and allowed the request. */
  user: string;
  /**
   * The id of the client.
   *
   * @default the first client that users sign in to
   */
  client?: string | undefined;
  /**
   * The redirect URI, which the token request repeats.
   *
   * @default the first of the client
   */
  redirectUri?: string | undefined;
  /**
   * The scope, as the authorization request would have it.
   *
   * @default the default scope of the client
   */
  scope?: string | undefined;
  /**
   * The APIs that access is for: the parameter `resource`.
   *
   * @default the default resource of the server
   */
  audience?: string | string[] | undefined;
  /**
   * The `nonce` of the authorization request, for the ID token.
   *
   * @default none
   */
  nonce?: string | undefined;
  /**
   * The `state` of the authorization request, for the callback.
   *
   * @default none
   */
  state?: string | undefined;
  /**
   * The S256 challenge of the client's own code verifier.
   *
   * @default that of a new verifier, which the result has, if the client must use PKCE
   */
  codeChallenge?: string | undefined;
  /**
   * The lifetime of the code, up to the configured one. With a minus sign, it has already expired:
   * `"-1s"`.
   *
   * @default the configured lifetime
   */
  expiresIn?: Duration | `-${string}` | undefined;
}

/** A minted code, with what a token request needs beside it. */
export interface MintedCode {
  /** The code. */
  token: string;
  /** The code. */
  code: string;
  /** The client that can redeem it. */
  client_id: string;
  /** The redirect URI that the token request repeats. */
  redirect_uri: string;
  /** The verifier of the code, unless the test has one or the client may do without. */
  code_verifier?: string;
  /** The URL at which the browser would bring the code to the client. */
  callback: string;
}

/** Issues a code as the authorization endpoint would: a request that a user has just allowed. */
export async function mintCode(ctx: Context, options: MintCodeOptions): Promise<MintedCode> {
  checkMintCodeOptions(ctx, options);
  const client = await requireMintClient(ctx, options.client, undefined);
  const user = await requireMintUser(ctx, options.user);
  const needsVerifier = options.codeChallenge === undefined &&
    pkceRequirementOf(client) !== "optional";
  const codeVerifier = needsVerifier ? randomSecret(ctx) : undefined;
  const codeChallenge = codeVerifier === undefined
    ? options.codeChallenge
    : await sha256(codeVerifier);
  const parameters = parametersOf(client, { ...options, codeChallenge });
  const { code, redirectUri, callback } = await issueCodeWithoutRequest(
    ctx,
    client,
    user,
    parameters,
  ).catch(throwAsLabError);
  await setExpiration(ctx, code, options);
  return {
    token: code,
    code,
    client_id: client.id,
    redirect_uri: redirectUri,
    ...codeVerifier !== undefined && { code_verifier: codeVerifier },
    callback,
  };
}

function checkMintCodeOptions({ settings }: Context, options: MintCodeOptions): void {
  const problems: string[] = [];
  checkValue(schema, options, "", (path, problem) => void problems.push(`'${path}' ${problem}`));
  if (problems.length > 0) throw new LabError(`Cannot mint a code: ${problems.join("; ")}.`);
  const { expiresIn } = options;
  const { code: lifetime } = settings.lifetimes;
  if (expiresIn !== undefined && Math.abs(readSpan(expiresIn)) > lifetime * 1000) {
    throw new LabError(`The 'expiresIn' of a code must be at most ${lifetime} seconds, as set.`);
  }
}

function throwAsLabError(cause: unknown): never {
  if (!(cause instanceof OAuthError)) throw cause;
  throw new LabError(`Cannot mint a code: ${cause.message}`, { cause });
}

/** Returns the authorization request that the options stand for. */
function parametersOf(
  client: Client,
  { redirectUri = client.redirectUris[0], scope, audience, nonce, state, codeChallenge }:
    MintCodeOptions,
): Array<[name: string, value: string]> {
  const single = {
    response_type: "code",
    client_id: client.id,
    redirect_uri: redirectUri,
    // The user was asked, so that the scope may have `offline_access`.
    prompt: "consent",
    scope,
    nonce,
    state,
    code_challenge: codeChallenge,
    code_challenge_method: codeChallenge && "S256",
  };
  const resources = [audience ?? []].flat();
  return [
    ...Object.entries(single).flatMap(([name, value]): Array<[string, string]> =>
      value === undefined ? [] : [[name, value]]
    ),
    ...resources.map((resource): [string, string] => ["resource", resource]),
  ];
}

async function setExpiration(
  ctx: Context,
  code: string,
  { expiresIn }: MintCodeOptions,
): Promise<void> {
  const row = await ctx.records.codes.get(code);
  if (expiresIn === undefined || !row) return;
  const seconds = Math.floor(readSpan(expiresIn) / 1000);
  await ctx.records.codes.put(code, row.value, fromNow(ctx, seconds));
}
