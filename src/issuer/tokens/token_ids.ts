import type { Client } from "../../model/client.ts";
import type { Context } from "../context.ts";
import { randomId } from "../random.ts";
import type { Entitlement } from "./entitlement.ts";

/**
 * The `jti` of a token tells where the token came from: the authorization, then every token that was exchanged for
 * the next one, then the token itself, with points between them. A client's own token has no authorization; where its client
 * can be disabled, it begins with the client's epoch:
 * `authorization.token`, `authorization.token.exchanged`; `token`, `.token.exchanged`; `@epoch.token`, `@epoch.token.exchanged`.
 */
export function nextTokenId(
  ctx: Context,
  client: Pick<Client, "epoch">,
  { authorization, exchanged }: TokenOrigin,
): string {
  if (exchanged) return `${withOrigin(exchanged.jti)}.${randomId(ctx)}`;
  const origin = authorization?.id ?? (client.epoch && `@${client.epoch}`);
  return origin === undefined ? randomId(ctx) : `${origin}.${randomId(ctx)}`;
}

type TokenOrigin = Pick<Entitlement, "authorization" | "exchanged">;

/** The authorization that a token came from; none for one that a client got for itself, or that such a one was exchanged for. */
export function parentOf(jti: string): string | undefined {
  const [origin] = withOrigin(jti).split(".");
  return origin === "" || origin.startsWith("@") ? undefined : origin;
}

/** The epoch of the client that got a token for itself. */
export function epochOf(jti: string): string | undefined {
  const [origin] = withOrigin(jti).split(".");
  return origin.startsWith("@") ? origin.slice(1) : undefined;
}

/** Whether a token was given in exchange for another one. */
export function isExchanged(jti: string): boolean {
  return withOrigin(jti).split(".").length > 2;
}

/** A token, and all those it was exchanged for: it stands as long as none of them was revoked. */
export function lineOf(jti: string): string[] {
  const parts = jti.split(".");
  const line = parts.slice(2).map((_, at) => parts.slice(0, at + 3).join("."));
  const first = parts[0] === "" ? parts[1] : parts.slice(0, 2).join(".");
  return [first, ...line];
}

function withOrigin(jti: string): string {
  return jti.includes(".") ? jti : `.${jti}`;
}
