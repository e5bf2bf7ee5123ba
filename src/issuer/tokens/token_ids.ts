import type { Client } from "../../model/client.ts";
import type { Context } from "../context.ts";
import { randomId } from "../random.ts";
import type { Entitlement } from "./entitlement.ts";

/** What a token is issued from. */
type TokenOrigin = Pick<Entitlement, "authorization" | "subjectToken">;

/**
 * Returns a new `jti`, which tells where the token came from: the authorization, then every token
 * that was exchanged for the next one, then the token itself, separated by points. A client's own
 * token has no authorization. If the client has an epoch, the `jti` begins with that:
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
 * Returns the authorization that a token came from, or undefined for a client's own token and for
 * those exchanged for one.
 */
export function parentAuthorizationId(jti: string): string | undefined {
  const origin = originOf(jti);
  return origin === "" || origin.startsWith("@") ? undefined : origin;
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

/** A client's own token has an empty origin. */
function withOrigin(jti: string): string {
  return jti.includes(".") ? jti : `.${jti}`;
}
