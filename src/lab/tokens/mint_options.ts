import { checkValue, type Schema } from "../../server/config/schema.ts";
import type { Context } from "../../server/issuer/context.ts";
import type { Client } from "../../server/model/client.ts";
import { isScopeToken } from "../../server/protocol/scope.ts";
import { day, type Duration } from "../../server/util/time/duration.ts";
import { readSpan } from "../util/clock.ts";
import { LabError } from "../util/lab_error.ts";

/** The kinds of tokens that no token response has, and what signs one about a subject. */
export type AddedTokens = Readonly<
  Record<string, (ctx: Context, client: Client, subject: string) => Promise<string>>
>;

/** In milliseconds. */
const maxLifetime = 36_500 * day * 1000;

const text: Schema = { type: "string" };
const object: Schema = { type: "map", values: { type: "unknown" } };

/** The options, except for what `checkMintOptions` reads itself: the scope and the lifetime. */
const schemaOf = (added: AddedTokens): Schema => ({
  type: "object",
  required: ["sub"],
  members: {
    sub: text,
    kind: { type: "enum", values: ["access", "id", "refresh", ...Object.keys(added), "code"] },
    scope: { type: "unknown" },
    client: text,
    audience: { type: "anyOf", options: [text, { type: "array", items: text }] },
    expiresIn: { type: "unknown" },
    claims: object,
    header: object,
    omit: { type: "array", items: text },
    secret: text,
    bare: { type: "boolean" },
  },
});

/** What a test can mint. */
export type MintKind = "access" | "id" | "refresh" | "logout";

/**
 * Which tokens to mint. By default they are those of a login. The access token has the claims
 * `iss`, `sub`, `aud`, `client_id`, `scope`, `iat`, `exp`, `jti` and, for a user, `auth_time` and
 * the user's claims that the configuration puts into access tokens. The ID token has `iss`, `sub`,
 * `aud`, `iat`, `exp`, `auth_time`, `amr`, `jti`, `at_hash`, for a client that takes part in logout
 * `sid`, and the user's claims that the configuration puts into ID tokens.
 */
export interface MintOptions {
  /**
   * The name or the `sub` of a user; or the id of a client, for a token without a user. Any other
   * text is a subject that the server does not know: the signature of its tokens is valid, but
   * introspection and userinfo know none of them.
   */
  sub: string;
  /**
   * Which token `token` is. If it is given, `audience`, `expiresIn`, `claims`, `header`, `omit` and
   * `secret` concern that token only; otherwise they concern the access token, and all but
   * `audience` the ID token as well.
   *
   * @default "access"
   */
  kind?: MintKind | undefined;
  /**
   * The scope, whether or not the server knows it. With `openid` there is an ID token, and userinfo
   * accepts the access token; with `offline_access` there is a refresh token.
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
   * The audience of the access token, or of another `kind` of token: URIs or names, whether or not
   * the server knows them.
   *
   * @default the default resource of the server, or the client
   */
  audience?: string | string[] | undefined;
  /**
   * The lifetime of the tokens, up to 36500 days. With a minus sign, they have already expired:
   * `"-1m"`.
   *
   * @default the configured lifetime
   */
  expiresIn?: Duration | `-${string}` | undefined;
  /** Additional claims for the access token and the ID token. They replace those of a flow. */
  claims?: Record<string, unknown> | undefined;
  /**
   * Members for the header of the JWT, such as `typ` and `kid`; `null` removes one. `alg` is that
   * of the key that signs.
   */
  header?: Record<string, unknown> | undefined;
  /** The names of claims to leave out. */
  omit?: readonly string[] | undefined;
  /**
   * A secret that signs the JWT with HS256, for APIs that share one with their provider. The server
   * does not know such a token.
   *
   * @default none: a key of the server signs
   */
  secret?: string | undefined;
  /**
   * Whether the token has the claims `iss`, `sub`, `aud`, `iat`, `exp` and those of `claims` only.
   * It is a JWT, and the server does not know it: it is without the `jti` that the server looks
   * for.
   *
   * @default false
   */
  bare?: boolean | undefined;
}

export function checkMintOptions(options: MintOptions, added: AddedTokens): void {
  const problems: string[] = [];
  checkValue(
    schemaOf(added),
    options,
    "",
    (path, problem) => void problems.push(`'${path}' ${problem}`),
  );
  if (problems.length > 0) throw new LabError(`Cannot mint a token: ${problems.join("; ")}.`);
  const { kind, scope, audience, expiresIn, claims, header, omit, secret, bare } = options;
  if (scope !== undefined && !isScope(scope)) {
    throw new LabError("'scope' must be text: scope tokens with spaces between them.");
  }
  // The times in a token, and those of its row in the store, must be real ones.
  if (expiresIn !== undefined && Math.abs(readSpan(expiresIn)) > maxLifetime) {
    throw new LabError("'expiresIn' must be at most 36500d, before or after now.");
  }
  if (header && "alg" in header) {
    throw new LabError("'header' must be without 'alg', which is that of the key.");
  }
  if (
    kind === "refresh" &&
    [audience, claims, header, omit, secret, bare].some((each) => each != null)
  ) {
    throw new LabError(
      "A refresh token is a random text, without 'audience', 'claims', 'header', 'omit', " +
        "'secret' and 'bare'.",
    );
  }
}

function isScope(value: unknown): boolean {
  return typeof value === "string" && splitScope(value).every(isScopeToken);
}

export function splitScope(scope: string): string[] {
  return scope.split(" ").filter(Boolean);
}
