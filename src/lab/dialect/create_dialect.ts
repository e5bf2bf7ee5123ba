import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import { jsonResponse } from "../../server/http/response.ts";
import type { ResponseData } from "../../server/http/response_data.ts";
import type { Context } from "../../server/issuer/context.ts";
import type { ChooseCredential } from "../../server/issuer/new_credential.ts";
import { randomId, randomSecret } from "../../server/issuer/random.ts";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import type { OAuthError } from "../../server/protocol/oauth_error.ts";
import type { WireRequest } from "../recording/exchange.ts";
import { withClientForm } from "./client_requests.ts";
import { createFormedCredentials } from "./credential_forms.ts";
import type { Dialect } from "./dialect.ts";
import type { DialectAddress } from "./dialect_address.ts";
import { createDialectPlaces } from "./dialect_places.ts";
import { withPlayedHosts } from "./document_hosts.ts";
import { formPostRefusal } from "./form_post_rule.ts";
import { ownKeyId } from "./id_token_key.ts";
import { parameterRules } from "./parameter_rules.ts";
import { refreshTokenIn } from "./refresh_token_jwt.ts";
import { createResponseShapes, type ShapeResponse } from "./response_shapes.ts";
import { toServerRequest } from "./server_request.ts";
import { fillTemplate, type TemplateValues } from "./template.ts";
import { createTokenShapes, type TokenShapes } from "./token_shapes.ts";
import { apiTokenOf, respondAsUserApi } from "./user_apis.ts";
import { apiOfScope, userinfoIn, withAudience } from "./userinfo_audience.ts";
import { respondWithWorkloadToken } from "./workload_tokens.ts";

/** Translates between clients, which speak a dialect, and the server. */
export interface SpokenDialect extends Pick<TokenShapes, "shapeToken" | "remember"> {
  /** Adds the endpoint that the path of a request leads to. */
  identify(request: WireRequest): WireRequest;
  /** Whether a path that the server does not know is one of the dialect. */
  serves(request: WireRequest): boolean;
  /** Responds to a request for what only the dialect has. */
  respond(ctx: Context, request: WireRequest): Promise<ResponseData | undefined>;
  /** Returns why the provider refuses a request that the server would accept. */
  refusalOf(request: WireRequest): OAuthError | undefined;
  /** Returns a request as the server understands it. */
  toServer(
    ctx: Context,
    request: IncomingRequest,
    wireRequest: WireRequest,
  ): Promise<IncomingRequest>;
  /** Returns a response of the server as clients expect it. */
  toClient: ShapeResponse;
  /** Gives random credentials their form. */
  chooser(ctx: Context): ChooseCredential;
}

/** What changes while a lab runs. */
export interface DialectState {
  now: () => number;
  /** Remembers what happened once to a user, so that it does not happen again. */
  seen: Set<string>;
}

/** Creates what translates between the clients and the server of a lab. */
export function createDialect(
  dialect: Dialect,
  address: DialectAddress,
  { now, seen }: DialectState,
): SpokenDialect {
  const { formPost, missingEndpoints = [] } = dialect;
  const placeOf = createDialectPlaces(dialect, address);
  const valuesFor = (ctx: Context): TemplateValues => ({
    ...address,
    now: Math.floor(now() / 1000),
    time: new Date(now()).toISOString().replace("T", " ").replace(/\.\d+Z/, "Z"),
    random: randomId(ctx),
    trace: randomId(ctx),
    host: new URL(address.base).host,
    refresh: refreshValues(ctx, now()),
  });
  const audienceOf = (scope: unknown) =>
    (dialect.scopeAudience ? apiOfScope(scope) : undefined) ?? userinfoIn(dialect, address);
  const tokens = createTokenShapes(dialect, (token) => ({
    ...address,
    token: {
      ...withAudience(token, address.issuer, audienceOf(token.scope)),
      // The same in all tokens of an authorization: a `jti` begins with its id.
      origin: String(token.jti).split(".")[0],
    },
  }));
  const shapes = createResponseShapes(dialect, { tokens, valuesFor, seen });
  return {
    shapeToken: tokens.shapeToken,
    remember: tokens.remember,
    identify(request) {
      const place = placeOf(new URL(request.url).pathname);
      if (place?.kind === "userApi") return { ...request, endpoint: "userinfo" };
      if (place?.kind === "certificates") return { ...request, endpoint: "jwks" };
      const endpoint = place?.kind === "alias" ? place.endpoint : request.endpoint;
      const named = { ...request, endpoint };
      return dialect.clientRequests ? withClientForm(named, dialect.clientRequests) : named;
    },
    serves: ({ url }) => placeOf(new URL(url).pathname) !== undefined,
    async respond(ctx, request) {
      const place = placeOf(new URL(request.url).pathname);
      const isMissing = missingEndpoints.some((each) => each === request.endpoint);
      if (isMissing || place?.kind === "hidden") return jsonResponse({ error: "not_found" }, 404);
      if (!place || place.kind === "alias") return undefined;
      const values = valuesFor(ctx);
      if (place.kind === "userApi") {
        const token = tokens.originalOf(apiTokenOf(request));
        return await respondAsUserApi(ctx, place.api, token, values);
      }
      if (place.kind === "certificates") {
        const { respondWithCertificates } = await import("./key_certificates.ts");
        return await respondWithCertificates(ctx);
      }
      if (place.kind === "workloadTokens") {
        return await respondWithWorkloadToken(ctx, place, request, { ...address });
      }
      const { document: { body, status }, segment } = place;
      const filled = fillTemplate(body, { ...values, segment });
      return jsonResponse(withPlayedHosts(filled, address.base, dialect.hosts ?? []), status);
    },
    refusalOf: (request) => formPost && formPostRefusal(formPost, request),
    async toServer(ctx, request, wireRequest) {
      const { issuer, paths } = ctx.settings;
      const place = placeOf(new URL(request.url).pathname);
      if (wireRequest.endpoint === "jwks" && dialect.idTokenKey === "own") await ownKeyId(ctx);
      return await toServerRequest(request, {
        issuerBase: issuerUrl(issuer, ""),
        paths,
        base: address.base,
        hosts: dialect.hosts,
        endpoint: place?.kind === "alias" ? place.endpoint : undefined,
        formSettings: { endpoint: wireRequest.endpoint, ...dialect.clientRequests },
        ...await parameterRules(ctx, dialect, wireRequest),
        originalOf: (token) =>
          (dialect.refreshToken && refreshTokenIn(token)) ?? tokens.originalOf(token),
      });
    },
    async toClient(exchange, response) {
      const place = placeOf(new URL(exchange.request.url).pathname);
      // What only the dialect has is in its shape already.
      const isShaped = place !== undefined && place.kind !== "alias";
      return isShaped ? response : await shapes(exchange, response);
    },
    chooser: (ctx) => createFormedCredentials(dialect.credentials ?? {}, () => randomSecret(ctx)),
  };
}

/** Returns what templates know about the lifetime of a refresh token. */
function refreshValues({ settings: { lifetimes } }: Context, now: number): TemplateValues {
  const expires_in = Math.min(lifetimes.refreshIdle, lifetimes.refreshToken);
  return { exp: Math.floor(now / 1000) + expires_in, expires_in };
}
