import type { Context } from "../context.ts";
import type { Entitlement } from "./entitlement.ts";
import { randomId } from "../random.ts";

/**
 * The `jti` of a token tells where the token came from: the authorization, then every token that was exchanged for
 * the next one, then the token itself, with points between them. A client's own token has no authorization:
 * `authorization.token`, `authorization.token.exchanged`; `token`, `.token.exchanged`.
 */
export function nextTokenId(ctx: Context, { authorization, exchanged }: Pick<Entitlement, "authorization" | "exchanged">): string {
  const before = exchanged ? withOrigin(exchanged.jti) : authorization?.id;
  return before === undefined ? randomId(ctx) : `${before}.${randomId(ctx)}`;
}

/** The authorization that a token came from; none for one that a client got for itself, or that such a one was exchanged for. */
export function parentOf(jti: string): string | undefined {
  return withOrigin(jti).split(".")[0] || undefined;
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
