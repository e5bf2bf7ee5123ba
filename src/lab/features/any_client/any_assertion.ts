import { importJWK } from "jose";
import type { IncomingRequest } from "../../../server/http/incoming_request.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { randomId } from "../../../server/issuer/random.ts";
import { numericDate } from "../../../server/issuer/time.ts";
import type { Client } from "../../../server/model/client.ts";
import { clientAssertionType } from "../../../server/protocol/client_assertion.ts";
import type { JwtClaims } from "../../../server/protocol/jwt.ts";
import { demoKey, demoPublicKey } from "../../demo/demo_keys.ts";
import { withAssertion } from "../../dialect/client_secret_jwt.ts";
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

export function acceptsAnyAssertion({ jwks }: Client): boolean {
  return jwks?.keys.some(({ kid }) => kid === demoPublicKey.kid) ?? false;
}

/** The claims of an assertion, and whether it came as the secret that a provider wants. */
export interface SentAssertion {
  claims: JwtClaims;
  isSecret: boolean;
}

/**
 * Finds the assertion of a request about a client, with all that RFC 7523, section 3, requires, or
 * the secret that is one, where secrets are JWTs. The signature is not checked: the lab does not
 * know the client's keys. Of a secret, the server checks the claims.
 */
export function findAssertion(
  { form }: WireRequest,
  clientId: string,
  isSecret: boolean,
): SentAssertion | undefined {
  const asserted = isSecret ? withAssertion(form) : form;
  if (asserted.get("client_assertion_type") !== clientAssertionType) return undefined;
  const assertion = asserted.get("client_assertion") ?? "";
  const { header, claims } = readJwt(assertion) ?? { header: {}, claims: {} };
  const isSigned = typeof header.alg === "string" && header.alg !== "none" &&
    /^[^.]+\.[^.]+\.[^.]+$/.test(assertion);
  const isAbout = claims.sub === clientId && (isSecret || isSelfIssued(claims));
  return isSigned && isAbout ? { claims, isSecret } : undefined;
}

function isSelfIssued({ iss, sub, aud, exp }: JwtClaims): boolean {
  return iss === sub && aud !== undefined && Number.isFinite(exp);
}

/** Replaces an assertion by one that the server can verify. The record keeps what was sent. */
export async function withVerifiableAssertion(
  ctx: Context,
  { claims, isSecret }: SentAssertion,
  request: IncomingRequest,
  wireRequest: WireRequest,
): Promise<IncomingRequest> {
  const { iss, sub } = claims;
  const iat = numericDate(ctx);
  const fresh = () => {
    const aud = ctx.settings.issuer;
    return { iss, sub, aud, jti: randomId(ctx), iat, exp: iat + assertionLifetime };
  };
  const assertion = await signJwt({
    header: { alg: demoKey.alg, kid: demoKey.kid },
    claims: isSecret ? claims : fresh(),
    key: await importJWK(demoKey),
  });
  const form = new URLSearchParams(wireRequest.form);
  if (isSecret) form.delete("client_secret");
  form.set("client_assertion_type", clientAssertionType);
  form.set("client_assertion", assertion);
  return changeRequest(request, wireRequest, form.toString());
}
