import { isScopeToken } from "../protocol/scope.ts";
import { day, type Duration } from "../util/duration.ts";
import { isObject } from "../util/json.ts";
import { readSpan } from "./clock.ts";
import { LabError, unknownName } from "./lab_error.ts";

const optionNames = [
  ...[
    "sub",
    "kind",
    "scope",
    "client",
    "audience",
    "expiresIn",
    "claims",
    "header",
    "omit",
    "secret",
  ],
];

/** In milliseconds. */
const maxLifetime = 36_500 * day * 1000;

const kinds: readonly MintKind[] = ["access", "id", "refresh", "logout"];

/** What a test can mint. */
export type MintKind = "access" | "id" | "refresh" | "logout";

/** Which tokens to mint. */
export interface MintOptions {
  /**
   * The name or the `sub` of a user; or the id of a client, for a token of its own. Any other text
   * is a subject that the server does not know: the signature of its tokens is valid, but
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
}

/** Checks the options of a test. */
export function checkMintOptions(options: MintOptions): void {
  const { sub, kind, scope, audience, expiresIn } = options;
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name));
  if (unknown) throw unknownName("token option", unknown, optionNames);
  if (typeof sub !== "string" || sub === "") {
    throw new LabError(
      "'sub' must be text: the name of a user, the id of a client, or any subject.",
    );
  }
  if (kind !== undefined && !kinds.includes(kind)) {
    throw unknownName("kind of token", String(kind), kinds);
  }
  if (scope !== undefined && !isScope(scope)) {
    throw new LabError("'scope' must be text: scope tokens with spaces between them.");
  }
  if (![audience ?? []].flat().every(isAudience)) {
    throw new LabError("'audience' must be text, or a list of texts.");
  }
  checkLifetime(expiresIn);
  checkChanges(options);
}

/** The times in a token, and those of its row in the store, must be real ones. */
function checkLifetime(expiresIn: MintOptions["expiresIn"]): void {
  if (expiresIn === undefined || Math.abs(readSpan(expiresIn)) <= maxLifetime) return;
  throw new LabError("'expiresIn' must be at most 36500d, before or after now.");
}

function checkChanges({ kind, audience, claims, header, omit, secret }: MintOptions): void {
  if (header !== undefined && (!isObject(header) || "alg" in header)) {
    throw new LabError("'header' must be an object without 'alg', which is that of the key.");
  }
  if (
    omit !== undefined && !(Array.isArray(omit) && omit.every((name) => typeof name === "string"))
  ) {
    throw new LabError("'omit' must be a list of names of claims.");
  }
  if (secret !== undefined && (typeof secret !== "string" || secret === "")) {
    throw new LabError("'secret' must be text: the secret that the API knows.");
  }
  if (kind === "refresh" && [audience, claims, header, omit, secret].some((each) => each != null)) {
    throw new LabError(
      "A refresh token is a random text, without 'audience', 'claims', 'header', 'omit' and 'secret'.",
    );
  }
}

function isScope(value: unknown): boolean {
  return typeof value === "string" && splitScope(value).every(isScopeToken);
}

function isAudience(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

/** Splits a scope into its tokens. */
export function splitScope(scope: string): string[] {
  return scope.split(" ").filter(Boolean);
}
