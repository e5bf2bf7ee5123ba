import type { ConcernedIds } from "../../config/events.ts";
import type { Client } from "../../model/client.ts";
import { memoize } from "../../util/values/memoize.ts";
import type { Context } from "../context.ts";
import { randomId } from "../random.ts";
import type { Entitlement } from "./entitlement.ts";

/** What a token was issued from, as its `jti` contains it. */
export interface TokenOrigin {
  /** The authorization. A client's own token has none, and neither have those exchanged for it. */
  authorizationId?: string;
  /** The epoch of the client that got the first token of the chain for itself. */
  clientEpoch?: string;
  /** The ids of all tokens that were exchanged for the next one, and at last that of the token. */
  chain: readonly string[];
}

/**
 * Returns a new `jti`, which contains the origin of the token: the id of the authorization or `@`
 * and the epoch of the client, then the random id of each token of the chain, separated by dots. A
 * client without an epoch has an empty origin, which a token that was not exchanged leaves out
 * together with its dot.
 */
export function newTokenId(
  ctx: Context,
  client: Client,
  { authorization, subjectToken }: Pick<Entitlement, "authorization" | "subjectToken">,
): string {
  if (subjectToken) {
    const { jti } = subjectToken;
    // The origin of a client's own token is empty.
    return `${jti.includes(".") ? jti : `.${jti}`}.${randomId(ctx)}`;
  }
  const origin = authorization?.id ?? (client.epoch && `@${client.epoch}`);
  return origin === undefined ? randomId(ctx) : `${origin}.${randomId(ctx)}`;
}

/** How many ids are remembered: the check of a token needs what its id contains twice. */
const maxRememberedIds = 1000;

export const readTokenId = memoize(readOrigin, maxRememberedIds);

function readOrigin(jti: string): TokenOrigin {
  if (!jti.includes(".")) return { chain: [jti] };
  const [origin = "", first = "", ...exchanges] = jti.split(".");
  const chain = [origin === "" ? first : `${origin}.${first}`];
  let id = `${origin}.${first}`;
  for (const exchange of exchanges) chain.push(id = `${id}.${exchange}`);
  if (origin === "") return { chain };
  return origin.startsWith("@")
    ? { clientEpoch: origin.slice(1), chain }
    : { authorizationId: origin, chain };
}

/** Returns what a request concerns that presents or gets a token. */
export function concernedBy(jti: string): ConcernedIds {
  const { authorizationId, chain: [ownToken = jti] } = readTokenId(jti);
  return authorizationId === undefined ? { ownToken } : { authorization: authorizationId };
}
