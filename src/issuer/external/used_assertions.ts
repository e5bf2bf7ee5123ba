import { usableUntil } from "../../protocol/jwt.ts";
import type { Context } from "../context.ts";
import { joinedId } from "../records/joined_id.ts";
import { instantOf } from "../time.ts";

/** Who signed an assertion: a client, or an issuer that is trusted. One can never stand for the other. */
type AssertionIssuer = { client: string } | { issuer: string };

/** An assertion is used once, in however many hands it is (RFC 7523, section 3). True to exactly one caller. */
export async function consumeAssertionOnce(
  ctx: Context,
  signer: AssertionIssuer,
  claims: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  // No client has an empty id.
  const parts = "client" in signer ? [signer.client] : ["", signer.issuer];
  return await ctx.records.usedAssertions.add(
    joinedId(...parts, String(claims.jti)),
    null,
    instantOf(usableUntil(claims)),
  );
}
