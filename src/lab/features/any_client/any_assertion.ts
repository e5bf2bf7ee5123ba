import { importJWK } from "jose";
import type { IncomingRequest } from "../../../server/http/incoming_request.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { randomId } from "../../../server/issuer/random.ts";
import { numericDate } from "../../../server/issuer/time.ts";
import type { Client } from "../../../server/model/client.ts";
import { clientAssertionType } from "../../../server/protocol/client_assertion.ts";
import { demoKey, demoPublicKey } from "../../demo/demo_keys.ts";
import { readJwt } from "../../recording/credentials.ts";
import type { WireRequest } from "../../recording/exchange.ts";
import { changeRequest } from "../../recording/wire_request.ts";
import { signJwt } from "../../tokens/signed_tokens.ts";

const assertionLifetime = 60;

/** The authentication of a client whose assertions the lab signs in its place. */
export const assertionAuthentication = {
  authentication: ["private_key_jwt"],
  jwks: { keys: [demoPublicKey] },
} satisfies Partial<Client>;

/** Whether a client has that authentication. */
export function acceptsAnyAssertion({ jwks }: Client): boolean {
  return jwks?.keys.some(({ kid }) => kid === demoPublicKey.kid) ?? false;
}

/**
 * Whether a request has an assertion about a client with all that RFC 7523, section 3, requires.
 * Its signature, audience and times are not checked: the lab does not know the client's keys.
 */
export function hasWellFormedAssertion({ form }: WireRequest, clientId: string): boolean {
  if (form.get("client_assertion_type") !== clientAssertionType) return false;
  const assertion = form.get("client_assertion") ?? "";
  const { header, claims } = readJwt(assertion) ?? { header: {}, claims: {} };
  const { iss, sub, aud, exp } = claims;
  const isSigned = typeof header.alg === "string" && header.alg !== "none" &&
    /^[^.]+\.[^.]+\.[^.]+$/.test(assertion);
  return isSigned && iss === clientId && sub === clientId && aud !== undefined &&
    Number.isFinite(exp);
}

/** Replaces an assertion by one that the server can verify. The record keeps what was sent. */
export async function withVerifiableAssertion(
  ctx: Context,
  clientId: string,
  request: IncomingRequest,
  wireRequest: WireRequest,
): Promise<IncomingRequest> {
  const now = numericDate(ctx);
  const assertion = await signJwt({
    header: { alg: demoKey.alg, kid: demoKey.kid },
    claims: {
      iss: clientId,
      sub: clientId,
      aud: ctx.settings.issuer,
      jti: randomId(ctx),
      iat: now,
      exp: now + assertionLifetime,
    },
    key: await importJWK(demoKey),
  });
  const form = new URLSearchParams(wireRequest.form);
  form.set("client_assertion", assertion);
  return changeRequest(request, wireRequest, form.toString());
}
