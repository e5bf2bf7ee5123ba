import type { WrapperSettings } from "./config/check_config.ts";
import type { CoreConfig } from "./config/config.ts";
import { pathBelow } from "./config/endpoint_paths.ts";
import { makeSettings } from "./config/make_settings.ts";
import type { Settings } from "./config/settings.ts";
import { health, jwks, metadata } from "./endpoints/public_documents.ts";
import { createResponder, type Responder } from "./endpoints/responses/handle_request.ts";
import {
  apiRoute,
  type PageEndpoint,
  pageEndpoints,
  pageRoute,
  type Route,
  type RouteOptions,
  toRoute,
} from "./endpoints/route.ts";
import { tokenEndpoint } from "./endpoints/token.ts";
import { userinfo } from "./endpoints/userinfo.ts";
import type { Feature } from "./feature.ts";
import { activeFeaturesOf, checkOnce, type FeatureParts, featureParts } from "./feature_parts.ts";
import type { Grant } from "./grants/grant.ts";
import { createApplication } from "./http/application.ts";
import { requestPath } from "./http/router.ts";
import type { Envelope } from "./issuer/active_features.ts";
import type { Context } from "./issuer/context.ts";
import {
  createContext,
  type CreateRequestContext,
  createRequestContexts,
} from "./issuer/create_context.ts";
import { addMembers, describeServer, type EndpointUrls } from "./issuer/describe_server.ts";
import { maintainKeys } from "./issuer/keys/rotate_keys.ts";
import { encryptOutdatedRows, eraseReplaced } from "./issuer/keys/secrets_at_rest.ts";
import type { ServerHooks } from "./issuer/server_hooks.ts";
import { completeClaimRows } from "./issuer/users/find_users.ts";
import { endpointFields, type ServerMetadata } from "./model/server_metadata.ts";
import { issuerUrl } from "./protocol/issuer_url.ts";
import { senderNetwork } from "./util/addresses/network.ts";

/**
 * Creates the routes of the endpoints, whose paths can be configured. All paths are below the path
 * of the issuer. The metadata is computed from the routes. An endpoint that is named by a string is
 * loaded when it is first needed.
 */
function endpointRoutes(settings: Settings, grants: readonly Grant[]): readonly Route[] {
  const { paths } = settings;
  const interactionPage = pathBelow(paths.interaction, ":id");
  return [
    page("GET", paths.authorize, "authorize", { metadata: "authorization_endpoint" }),
    page("POST", paths.authorize, "authorizeByPost"),
    apiRoute("POST", paths.token, tokenEndpoint(settings, grants), {
      metadata: "token_endpoint",
      credentials: true,
    }),
    apiRoute("GET", paths.userinfo, userinfo, {
      metadata: "userinfo_endpoint",
      enabled: hasOpenId,
    }),
    apiRoute("POST", paths.userinfo, userinfo, { enabled: hasOpenId }),
    apiRoute("GET", paths.jwks, jwks, { metadata: "jwks_uri" }),
    page("GET", interactionPage, "interaction"),
    page("POST", pathBelow(interactionPage, "sign-in"), "signIn"),
    page("POST", pathBelow(interactionPage, "account"), "selectAccount"),
    page("POST", pathBelow(interactionPage, "consent"), "consent"),
  ];
}

/** The routes whose paths never change. */
const coreFixedRoutes: readonly Route[] = [
  apiRoute("GET", "/.well-known/openid-configuration", metadata, { wellKnown: true }),
  apiRoute("GET", "/.well-known/oauth-authorization-server", metadata, { wellKnown: true }),
  page("GET", "/", "home"),
  page("POST", "/sign-out", "signOut"),
  { method: "GET", path: "/static/:file", handler: pageEndpoints.staticFile, kind: "api" },
  { method: "GET", path: "/favicon.ico", handler: pageEndpoints.favicon, kind: "api" },
  { method: "GET", path: "/health", handler: health, kind: "api" },
];

/**
 * An authorization server. Every property can be used by itself: `const { fetch } =
 * createServer(…)`.
 */
export interface Server {
  /** The issuer identifier; every URL of the server begins with it. */
  readonly issuer: string;
  /** Responds to a request: the whole server in one function. */
  readonly fetch: (request: Request) => Promise<Response>;
  /**
   * Checks that the store can be read with the configured secret, and makes the signing keys.
   * Optional: without it, the first request that needs a key waits for it, and a wrong secret shows
   * at the first request. After an upgrade, it also indexes the users in the store, in 0.15 ms of a
   * processor's time each: without it, the first request that looks for one waits for that.
   */
  readonly ready: () => Promise<void>;
  /** Finishes the work in the background, and closes the store. */
  readonly close: () => Promise<void>;
}

/** A server with the parts that it is made of, for what wraps or operates it. */
export interface InternalServer extends Server {
  readonly context: Context;
  readonly respond: Responder;
  /** Makes the context of a request that what wraps the server responds to. */
  readonly contextOf: CreateRequestContext;
}

export interface ServerWrapper extends ServerHooks, WrapperSettings {
  /** The paths that the wrapper serves itself, where no endpoint can be. */
  reservedPaths: readonly string[];
  /** Encrypts in place of the feature that does. */
  envelope?: Envelope | undefined;
}

const noWrapper: ServerWrapper = { reservedPaths: [], httpClients: false };

/**
 * Creates a server with some features, whose parts can be reached. The operator's own routes come
 * first.
 */
export function createInternalServer(
  config: CoreConfig,
  features: readonly Feature[],
  { reservedPaths, envelope, httpClients, openGrants, idTokenAlg, ...hooks }: ServerWrapper =
    noWrapper,
  parts: FeatureParts = featureParts(features),
): InternalServer {
  const settings = makeSettings(config, {
    ...parts.implemented,
    paths: [
      ...reservedPaths,
      ...[...coreFixedRoutes, ...parts.fixedRoutes].map(({ path }) => path),
    ],
    httpClients,
    openGrants,
    idTokenAlg,
  });
  const table = routesOf(settings, parts);
  const describe = (hostsDocuments: boolean) =>
    metadataOf(settings, table, features, hostsDocuments);
  const active = activeFeaturesOf(parts, settings, table);
  const context = createContext(
    settings,
    describe,
    hooks,
    envelope ? { ...active, envelope } : active,
  );
  const contextOf = createRequestContexts(context);
  const respond = createResponder(context, contextOf, table);
  const healthPath = `${settings.base}/health`;
  return {
    issuer: settings.issuer,
    context,
    contextOf,
    // No caller of a server can observe its requests, and so choose what they create.
    ...createApplication((request) => respond(request), {
      isProbe: (request) => request.method === "GET" && requestPath(request) === healthPath,
      senderOf(request) {
        const { address } = context.readOrigin(request);
        return address && senderNetwork(address);
      },
      onRefused: (requests) => context.emit({ type: "server.overloaded", requests }),
    }),
    respond,
    async ready() {
      context.metadata();
      await context.keys.checkEncryption();
      await encryptOutdatedRows(context);
      await eraseReplaced(context);
      await context.keys.prepare();
      await completeClaimRows(context);
      await maintainKeys(context);
    },
    async close() {
      await context.background.idle();
      await context.records.close();
    },
  };
}

/** Returns the routes that a server with these settings and features has. */
export function routesOf(
  settings: Settings,
  { features, grants, fixedRoutes }: FeatureParts,
): readonly Route[] {
  const { routes } = settings;
  const all = [
    ...coreFixedRoutes,
    ...fixedRoutes,
    ...endpointRoutes(settings, grants),
    ...features.flatMap((feature) => feature.routes?.(settings) ?? []),
  ].filter((route) => route.enabled?.(settings) ?? true);
  checkOnce("route", all.map(({ method, path }) => `${method} ${path}`));
  return [...routes.map(toRoute).filter((route) => route.enabled?.(settings)), ...all];
}

/** A route for people, by the name of its endpoint. */
function page(
  method: Route["method"],
  path: string,
  name: PageEndpoint,
  options?: RouteOptions,
): Route {
  return pageRoute(method, path, pageEndpoints[name], options);
}

function hasOpenId({ scopes }: Settings): boolean {
  return scopes.has("openid");
}

/**
 * Computes the metadata from the routes, so that it never advertises an endpoint that is missing.
 */
function metadataOf(
  settings: Settings,
  routes: readonly Route[],
  features: readonly Feature[],
  hostsDocuments: boolean,
): ServerMetadata {
  const { frontChannelUrl, backChannelUrl } = settings;
  const urlOf = ({ kind, path }: Route) =>
    issuerUrl(kind === "page" ? frontChannelUrl : backChannelUrl, path);
  const members = new Set([...endpointFields, ...routes.flatMap(({ metadata = [] }) => metadata)]);
  const endpoints: EndpointUrls = Object.fromEntries([...members].flatMap((member) => {
    const route = routes.find(({ metadata: ofRoute }) => ofRoute === member);
    return route ? [[member, urlOf(route)]] : [];
  }));
  const added = features.reduce(
    (members, each) =>
      addMembers(members, each.metadata?.(settings, { hostsDocuments }, endpoints)),
    {},
  );
  return describeServer(settings, endpoints, added);
}
