import { featuresOf } from "../../issuer/active_features.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { verifyExternalJwt } from "../../issuer/external/external_jwt.ts";
import { numericDate } from "../../issuer/time.ts";
import type { Client } from "../../model/client.ts";
import { clientAlgorithms } from "../../model/signing.ts";
import { checkRepeatedParameters, type FormParameters } from "../../protocol/form_parameters.ts";
import type { JwtClaims } from "../../protocol/jwt.ts";
import {
  requestObjectParameters,
  requestObjectProblem,
  requestObjectTypes,
} from "../../protocol/request_delivery.ts";
import { requireValue } from "../../protocol/rule.ts";
import { backchannelRules, hintNames } from "./backchannel_rules.ts";
import { cibaClientOf, isHighValue } from "./config.ts";

/** The parameters that a signed request must have inside (CIBA, section 7.1). */
const signedParameters = [
  ...hintNames,
  "scope",
  "client_notification_token",
  "acr_values",
  "binding_message",
  "user_code",
  "requested_expiry",
  "authorization_details",
  "resource",
];

const requiredClaims = ["iss", "aud", "exp", "iat", "nbf", "jti"];

/** Reads the parameters of a request, which a client may sign (CIBA, section 7.1.1). */
export async function readParameters(
  ctx: RequestContext,
  client: Client,
  parameters: FormParameters,
): Promise<FormParameters> {
  const jwt = parameters.get("request");
  const { backchannelRequestAlg } = cibaClientOf(client);
  const required = backchannelRequestAlg !== undefined ||
    client.requireSignedRequest || isHighValue(ctx.settings.profile);
  ctx.apply(backchannelRules.signed, { signed: jwt !== undefined, required });
  if (jwt === undefined) return parameters;
  const unsigned = signedParameters.find((name) => parameters.get(name) !== undefined);
  ctx.apply(backchannelRules.object_alone, unsigned);
  const algorithms = clientAlgorithms(ctx.settings.profile.algs).filter((alg) =>
    (backchannelRequestAlg ?? alg) === alg
  );
  const verified = await verifyExternalJwt(ctx, client, jwt, {
    algorithms,
    types: requestObjectTypes,
  });
  const { claims } = verified;
  const problem = claims ? claimsProblem(ctx, client.id, claims) : verified.problem;
  const signed = requestObjectParameters(
    requireValue(ctx.apply, backchannelRules.object, { problem }, claims),
  );
  checkRepeatedParameters(ctx.apply, signed, { known: featuresOf(ctx).parameters });
  return signed;
}

/** Returns why the claims of a signed request are invalid, or undefined (CIBA, section 7.1.1). */
function claimsProblem(ctx: Context, clientId: string, claims: JwtClaims): string | undefined {
  const missing = requiredClaims.find((name) => claims[name] === undefined);
  if (missing !== undefined) return `it has no '${missing}'`;
  if (typeof claims.jti !== "string") return "its 'jti' is not a string";
  const { issuer } = ctx.settings;
  // It need not repeat the client_id. FAPI-CIBA, section 5.2.2, has the same limit on its lifetime.
  const object = { client_id: clientId, ...claims };
  return requestObjectProblem(object, {
    clientId,
    issuer,
    needsTimes: true,
    now: numericDate(ctx),
  });
}
