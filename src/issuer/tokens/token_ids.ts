import type { ConcernedIds } from "../../config/event_request.ts";
import type { Client } from "../../model/client.ts";
import type { Context } from "../context.ts";
import { randomId } from "../random.ts";
import type { Entitlement } from "./entitlement.ts";

/** The authorization or the subject token that a token is issued for. */
type TokenOrigin = Pick<Entitlement, "authorization" | "subjectToken">;

/**
 * Returns a new `jti`, which contains the origin of the token. Its parts are separated by dots: the
 * id of the authorization, then every token that was exchanged for the next one, then the token
 * itself. A client's own token has no authorization; it begins with the client's epoch, if any:
 * `authorization.token`, `authorization.token.exchanged`; `token`, `.token.exchanged`;
 * `@epoch.token`, `@epoch.token.exchanged`.
 */
export function newTokenId(
  ctx: Context,
  client: Pick<Client, "epoch">,
  { authorization, subjectToken }: TokenOrigin,
): string {
  if (subjectToken) return `${withOrigin(subjectToken.jti)}.${randomId(ctx)}`;
  const origin = authorization?.id ?? (client.epoch && `@${client.epoch}`);
  return origin === undefined ? randomId(ctx) : `${origin}.${randomId(ctx)}`;
}

/**
 * Returns the id of the authorization behind a token. A client's own token has none, and neither
 * have the tokens issued in exchange for it.
 */
export function parentAuthorizationId(jti: string): string | undefined {
  const origin = originOf(jti);
  return origin === "" || origin.startsWith("@") ? undefined : origin;
}

/** Returns what a request concerns that presents or gets a token. */
export function concernedBy(jti: string): ConcernedIds {
  const authorization = parentAuthorizationId(jti);
  const [ownToken = jti] = exchangeChain(jti);
  return authorization === undefined ? { ownToken } : { authorization };
}

/** Returns the epoch of the client that got a token for itself. */
export function clientEpochOf(jti: string): string | undefined {
  const origin = originOf(jti);
  return origin.startsWith("@") ? origin.slice(1) : undefined;
}

/** Whether a token was issued in exchange for another one. */
export function isExchanged(jti: string): boolean {
  return withOrigin(jti).split(".").length > 2;
}

/** Returns the ids of a token and of all tokens that it was exchanged for, the first one first. */
export function exchangeChain(jti: string): string[] {
  const [origin = "", first = "", ...exchanges] = withOrigin(jti).split(".");
  const chain = [origin === "" ? first : `${origin}.${first}`];
  let id = `${origin}.${first}`;
  for (const exchange of exchanges) chain.push(id = `${id}.${exchange}`);
  return chain;
}

function originOf(jti: string): string {
  const [origin = ""] = withOrigin(jti).split(".");
  return origin;
}

/** Returns an id that always has an origin: that of a client's own token is empty. */
function withOrigin(jti: string): string {
  return jti.includes(".") ? jti : `.${jti}`;
}
