import type { Client } from "../../model/client.ts";
import { clientAlgorithms } from "../../model/signing.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import { errorFactory, OAuthError } from "../../protocol/oauth_error.ts";
import {
  requestObjectParameters,
  requestObjectProblem,
  requestObjectTypes,
} from "../../protocol/request_object.ts";
import type { Context } from "../context.ts";
import { verifyExternalJwt } from "../external/external_jwt.ts";
import { numericDate } from "../time.ts";

const invalidRequest = errorFactory("invalid_request", "RFC 9101, section 5");

/** What a client says, and whether it signed that. */
export interface RequestSource {
  parameters: FormParameters;
  signed: boolean;
}

/**
 * Takes the parameters of a request out of its request object, if it has one (RFC 9101, section 6). Nothing may be redirected
 * before that has succeeded: until then nobody knows where to. A client without keys cannot sign, so its object stays a
 * parameter like the others, and is refused with them.
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
  const algorithms = clientAlgorithms(ctx.settings.profile.algs).filter((alg) =>
    (client.requestObjectAlg ?? alg) === alg
  );
  const verified = await verifyExternalJwt(ctx, client, object, {
    algorithms,
    types: requestObjectTypes,
    sender,
  });
  if ("problem" in verified) throw invalidRequestObject(verified.problem);
  const rule = {
    clientId: client.id,
    issuer: ctx.settings.issuer,
    needsTimes: client.requireSignedRequest,
    now: numericDate(ctx),
  };
  const problem = requestObjectProblem(verified.claims, rule);
  if (problem !== undefined) throw invalidRequestObject(problem);
  return { parameters: requestObjectParameters(verified.claims), signed: true };
}

function invalidRequestObject(problem: string): OAuthError {
  return new OAuthError("invalid_request_object", `The request object is refused: ${problem}.`, {
    see: "RFC 9101, section 6",
  });
}
