import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import { withoutBody } from "../../server/http/response_data.ts";
import type { Context } from "../../server/issuer/context.ts";
import { randomSecret } from "../../server/issuer/random.ts";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import type { OAuthError } from "../../server/protocol/oauth_error.ts";
import type { ReportedFacts, WireRequest, WireResponse } from "../recording/exchange.ts";
import type { DialectExchange } from "./authorization_shape.ts";
import { clientHeader, withClientForm } from "./client_requests.ts";
import type { Dialect } from "./dialect.ts";
import type { DialectAddress } from "./dialect_address.ts";
import { createDialectParts, type DialectParts } from "./dialect_parts.ts";
import type { DialectPlace } from "./dialect_places.ts";
import { createFormedCredentials } from "./identifier_forms.ts";
import { matchPath, pathBelow } from "./match_path.ts";
import { playedHosts } from "./played_hosts.ts";
import { createAccountCheck, formPostRefusal, missingPathRefusal } from "./provider_refusals.ts";
import { refreshTokenIn } from "./refresh_token_shape.ts";
import { parameterRules } from "./request_parameters.ts";
import { respondAtPlace } from "./respond_at_place.ts";
import { createResponseShapes } from "./response_shapes.ts";
import { type RequestTranslation, toServerRequest } from "./server_request.ts";
import { ownKeyId } from "./token_shapes.ts";

/** Translates between clients, which speak a dialect, and the server. */
export type DialectTranslator = ReturnType<typeof createDialect>;

/** Creates what translates between the clients and the server of a lab. */
export function createDialect(
  dialect: Dialect,
  address: DialectAddress,
  { now, seen, originalOf: known }: {
    now: () => number;
    /** Remembers what happened once to a user, so that it does not happen again. */
    seen: Map<string, true>;
    /** Returns the token that the server issued, for one that another dialect gave its form. */
    originalOf?: (token: string) => string;
  },
) {
  const own = createDialectParts(dialect, address, now);
  const tokens = { ...own.tokens, ...known && { originalOf: known } };
  const parts = { ...own, tokens };
  const { placeOf, valuesFor } = parts;
  const shapeResponse = createResponseShapes(dialect, { tokens, valuesFor, seen });
  return {
    shapeToken: tokens.shapeToken,
    remember: tokens.remember,
    follow: tokens.follow,
    /** Adds the endpoint that the path of a request leads to. */
    identify: (request: WireRequest) => identify(parts, request),
    /** Whether a path that the server does not know is one of the dialect. */
    serves: (request: WireRequest) =>
      placeOf(request) !== undefined || missingAt(parts, request) !== undefined,
    /** Whether a path has a document of the dialect, which may be the metadata of the provider. */
    publishes: (request: WireRequest) => placeOf(request)?.kind === "document",
    /** Returns the URL of an endpoint that the server does not know by it, without the query. */
    endpointUrlOf({ url, method }: WireRequest): string | undefined {
      const isAlias = placeOf({ url, method })?.kind === "alias";
      const { origin, pathname, hostname } = new URL(url);
      const isPlayed = playedHosts(dialect.hosts).includes(hostname);
      return isAlias || isPlayed ? origin + pathname : undefined;
    },
    /** Responds to a request for what only the dialect has, and adds why it refuses one. */
    respond: (ctx: Context, request: WireRequest, learned: ReportedFacts) =>
      respondAtPlace(parts, ctx, request, learned),
    /** Returns why the provider refuses a request that the server would accept. */
    errorFor(request: WireRequest): OAuthError | undefined {
      const missing = missingAt(parts, request);
      if (missing !== undefined) return missingPathRefusal(missing);
      return dialect.formPost && formPostRefusal(dialect.formPost, request);
    },
    /** Looks at the user of a request, if the provider takes some accounts and not others. */
    checkAccounts: (ctx: Context, findAsked: () => Promise<WireRequest | undefined>) =>
      dialect.accountTypes && createAccountCheck(dialect.accountTypes, valuesFor(ctx), findAsked),
    /** Returns a request as the server understands it. */
    async toServer(
      ctx: Context,
      request: IncomingRequest,
      wireRequest: WireRequest,
    ): Promise<IncomingRequest> {
      if (wireRequest.endpoint === "jwks" && dialect.idTokenKey === "own") await ownKeyId(ctx);
      return await toServerRequest(request, await translationOf(parts, ctx, wireRequest));
    },
    /** Returns a response of the server as clients expect it. */
    async toClient(exchange: DialectExchange, response: WireResponse): Promise<WireResponse> {
      const place = placeOf(exchange.request);
      // What only the dialect has is in its shape already.
      const isShaped = place !== undefined && place.kind !== "alias";
      const shaped = isShaped ? response : await shapeResponse(exchange, response);
      return exchange.request.method === "HEAD" ? withoutWireBody(shaped) : shaped;
    },
    /** Returns the token that the server issued, for one that a client got. */
    originalOf: (token: string) => originalOf(parts, token),
    /** Gives random credentials their form. */
    chooser: (ctx: Context) =>
      createFormedCredentials(dialect.credentials ?? {}, () => randomSecret(ctx)),
  };
}

/** Returns what the lab does not play at the path of a request, which may be of no endpoint. */
function missingAt(
  { dialect: { missingPaths = [] }, address, placeOf }: DialectParts,
  request: WireRequest,
): string | undefined {
  if (request.endpoint !== undefined || placeOf(request)) return undefined;
  const path = pathBelow(new URL(request.url).pathname, address.base);
  return matchPath(missingPaths, path)?.place.text;
}

/** What the server sent without a body keeps the length that it announced. */
function withoutWireBody(response: WireResponse): WireResponse {
  const { headers } = withoutBody({ ...response, body: response.body || null });
  return { ...response, headers, body: "" };
}

function identify({ dialect, placeOf }: DialectParts, request: WireRequest): WireRequest {
  const place = placeOf(request);
  if (place?.kind === "certificates") return { ...request, endpoint: "jwks" };
  const named = { ...request, endpoint: endpointOf(place) ?? request.endpoint };
  return dialect.clientRequests ? withClientForm(named, dialect.clientRequests) : named;
}

function endpointOf(place: DialectPlace | undefined): WireRequest["endpoint"] {
  if (place?.kind === "userApi") return "userinfo";
  if (place?.kind === "tokenApi") return place.api.revokes ? "revoke" : "introspect";
  return place?.kind === "alias" ? place.endpoint : undefined;
}

async function translationOf(
  parts: DialectParts,
  ctx: Context,
  request: WireRequest,
): Promise<RequestTranslation> {
  const { dialect, address, placeOf } = parts;
  const { issuer, paths } = ctx.settings;
  const place = placeOf(request);
  return {
    issuerBase: issuerUrl(issuer, ""),
    paths,
    base: address.base,
    hosts: dialect.hosts,
    endpoint: place?.kind === "alias" ? place.endpoint : undefined,
    authorization: clientHeader(request, dialect.clientRequests),
    formSettings: { endpoint: request.endpoint, ...dialect.clientRequests },
    ...await parameterRules(ctx, dialect, request),
    originalOf: (token) => originalOf(parts, token),
  };
}

function originalOf({ dialect, tokens }: DialectParts, token: string): string {
  return (dialect.refreshToken && refreshTokenIn(token)) ?? tokens.originalOf(token);
}
