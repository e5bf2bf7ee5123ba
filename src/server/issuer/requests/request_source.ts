import type { Client } from "../../model/client.ts";
import { clientAlgorithms } from "../../model/signing.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import type { JwtClaims } from "../../protocol/jwt.ts";
import {
  requestObjectParameters,
  requestObjectProblem,
  requestObjectTypes,
} from "../../protocol/request_delivery.ts";
import { requireValue, ruleSet } from "../../protocol/rule.ts";
import { featuresOf } from "../active_features.ts";
import type { Context } from "../context.ts";
import { verifyExternalJwt } from "../external/external_jwt.ts";
import { numericDate } from "../time.ts";

const about = { see: "RFC 9101, section 6", error: "invalid_request_object" } as const;

const requestRules = ruleSet("request", about, {
  one_source: {
    see: "RFC 9101, section 5",
    parameter: "request_uri",
    error: "invalid_request",
    must: "The request must have only one of the parameters 'request' and 'request_uri'",
    holds: (requestUri: string | undefined) => requestUri === undefined,
  },
  object: {
    parameter: "request",
    must: "The request object must be valid",
    // The problem is a clause that repeats nothing from the request object.
    message: ({ problem }) => `The request object is invalid: ${problem}.`,
    fix: "Sign a short-lived request object for this issuer, with a key of the client.",
    holds: ({ problem }: { problem: string | undefined }) => problem === undefined,
    came: ({ problem }) => problem ?? "a valid one",
  },
});

/** The parameters of a request, and whether the client signed them. */
export interface RequestSource {
  parameters: FormParameters;
  signed: boolean;
}

/**
 * Reads the parameters of a request from its request object, if it has one (RFC 9101, section 6).
 * Until this has succeeded, no error may be redirected: the redirect URI is unknown. A client
 * without keys cannot sign, so its object remains a parameter and is refused with the others.
 */
export async function readRequestSource(
  ctx: Context,
  client: Client,
  parameters: FormParameters,
): Promise<RequestSource> {
  const object = parameters.get("request");
  const hasKeys = client.jwks !== undefined || client.jwksUri !== undefined;
  if (object === undefined || !hasKeys) return { parameters, signed: false };
  ctx.apply(requestRules.one_source, parameters.get("request_uri"));
  const claims = await verifyRequestObject(ctx, client, object);
  return { parameters: requestObjectParameters(claims), signed: true };
}

async function verifyRequestObject(
  ctx: Context,
  client: Client,
  object: string,
): Promise<JwtClaims> {
  const { requestObjectAlg, requireSignedRequest } = client;
  const algorithms = clientAlgorithms(ctx.settings.profile.algs).filter((alg) =>
    (requestObjectAlg ?? alg) === alg
  );
  const jwt = isSealed(object) ? await featuresOf(ctx).envelope?.open(ctx, client, object) : object;
  const expected = { algorithms, types: requestObjectTypes };
  // What was inside is checked by the same function (CVE-2026-9793).
  const verified = jwt === undefined
    ? { problem: "it cannot be decrypted" }
    : await verifyExternalJwt(ctx, client, jwt, expected);
  const claims = "problem" in verified ? undefined : verified.claims;
  const problem = "problem" in verified ? verified.problem : requestObjectProblem(verified.claims, {
    clientId: client.id,
    issuer: ctx.settings.issuer,
    needsTimes: requireSignedRequest,
    now: numericDate(ctx),
  });
  return requireValue(ctx.apply, requestRules.object, { problem }, claims);
}

/** Whether a text is a JWE: it has five parts (RFC 7516, section 7.1). */
function isSealed(text: string): boolean {
  return text.split(".").length === 5;
}
