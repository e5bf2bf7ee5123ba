import type { Context } from "../../server/issuer/context.ts";
import {
  formType,
  headerOf,
  jsonOf,
  type WireRequest,
  type WireResponse,
  withHeaderValue,
  withJson,
} from "../recording/exchange.ts";
import { callbackIn } from "../recording/wire_callback.ts";
import type { JsonMembers } from "../responses/part.ts";
import { readToken } from "../tokens/signed_tokens.ts";
import { type DialectExchange, shapeCallback } from "./authorization_shape.ts";
import type { Dialect } from "./dialect.ts";
import { withErrorShape } from "./error_shapes.ts";
import { refuseAccount } from "./provider_refusals.ts";
import {
  createRefreshTokenRule,
  type GrantedTokens,
  withRefreshTokenJwt,
} from "./refresh_token_shape.ts";
import type { TemplateValues } from "./template.ts";
import { type TokenShapes, withChange } from "./token_shapes.ts";

/** Endpoints whose successful responses are those of a token endpoint. */
const formEndpoints: ReadonlyArray<WireRequest["endpoint"]> = ["token", "deviceAuthorization"];

/** Returns a response of the server as clients expect it. */
export type ShapeResponse = (
  exchange: DialectExchange,
  response: WireResponse,
) => Promise<WireResponse>;

export function createResponseShapes(
  dialect: Dialect,
  { tokens, valuesFor, seen }: {
    tokens: TokenShapes;
    valuesFor(ctx: Context): TemplateValues;
    /** Remembers to whom something was sent that is sent once. */
    seen: Map<string, true>;
  },
): ShapeResponse {
  const { errors = [], refreshTokens, scopeSeparator = " ", tokenResponses = "json" } = dialect;
  const { tokenResponse = {}, authorizationResponse, firstResponse } = dialect;
  const changesCallback = authorizationResponse !== undefined || firstResponse !== undefined ||
    dialect.idToken !== undefined ||
    dialect.idTokenKey === "own" || errors.some(({ at }) => at === "authorize");
  const keepRefreshToken = refreshTokens && createRefreshTokenRule(refreshTokens, seen);

  async function shapeTokens(
    exchange: DialectExchange,
    response: WireResponse,
  ): Promise<WireResponse> {
    if (typeof jsonOf(response)?.access_token !== "string") return response;
    const granted = keepRefreshToken ? await describeGranted(exchange, response) : undefined;
    const kept = granted ? keepRefreshToken?.(granted) ?? response : response;
    const changed = withJson(kept, (body) => {
      const values = valuesFor(exchange.server.context);
      return withChange(withSeparator(body, scopeSeparator), tokenResponse, values);
    });
    const shaped = await tokens.shape(exchange.server, changed);
    return dialect.refreshToken ? await shapeRefreshToken(exchange, changed, shaped) : shaped;
  }

  async function shapeRefreshToken(
    { server }: DialectExchange,
    before: WireResponse,
    response: WireResponse,
  ): Promise<WireResponse> {
    const { context } = server;
    const token = (await readToken(context, String(jsonOf(before)?.access_token)))?.claims;
    const values = { ...valuesFor(context), token };
    return await withRefreshTokenJwt(server, response, dialect.refreshToken ?? {}, values);
  }

  async function shapeSuccess(
    exchange: DialectExchange,
    response: WireResponse,
  ): Promise<WireResponse> {
    const { request: { endpoint }, server: { context } } = exchange;
    if (endpoint === "token") return await shapeTokens(exchange, response);
    const { userinfo, deviceResponse } = dialect;
    const change = endpoint === "deviceAuthorization" ? deviceResponse : userinfo;
    const isShaped = endpoint === "userinfo" || endpoint === "deviceAuthorization";
    if (!isShaped || !change || !jsonOf(response)) return response;
    return withJson(
      response,
      (body) => withChange(body, change, { ...valuesFor(context), device: body }),
    );
  }

  return async (exchange, response) => {
    const { request, server: { context, issuer } } = exchange;
    const refused = exchange.accounts?.refusal();
    if (refused) return await refuseAccount(exchange.server, response, refused);
    const callback = changesCallback ? callbackIn(response, issuer) : undefined;
    if (callback) {
      const values = valuesFor(context);
      return await shapeCallback(dialect, exchange, response, { values, tokens, seen });
    }
    const values = { ...valuesFor(context), client: request.client };
    const shaped = response.status === 200
      ? await shapeSuccess(exchange, response)
      : withErrorShape(errors, request, response, exchange.refusal, values);
    const hasForm = tokenResponses === "form" && formEndpoints.includes(request.endpoint);
    return hasForm ? asForm(request, shaped) : shaped;
  };
}

/** Collects the facts that decide whether a response has a refresh token. */
async function describeGranted(
  { request, server: { context }, findAsked }: DialectExchange,
  response: WireResponse,
): Promise<GrantedTokens> {
  const token = await readToken(context, String(jsonOf(response)?.access_token));
  const subject = token?.claims.sub;
  return {
    request,
    response,
    asked: await findAsked(),
    subject: subject === undefined ? undefined : String(subject),
  };
}

function withSeparator(body: JsonMembers, separator: string): JsonMembers {
  const { scope } = body;
  return typeof scope === "string" ? { ...body, scope: scope.split(" ").join(separator) } : body;
}

/** Returns a response as a form, unless the request accepts JSON by name. */
function asForm({ headers }: WireRequest, response: WireResponse): WireResponse {
  const json = jsonOf(response);
  const isJson = headerOf(response, "Content-Type")?.includes("json") ?? false;
  if (!json || !isJson || /\bjson\b/i.test(headers.accept ?? "")) return response;
  const members = Object.entries(json).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const body = new URLSearchParams(members).toString();
  return { ...withHeaderValue(response, "Content-Type", `${formType}; charset=utf-8`), body };
}
