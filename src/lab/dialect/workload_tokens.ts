import { jsonResponse } from "../../server/http/response.ts";
import type { ResponseData } from "../../server/http/response_data.ts";
import type { Context } from "../../server/issuer/context.ts";
import { randomId } from "../../server/issuer/random.ts";
import { numericDate } from "../../server/issuer/time.ts";
import type { WireRequest } from "../recording/exchange.ts";
import { signJwt } from "../tokens/signed_tokens.ts";
import { fillMembers, fillTemplate, type TemplateValues } from "./template.ts";
import { withChange } from "./token_shapes.ts";
import { apiTokenOf, refusalOfApi } from "./user_apis.ts";
import { type CompleteWorkloadTokens, completeWorkloadTokens } from "./workload_defaults.ts";
import { memberAt, readWorkloadRequest, type RequestedToken } from "./workload_request.ts";
import type { WorkloadTokens } from "./workload_settings.ts";

/** Responds as the API where a program gets a token about itself. */
export async function respondWithWorkloadToken(
  ctx: Context,
  { tokens, segments }: { tokens: WorkloadTokens; segments: Record<string, string> },
  request: WireRequest,
  address: TemplateValues,
): Promise<ResponseData> {
  const settings = completeWorkloadTokens(tokens);
  const values = {
    ...address,
    claims: settings.claims,
    path: segments,
    account: Object.values(segments).join("/"),
    random: randomId(ctx),
  };
  if (apiTokenOf(request) !== settings.bearer) return refusalOfApi(settings.unauthorized, values);
  if (request.method !== settings.method) return refusalOfApi(settings.wrongMethod, values);
  const requested = readWorkloadRequest(settings, request);
  if ("problem" in requested) return refusalOfApi(settings.invalid, { ...values, ...requested });
  const known = { ...values, ...valuesOf(ctx, settings, requested, values) };
  const token = await signWorkloadToken(ctx, settings, known);
  return jsonResponse(fillTemplate(settings.body, { ...known, token }), settings.status);
}

/** What templates know about a token, and until when it lives, in seconds. */
interface TokenValues {
  audience: unknown;
  lifetime: number;
  body: unknown;
  issued: string;
  expires: string;
  warnafter: number | undefined;
  iat: number;
  exp: number;
}

/** A response says when the token should be replaced, even if it lives longer. */
function valuesOf(
  ctx: Context,
  { audience: template, method, extension }: CompleteWorkloadTokens,
  { audience, lifetime, body }: RequestedToken,
  values: TemplateValues,
): TokenValues {
  const now = numericDate(ctx);
  const usual = fillTemplate(template, values);
  const isExtended = extension !== undefined && audience === undefined &&
    lifetime === extension.lifetime && memberAt(body, extension.member) !== undefined;
  return {
    audience: audience ?? (method === "POST" ? [usual] : usual),
    lifetime,
    body,
    issued: timestamp(now),
    expires: timestamp(now + lifetime),
    warnafter: isExtended ? now + lifetime : undefined,
    iat: now,
    exp: now + (isExtended ? extension.extended : lifetime),
  };
}

function timestamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}

async function signWorkloadToken(
  ctx: Context,
  { claims, subject, notBefore, header = {} }: CompleteWorkloadTokens,
  values: TemplateValues & TokenValues,
): Promise<string> {
  const { kid, privateKey } = await ctx.keys.active("RS256");
  return await signJwt({
    header: withChange({ typ: "JWT", alg: "RS256", kid }, header, { ...values, kid }),
    claims: {
      jti: randomId(ctx),
      ...fillMembers(claims, values),
      iss: values.issuer,
      sub: fillTemplate(subject, values),
      aud: values.audience,
      iat: values.iat,
      nbf: values.iat - notBefore,
      exp: values.exp,
    },
    key: privateKey,
  });
}
