import type { Context } from "../../server/issuer/context.ts";
import { isObject } from "../../server/util/text/json.ts";
import type { HandledRequest } from "../layers/pending_exchange.ts";
import type { RememberedMap } from "../recording/change_history.ts";
import {
  jsonOf,
  parameterOf,
  type WireRequest,
  type WireResponse,
  withJson,
} from "../recording/exchange.ts";
import type { Refusal } from "../recording/refusal.ts";
import { callbackIn } from "../recording/wire_callback.ts";
import { changePart, type JsonMembers, redirect } from "../responses/part.ts";
import { readToken } from "../tokens/signed_tokens.ts";
import { type AccountCheck, type AccountRefusal, refusedAccountPage } from "./account_types.ts";
import type { Dialect } from "./dialect.ts";
import { findErrorShape, shapedError, withErrorShape } from "./error_shapes.ts";
import { firstParameters } from "./first_response.ts";
import { asForm } from "./form_response.ts";
import { withRefreshTokenJwt } from "./refresh_token_jwt.ts";
import { createRefreshTokenRule, type GrantedTokens } from "./refresh_token_rule.ts";
import type { TemplateValues } from "./template.ts";
import { type TokenShapes, withChange } from "./token_shapes.ts";

/** Endpoints whose successful responses are those of a token endpoint. */
const formEndpoints: ReadonlyArray<WireRequest["endpoint"]> = ["token", "deviceAuthorization"];

/** A request that the server has handled, and what its response depends on. */
export interface DialectExchange extends HandledRequest {
  /** Why the server refused the request. */
  refusal: Refusal | undefined;
  /** Finds the authorization request that led to this request. */
  findAsked(): Promise<WireRequest | undefined>;
  /** Looked at the user of the request, if the provider takes some accounts and not others. */
  accounts?: AccountCheck | undefined;
}

/** Returns a response of the server as clients expect it. */
export type ShapeResponse = (
  exchange: DialectExchange,
  response: WireResponse,
) => Promise<WireResponse>;

/** What the shapes of responses depend on. */
interface ShapeParts {
  tokens: TokenShapes;
  valuesFor(ctx: Context): TemplateValues;
  /** Remembers to whom something was sent that is sent once. */
  seen: RememberedMap<true>;
}

/** Creates the function that gives responses the shape of a dialect. */
export function createResponseShapes(
  dialect: Dialect,
  { tokens, valuesFor, seen }: ShapeParts,
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
    if (refused) return await refuseAccount(exchange, response, refused);
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

/** Finds out what decides whether a response has a refresh token. */
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

/** Replaces the response to a user who may not sign in where the flow began. */
async function refuseAccount(
  exchange: DialectExchange,
  response: WireResponse,
  { text, isSilent }: AccountRefusal,
): Promise<WireResponse> {
  if (!isSilent) return refusedAccountPage(text, response);
  const error = { error: "interaction_required", error_description: text };
  const { server } = exchange;
  return await changePart(redirect, server, response, ({ redirectUri, parameters: { state } }) => ({
    redirectUri,
    parameters: { ...error, ...state !== undefined && { state } },
  }));
}

/** Gives an authorization response the shape of a dialect. */
async function shapeCallback(
  dialect: Dialect,
  exchange: DialectExchange,
  response: WireResponse,
  { values, tokens, seen }: { values: TemplateValues } & Pick<ShapeParts, "tokens" | "seen">,
): Promise<WireResponse> {
  const { authorizationResponse: change = {}, firstResponse = [], errors = [] } = dialect;
  const { server, refusal } = exchange;
  const asked = await exchange.findAsked();
  const scope = asked && parameterOf(asked, "scope");
  const known = { ...values, scope, client: asked?.client };
  return await changePart(redirect, server, response, async ({ redirectUri, parameters }) => {
    const { error, code } = parameters;
    if (error !== undefined) {
      const shape = findErrorShape(errors, "authorize", error, refusal?.rule);
      const shaped = shape ? shapedError(parameters, shape, known) : parameters;
      return { redirectUri, parameters: toTexts(shaped) };
    }
    const first = await firstParameters(server.context, firstResponse, code, seen);
    const given = await withShapedIdToken(exchange, parameters, tokens);
    const changed = withChange({ ...given, ...first }, change, known);
    return { redirectUri, parameters: toTexts(changed) };
  });
}

/** An ID token that comes beside a code has the shape of the others. */
async function withShapedIdToken(
  { server: { context } }: DialectExchange,
  parameters: Readonly<Record<string, string>>,
  tokens: TokenShapes,
): Promise<Record<string, string>> {
  const { id_token } = parameters;
  if (id_token === undefined) return { ...parameters };
  const shaped = await tokens.shapeToken(context, "idToken", id_token);
  tokens.remember(shaped, id_token);
  return { ...parameters, id_token: shaped };
}

/** Returns parameters as texts: an object is sent as JSON. */
function toTexts(parameters: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(parameters).map(([name, value]) => [
    name,
    isObject(value) ? JSON.stringify(value) : String(value),
  ]);
  return Object.fromEntries(texts);
}
