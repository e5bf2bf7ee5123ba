import type { IncomingRequest } from "../../../server/http/incoming_request.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { randomSecret } from "../../../server/issuer/random.ts";
import type { ResponseMode } from "../../../server/model/client_config.ts";
import { responseTypeRules } from "../../../server/protocol/authorization_request.ts";
import type { InternalServer } from "../../../server/server.ts";
import { leftHalf, sha256 } from "../../../server/util/crypto/hash.ts";
import { isObject, parseJson } from "../../../server/util/text/json.ts";
import {
  type BoundedMap,
  createBoundedMap,
  megabyte,
} from "../../../server/util/values/bounded_map.ts";
import type { Layer } from "../../layers/layer.ts";
import type { PendingExchange } from "../../layers/pending_exchange.ts";
import {
  jsonOf,
  parameterOf,
  type WireRequest,
  type WireResponse,
  withJson,
} from "../../recording/exchange.ts";
import { refusalOf } from "../../recording/refusal.ts";
import { callbackIn, memberOf, withCallback } from "../../recording/wire_callback.ts";
import {
  changeRequest,
  type LabResponseType,
  responseTypeOf,
} from "../../recording/wire_request.ts";
import { findIssuedCode, issueIdTokenForCode } from "../../tokens/issue_without_request.ts";
import { changeToken } from "../../tokens/signed_tokens.ts";
import { LabError } from "../../util/lab_error.ts";
import { clientModesOf, type ResponseTypesConfig } from "./config.ts";

/** How an ID token is sent if the request names no mode (Multiple Response Types, section 5). */
const defaultMode = "fragment";

const unsupportedType = "unsupported_response_type";

/** The lab cannot change what a client has signed. */
const objectProblem =
  "This lab sends an ID token only if response_type is a parameter of the request, " +
  "not if it is in a signed request object.";

/** How much memory authorization requests take, which are remembered until their response. */
const maxRequestBytes = 4 * megabyte;

/** What the provider that a lab plays does not require of a request for an ID token. */
interface NotNeeded {
  nonce: boolean;
  openid: boolean;
}

/**
 * Creates the layer that turns requests into those for a code, and adds what the response types
 * promise.
 */
export function createResponseTypesLayer(
  { responseTypes = [], dialect = {} }: ResponseTypesConfig,
): Layer {
  /** The response type of each request, by its client, nonce and state. */
  const requested: BoundedMap<LabResponseType> = createBoundedMap(maxRequestBytes);
  const { impliedScopes = [], clientRequests = {} } = dialect;
  const allowed = responseTypes.filter((each) => each !== "fragment");
  const modes = responseTypes.includes("fragment") ? ["form_post", "fragment"] : ["form_post"];
  const notNeeded: NotNeeded = {
    nonce: clientRequests.nonce === "optional",
    openid: impliedScopes.includes("openid"),
  };
  const problemOf = (request: WireRequest) => requestProblem(request, modes, notNeeded);
  const clientModes = clientModesOf({ responseTypes });

  /** Returns a request that the server understands: one for a code. */
  async function translateRequest(
    { server: { context }, serverRequest, request }: PendingExchange,
  ): Promise<IncomingRequest> {
    if (request.endpoint === "register") {
      return translateRegistration(serverRequest, request, allowed, clientModes);
    }
    const type = responseTypeOf(request);
    const isCode = type === "code";
    const isRefused = type === undefined || !allowed.includes(type) ||
      parameterOf(request, "request") !== undefined ||
      (!isCode && problemOf(request) !== undefined);
    if (isRefused) {
      const hasToken = parameterOf(request, "response_type")?.includes("token") ?? false;
      const hasDefault = hasToken && modes.includes(defaultMode);
      return hasDefault ? await translate(context, serverRequest, request) : serverRequest;
    }
    const nonce = parameterOf(request, "nonce");
    const state = parameterOf(request, "state");
    // A later request without these parameters may have another type.
    requested.set(requestKey(request.client, nonce, state), type);
    return isCode ? serverRequest : await translate(context, serverRequest, request, type);
  }

  return async (exchange, next) => {
    exchange.serverRequest = await translateRequest(exchange);
    const { server, request, learned } = exchange;
    const response = completeMetadata(await next(), allowed);
    if (refusalOf(learned)?.rule === responseTypeRules.code.id) {
      return explainUntranslated(server, request, response, { types: allowed, problemOf });
    }
    return await withIdToken(server, response, requested);
  };
}

/** Returns the metadata of the server with the response types of the lab. */
function completeMetadata(
  response: WireResponse,
  allowed: readonly LabResponseType[],
): WireResponse {
  if (jsonOf(response)?.response_types_supported === undefined) return response;
  return withJson(response, (body) => ({ ...body, response_types_supported: allowed }));
}

/** Registers a client for codes, which the lab turns into what the client expects. */
function translateRegistration(
  request: IncomingRequest,
  wireRequest: WireRequest,
  allowed: readonly LabResponseType[],
  response_modes: ResponseMode[] | undefined,
): IncomingRequest {
  const metadata = parseJson(wireRequest.body);
  if (!isObject(metadata) || !Array.isArray(metadata.response_types)) return request;
  const types = metadata.response_types;
  const isAllowed = types.every((type) => allowed.some((each) => each === type));
  // A client without response types, such as a service, stays one.
  if (types.length === 0 || !isAllowed) return request;
  const grants = Array.isArray(metadata.grant_types) ? metadata.grant_types : [];
  const others = grants.filter((type) => type !== "implicit" && type !== "authorization_code");
  const translated = {
    ...response_modes && { response_modes },
    ...metadata,
    response_types: ["code"],
    grant_types: ["authorization_code", ...others],
  };
  return changeRequest(request, wireRequest, JSON.stringify(translated));
}

/** Returns why a request cannot have an ID token in its response, or undefined. */
function requestProblem(
  request: WireRequest,
  modes: readonly string[],
  notNeeded: NotNeeded,
): string | undefined {
  if (!modes.includes(parameterOf(request, "response_mode") ?? defaultMode)) {
    return `An ID token is sent with the response_mode ${
      modes.map((mode) => `'${mode}'`).join(" or ")
    } only.`;
  }
  if (!notNeeded.nonce && parameterOf(request, "nonce") === undefined) {
    return "A request for an ID token must have a nonce.";
  }
  const scope = (parameterOf(request, "scope") ?? "").split(" ");
  if (notNeeded.openid || scope.includes("openid")) return undefined;
  return "A request for an ID token needs the scope openid.";
}

/** The server refuses what was not translated; the client learns what is missing. */
function explainUntranslated(
  { issuer }: InternalServer,
  request: WireRequest,
  response: WireResponse,
  { types, problemOf }: {
    types: readonly LabResponseType[];
    problemOf(request: WireRequest): string | undefined;
  },
): WireResponse {
  const isObject = parameterOf(request, "request") !== undefined;
  const type = responseTypeOf(request);
  const isAllowed = type !== undefined && types.includes(type);
  const problem = isAllowed ? problemOf(request) : undefined;
  const description = isObject ? objectProblem : problem;
  if (description === undefined) return response;
  const error = isObject ? unsupportedType : "invalid_request";
  const explained = { error, error_description: description };
  const callback = callbackIn(response, issuer);
  if (!callback) {
    return jsonOf(response) ? withJson(response, (body) => ({ ...body, ...explained })) : response;
  }
  const others = callback.members.filter(([name]) => !Object.hasOwn(explained, name));
  return withCallback(response, {
    ...callback,
    members: [...Object.entries(explained), ...others],
  });
}

/**
 * Asks for a code, or without a type only for errors in the default mode. A code that no client will
 * ever see needs a challenge that no one can meet.
 */
async function translate(
  ctx: Context,
  request: IncomingRequest,
  wireRequest: WireRequest,
  type?: LabResponseType,
): Promise<IncomingRequest> {
  const { url, query, form, headers } = wireRequest;
  const isPost = request.method === "POST";
  const parameters = new URLSearchParams(isPost ? form : query);
  if (type !== undefined) parameters.set("response_type", "code");
  if (!parameters.has("response_mode")) parameters.set("response_mode", defaultMode);
  if (type === "id_token" && !parameters.has("code_challenge")) {
    parameters.set("code_challenge", await sha256(randomSecret(ctx)));
    parameters.set("code_challenge_method", "S256");
  }
  if (isPost) return changeRequest(request, wireRequest, parameters.toString());
  const target = new URL(url);
  target.search = parameters.toString();
  return changeRequest(request, { url: target.href, headers });
}

/** Adds the ID token to an authorization response, if the request asked for one. */
async function withIdToken(
  { issuer, context }: InternalServer,
  response: WireResponse,
  requested: BoundedMap<LabResponseType>,
): Promise<WireResponse> {
  const callback = callbackIn(response, issuer);
  const code = memberOf(callback, "code");
  const issued = code === undefined ? undefined : await findIssuedCode(context, code);
  if (!callback || code === undefined || !issued) return response;
  const { clientId, nonce } = issued;
  const type = requested.get(requestKey(clientId, nonce, memberOf(callback, "state")));
  if (type === undefined || type === "code") return response;
  const idToken = await idTokenFor(context, code, type);
  const others = callback.members.filter(([name]) => name !== "code" || type !== "id_token");
  return withCallback(response, { ...callback, members: [...others, ["id_token", idToken]] });
}

/** Issues the ID token of an authorization response (OpenID Connect Core, section 3.3.2.11). */
async function idTokenFor(
  ctx: Context,
  code: string,
  type: LabResponseType,
): Promise<string> {
  const token = await issueIdTokenForCode(ctx, code);
  if (!token) throw new LabError("The ID token of this response cannot be issued.");
  // The client never gets this code, so it must not be redeemable.
  if (type === "id_token") await ctx.records.codes.delete(code);
  return await changeToken(ctx, token, async ({ header, claims: { at_hash: _, ...claims } }) => ({
    header,
    claims: type === "id_token" ? claims : { ...claims, c_hash: await leftHalf(code, header.alg) },
  }));
}

function requestKey(
  client: string | undefined,
  nonce: string | undefined,
  state: string | undefined,
): string {
  return JSON.stringify([client, nonce, state]);
}
