import { jsonResponse } from "../../server/http/response.ts";
import type { ResponseData } from "../../server/http/response_data.ts";
import type { Context } from "../../server/issuer/context.ts";
import { randomId } from "../../server/issuer/random.ts";
import { numericDate } from "../../server/issuer/time.ts";
import type { WireRequest } from "../recording/exchange.ts";
import { signJwt } from "../tokens/signed_tokens.ts";
import type { WorkloadTokens } from "./dialect.ts";
import { fillTemplate, type TemplateValues } from "./template.ts";
import { apiTokenOf } from "./user_apis.ts";
import { completeWorkloadTokens } from "./workload_defaults.ts";

/** How far `nbf` lies before `iat`, for clocks that are behind, in seconds. */
const tolerance = 300;

/** Responds as the API where a program gets a token about itself. */
export async function respondWithWorkloadToken(
  ctx: Context,
  settings: WorkloadTokens,
  request: WireRequest,
  address: TemplateValues,
): Promise<ResponseData> {
  const tokens = completeWorkloadTokens(settings);
  const values = { ...address, claims: tokens.claims };
  if (apiTokenOf(request) !== tokens.bearer) {
    const { status, body } = tokens.unauthorized;
    return jsonResponse(fillTemplate(body, values), status);
  }
  if (request.method !== "GET") return jsonResponse({ error: "method_not_allowed" }, 405);
  const audience = request.query.get("audience") || fillTemplate(tokens.audience, values);
  const token = await signWorkloadToken(ctx, tokens, audience, values);
  return jsonResponse(fillTemplate(tokens.body, { ...values, token }));
}

async function signWorkloadToken(
  ctx: Context,
  { claims, lifetime, subject }: ReturnType<typeof completeWorkloadTokens>,
  audience: unknown,
  values: TemplateValues,
): Promise<string> {
  const { kid, privateKey } = await ctx.keys.active("RS256");
  const now = numericDate(ctx);
  return await signJwt({
    header: { typ: "JWT", alg: "RS256", kid },
    claims: {
      ...claims,
      jti: randomId(ctx),
      iss: values.issuer,
      sub: fillTemplate(subject, values),
      aud: audience,
      iat: now,
      nbf: now - tolerance,
      exp: now + lifetime,
    },
    key: privateKey,
  });
}
