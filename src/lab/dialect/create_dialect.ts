import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import { jsonResponse } from "../../server/http/response.ts";
import type { ResponseData } from "../../server/http/response_data.ts";
import { findClient } from "../../server/issuer/clients/clients.ts";
import type { Context } from "../../server/issuer/context.ts";
import type { ChooseCredential } from "../../server/issuer/new_credential.ts";
import { randomId, randomSecret } from "../../server/issuer/random.ts";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import type { WireRequest } from "../recording/exchange.ts";
import { createFormedCredentials } from "./credential_forms.ts";
import type { Dialect } from "./dialect.ts";
import type { DialectAddress } from "./dialect_address.ts";
import { createDialectPlaces } from "./dialect_places.ts";
import { ownKeyId } from "./id_token_key.ts";
import { withPlayedHosts } from "./played_hosts.ts";
import { createResponseShapes, type ShapeResponse } from "./response_shapes.ts";
import { toServerRequest } from "./server_request.ts";
import { fillTemplate, type TemplateValues } from "./template.ts";
import { createTokenShapes, type TokenShapes } from "./token_shapes.ts";
import { apiTokenOf, respondAsUserApi } from "./user_apis.ts";
import { requestableIssuer, userinfoIn, withAudience } from "./userinfo_audience.ts";
import { respondWithWorkloadToken } from "./workload_tokens.ts";

/** Translates between clients, which speak a dialect, and the server. */
export interface SpokenDialect extends Pick<TokenShapes, "shapeToken" | "remember"> {
  /** Adds the endpoint that the path of a request leads to. */
  identify(request: WireRequest): WireRequest;
  /** Whether a path that the server does not know is one of the dialect. */
  serves(request: WireRequest): boolean;
  /** Responds to a request for what only the dialect has. */
  respond(ctx: Context, request: WireRequest): Promise<ResponseData | undefined>;
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

/** Creates what translates between the clients and the server of a lab. */
export function createDialect(
  dialect: Dialect,
  address: DialectAddress,
  now: () => number,
): SpokenDialect {
  const placeOf = createDialectPlaces(dialect, address);
  const valuesFor = (ctx: Context): TemplateValues => ({
    ...address,
    now: Math.floor(now() / 1000),
    time: new Date(now()).toISOString().replace("T", " ").replace(/\.\d+Z/, "Z"),
    random: randomId(ctx),
    trace: randomId(ctx),
    host: new URL(address.base).host,
  });
  const tokens = createTokenShapes(dialect, (token) => ({
    ...address,
    token: {
      ...withAudience(token, address.issuer, userinfoIn(dialect, address)),
      // The same in all tokens of an authorization: a `jti` begins with its id.
      origin: String(token.jti).split(".")[0],
    },
  }));
  const shapes = createResponseShapes(dialect, tokens, valuesFor);
  return {
    shapeToken: tokens.shapeToken,
    remember: tokens.remember,
    identify(request) {
      const place = placeOf(new URL(request.url).pathname);
      if (place?.kind === "alias") return { ...request, endpoint: place.endpoint };
      return place?.kind === "userApi" ? { ...request, endpoint: "userinfo" } : request;
    },
    serves: ({ url }) => placeOf(new URL(url).pathname) !== undefined,
    async respond(ctx, request) {
      const place = placeOf(new URL(request.url).pathname);
      if (!place || place.kind === "alias") return undefined;
      if (place.kind === "hidden") return jsonResponse({ error: "not_found" }, 404);
      const values = valuesFor(ctx);
      if (place.kind === "userApi") {
        const token = tokens.originalOf(apiTokenOf(request));
        return await respondAsUserApi(ctx, place.api, token, values);
      }
      if (place.kind === "workloadTokens") {
        return await respondWithWorkloadToken(ctx, place.tokens, request, { ...address });
      }
      const { document: { body, status }, segment } = place;
      const filled = fillTemplate(body, { ...values, segment });
      return jsonResponse(withPlayedHosts(filled, address.base, dialect.hosts ?? []), status);
    },
    async toServer(ctx, request, { endpoint, client }) {
      const { settings } = ctx;
      const place = placeOf(new URL(request.url).pathname);
      if (endpoint === "jwks" && dialect.idTokenKey === "own") await ownKeyId(ctx);
      return await toServerRequest(request, {
        issuerBase: issuerUrl(settings.issuer, ""),
        paths: settings.paths,
        base: address.base,
        hosts: dialect.hosts,
        endpoint: place?.kind === "alias" ? place.endpoint : undefined,
        scopeSeparator: dialect.scopeSeparator ?? " ",
        knownScopes: await knownScopes(ctx, dialect, client),
        renamed: endpoint === "logout" ? renamedByLogout(dialect) : {},
        userinfo: dialect.userinfoAudience === undefined
          ? undefined
          : requestableIssuer(settings.issuer, settings.resources),
        originalOf: tokens.originalOf,
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

/** Returns the scopes that remain in a request; undefined if none is left out. */
async function knownScopes(
  ctx: Context,
  { unknownScopes }: Dialect,
  client: string | undefined,
): Promise<readonly string[] | undefined> {
  if (unknownScopes !== "ignore" || client === undefined) return undefined;
  return (await findClient(ctx, client))?.scopes;
}

function renamedByLogout({ logout }: Dialect): Record<string, string> {
  const { redirectParameter: name } = logout ?? {};
  return name === undefined ? {} : { [name]: "post_logout_redirect_uri" };
}
