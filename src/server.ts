import { callbackPath } from "./config/addresses.ts";
import type { Config } from "./config/config.ts";
import { resolveConfig } from "./config/resolve_config.ts";
import type { Settings } from "./config/settings.ts";
import { account } from "./endpoints/account/account.ts";
import { signInToAccount } from "./endpoints/account/account_sign_in.ts";
import { removeAccess } from "./endpoints/account/remove_access.ts";
import { authorize, authorizeByPost } from "./endpoints/authorize.ts";
import { authorized } from "./endpoints/authorized.ts";
import { device, deviceByPost } from "./endpoints/device.ts";
import { deviceAuthorization } from "./endpoints/device_authorization.ts";
import { health } from "./endpoints/health.ts";
import { home } from "./endpoints/home.ts";
import { consent } from "./endpoints/interaction/consent.ts";
import { interaction } from "./endpoints/interaction/interaction.ts";
import { selectAccount } from "./endpoints/interaction/select_account.ts";
import { signIn } from "./endpoints/interaction/sign_in.ts";
import { introspect } from "./endpoints/introspect.ts";
import { jwks } from "./endpoints/jwks.ts";
import { confirmLogout, logout, logoutByHandle, logoutByPost } from "./endpoints/logout/logout.ts";
import { metadata } from "./endpoints/metadata.ts";
import { par } from "./endpoints/par.ts";
import { register } from "./endpoints/register.ts";
import { changeRegistration, endRegistration, showRegistration } from "./endpoints/registration.ts";
import { handleRequest } from "./endpoints/responses/handle_request.ts";
import { revoke } from "./endpoints/revoke.ts";
import type { Route } from "./endpoints/route.ts";
import { signOut } from "./endpoints/sign_out.ts";
import { staticFile } from "./endpoints/static_files.ts";
import { token } from "./endpoints/token.ts";
import { userinfo } from "./endpoints/userinfo.ts";
import { grantTypes } from "./grants/grants.ts";
import { openToScripts, preflight } from "./http/cors.ts";
import { pathOf } from "./http/request_path.ts";
import { createRouter, methodsOf, type RouteMatch } from "./http/router.ts";
import { checkProfile } from "./issuer/clients/check_profile.ts";
import { scriptOriginOf } from "./issuer/clients/script_origin.ts";
import type { Context } from "./issuer/context.ts";
import { createContext } from "./issuer/create_context.ts";
import { describeServer } from "./issuer/describe_server.ts";
import { checkEncryption, encryptOutdatedRows } from "./issuer/keys/check_seals.ts";
import { maintainKeys } from "./issuer/keys/rotate_keys.ts";
import { createMaintenance } from "./issuer/maintenance.ts";
import { createProxyWatch } from "./issuer/trusted_proxies.ts";
import type { ServerMetadata } from "./model/server_metadata.ts";
import { deviceCodeGrant } from "./protocol/device_request.ts";
import { issuerUrl, wellKnownPaths } from "./protocol/issuer_url.ts";

/** Everything this server answers, below the path of its issuer. The metadata is computed from it. */
const routes: readonly Route[] = [
  {
    method: "GET",
    path: "/oauth2/authorize",
    answer: authorize,
    for: "people",
    metadata: "authorization_endpoint",
  },
  { method: "POST", path: "/oauth2/authorize", answer: authorizeByPost, for: "people" },
  {
    method: "POST",
    path: "/oauth2/par",
    answer: par,
    for: "scripts",
    metadata: "pushed_authorization_request_endpoint",
  },
  { method: "GET", path: "/oauth2/interaction/:id", answer: interaction, for: "people" },
  { method: "POST", path: "/oauth2/interaction/:id/sign-in", answer: signIn, for: "people" },
  { method: "POST", path: "/oauth2/interaction/:id/account", answer: selectAccount, for: "people" },
  { method: "POST", path: "/oauth2/interaction/:id/consent", answer: consent, for: "people" },
  {
    method: "POST",
    path: "/oauth2/token",
    answer: token,
    for: "scripts",
    credentials: true,
    metadata: "token_endpoint",
  },
  {
    method: "POST",
    path: "/oauth2/device_authorization",
    answer: deviceAuthorization,
    for: "scripts",
    metadata: "device_authorization_endpoint",
    when: knowsDevices,
  },
  {
    method: "POST",
    path: "/oauth2/introspect",
    answer: introspect,
    for: "scripts",
    metadata: "introspection_endpoint",
  },
  {
    method: "POST",
    path: "/oauth2/revoke",
    answer: revoke,
    for: "scripts",
    metadata: "revocation_endpoint",
  },
  {
    method: "POST",
    path: "/oauth2/register",
    answer: register,
    for: "scripts",
    metadata: "registration_endpoint",
    when: takesRegistrations,
  },
  {
    method: "GET",
    path: "/oauth2/register/:id",
    answer: showRegistration,
    for: "scripts",
    when: takesRegistrations,
  },
  {
    method: "PUT",
    path: "/oauth2/register/:id",
    answer: changeRegistration,
    for: "scripts",
    when: takesRegistrations,
  },
  {
    method: "DELETE",
    path: "/oauth2/register/:id",
    answer: endRegistration,
    for: "scripts",
    when: takesRegistrations,
  },
  {
    method: "GET",
    path: "/oauth2/userinfo",
    answer: userinfo,
    for: "scripts",
    metadata: "userinfo_endpoint",
    when: speaksOpenId,
  },
  {
    method: "POST",
    path: "/oauth2/userinfo",
    answer: userinfo,
    for: "scripts",
    when: speaksOpenId,
  },
  {
    method: "GET",
    path: "/oauth2/logout",
    answer: logout,
    for: "people",
    metadata: "end_session_endpoint",
    when: speaksOpenId,
  },
  {
    method: "POST",
    path: "/oauth2/logout",
    answer: logoutByPost,
    for: "people",
    when: speaksOpenId,
  },
  {
    method: "GET",
    path: "/oauth2/logout/:handle",
    answer: logoutByHandle,
    for: "people",
    when: speaksOpenId,
  },
  {
    method: "POST",
    path: "/oauth2/logout/:handle",
    answer: confirmLogout,
    for: "people",
    when: speaksOpenId,
  },
  { method: "GET", path: "/oauth2/jwks", answer: jwks, for: "scripts", metadata: "jwks_uri" },
  {
    method: "GET",
    path: "/.well-known/openid-configuration",
    answer: metadata,
    for: "scripts",
    wellKnown: true,
  },
  {
    method: "GET",
    path: "/.well-known/oauth-authorization-server",
    answer: metadata,
    for: "scripts",
    wellKnown: true,
  },
  { method: "GET", path: "/device", answer: device, for: "people", when: knowsDevices },
  { method: "POST", path: "/device", answer: deviceByPost, for: "people", when: knowsDevices },
  {
    method: "GET",
    path: callbackPath,
    answer: authorized,
    for: "people",
    when: ({ hasCallbackPage }) => hasCallbackPage,
  },
  { method: "GET", path: "/", answer: home, for: "people" },
  { method: "GET", path: "/account", answer: account, for: "people" },
  { method: "POST", path: "/account/sign-in", answer: signInToAccount, for: "people" },
  { method: "POST", path: "/account/remove", answer: removeAccess, for: "people" },
  { method: "POST", path: "/sign-out", answer: signOut, for: "people" },
  { method: "GET", path: "/static/:file", answer: staticFile, for: "programs" },
  { method: "GET", path: "/health", answer: health, for: "programs" },
];

function takesRegistrations({ registration }: Settings): boolean {
  return registration.open || registration.initialAccessToken !== undefined;
}

function speaksOpenId({ scopes }: Settings): boolean {
  return scopes.has("openid");
}

function knowsDevices({ grantTypes }: Settings): boolean {
  return grantTypes.includes(deviceCodeGrant);
}

/** A server that is ready to answer. */
export interface Server {
  /** The issuer identifier; every URL of the server begins with it. */
  readonly issuer: string;
  /** Answers a request: the whole server in one function. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** What the working parts share; for routes of your own. */
  readonly context: Context;
  /** Opens what the store holds sealed: a wrong secret is an error here, and not at the first request. */
  readonly open: () => Promise<void>;
  /** Makes the signing keys ahead of the first request that needs one. */
  readonly prepare: () => Promise<void>;
  /** Finishes what is under way in the background, and closes the store. */
  readonly close: () => Promise<void>;
}

/** Makes a server of a configuration. Further routes come before ours, and may take their place. */
export function createServer(config: Config, furtherRoutes: readonly Route[] = []): Server {
  const settings = resolveConfig(config, grantTypes);
  const all = [...furtherRoutes, ...routes].filter((route) => route.when?.(settings) ?? true);
  const ctx = createContext(settings, metadataOf(settings, all));
  const find = createRouter(all.flatMap((route) => placesOf(settings, route)));
  const upkeep = createMaintenance(ctx);
  const watchForProxies = createProxyWatch(settings.trustedProxies, ctx.emit);

  async function fetch(request: Request): Promise<Response> {
    watchForProxies(request);
    const path = pathOf(request);
    const found: RouteMatch<Route> = path === undefined
      ? { routes: [], segment: "" }
      : find(request.method, path);
    const forScripts = found.routes.some((route) => route.for === "scripts");
    if (request.method === "OPTIONS" && forScripts) return preflight(methodsOf(found.routes));
    const response = await handleRequest(ctx, request, found);
    upkeep();
    const credentialed = found.route?.credentials ? scriptOriginOf(request) : undefined;
    const readable = forScripts ? openToScripts(response, credentialed) : response;
    return request.method === "HEAD" ? new Response(null, readable) : readable;
  }

  return {
    issuer: settings.issuer,
    fetch,
    context: ctx,
    open: async () => {
      await checkEncryption(ctx);
      await checkProfile(ctx);
      await encryptOutdatedRows(ctx);
    },
    prepare: () => ctx.keys.prepare().then(() => maintainKeys(ctx)),
    async close() {
      await ctx.background.idle();
      await ctx.records.close();
    },
  };
}

/** Where a route stands, once the path of the issuer is known. */
function placesOf({ issuer, base }: Settings, route: Route): Route[] {
  const paths = route.wellKnown ? wellKnownPaths(issuer, route.path) : [`${base}${route.path}`];
  return paths.map((path) => ({ ...route, path }));
}

/** Computed from what is there, so that it cannot tell of anything that is not. */
function metadataOf(settings: Settings, all: readonly Route[]): ServerMetadata {
  const told = all.filter((route) => route.metadata !== undefined);
  const urlOf = (route: Route) =>
    issuerUrl(route.for === "people" ? settings.frontChannel : settings.backChannel, route.path);
  return describeServer(
    settings,
    Object.fromEntries(told.map((route) => [route.metadata, urlOf(route)])),
  );
}
