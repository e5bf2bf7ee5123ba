import type { Client } from "../../model/client.ts";
import { clientAlgorithms } from "../../model/signing.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import type { JwtClaims } from "../../protocol/jwt.ts";
import { errorFactory, type OAuthError } from "../../protocol/oauth_error.ts";
import {
  requestObjectParameters,
  requestObjectProblem,
  requestObjectTypes,
} from "../../protocol/request_object.ts";
import type { Context } from "../context.ts";
import { verifyExternalJwt } from "../external/external_jwt.ts";
import { numericDate } from "../time.ts";

const invalidRequest = errorFactory("invalid_request", "RFC 9101, section 5");
const invalidRequestObject = errorFactory("invalid_request_object", "RFC 9101, section 6");

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
  sender: string | undefined,
): Promise<RequestSource> {
  const object = parameters.get("request");
  const hasKeys = client.jwks !== undefined || client.jwksUri !== undefined;
  if (object === undefined || !hasKeys) return { parameters, signed: false };
  if (parameters.get("request_uri") !== undefined) {
    throw invalidRequest("A request has one of the parameters 'request' and 'request_uri'.");
  }
  const claims = await verifyRequestObject(ctx, client, object, sender);
  return { parameters: requestObjectParameters(claims), signed: true };
}

async function verifyRequestObject(
  ctx: Context,
  client: Client,
  object: string,
  sender: string | undefined,
): Promise<JwtClaims> {
  const { requestObjectAlg, requireSignedRequest } = client;
  const algorithms = clientAlgorithms(ctx.settings.profile.algs).filter((alg) =>
    (requestObjectAlg ?? alg) === alg
  );
  const verified = await verifyExternalJwt(ctx, client, object, {
    algorithms,
    types: requestObjectTypes,
    sender,
  });
  if ("problem" in verified) throw rejectedObject(verified.problem);
  const problem = requestObjectProblem(verified.claims, {
    clientId: client.id,
    issuer: ctx.settings.issuer,
    needsTimes: requireSignedRequest,
    now: numericDate(ctx),
  });
  if (problem !== undefined) throw rejectedObject(problem);
  return verified.claims;
}

function rejectedObject(problem: string): OAuthError {
  return invalidRequestObject(`The request object is refused: ${problem}.`);
}
