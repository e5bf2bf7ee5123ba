import { openToScripts, preflight } from "./http/cors.ts";
import { isPlausible } from "./http/host.ts";
import { createRouter, methodNotAllowed, notFound } from "./http/router.ts";
import { wellKnownPaths } from "./protocol/issuer_url.ts";
import { OAuthError } from "./protocol/oauth_error.ts";
import type { Config } from "./issuer/config.ts";
import type { Context } from "./issuer/context.ts";
import { createContext } from "./issuer/create_context.ts";
import type { Settings } from "./issuer/settings.ts";
import { resolveConfig } from "./issuer/resolve_config.ts";
import { grantTypes } from "./grants/grants.ts";
import { authorize, authorizeByPost, authorizeKept } from "./endpoints/authorize.ts";
import { authorized } from "./endpoints/authorized.ts";
import { consent } from "./endpoints/consent.ts";
import { health } from "./endpoints/health.ts";
import { home } from "./endpoints/home.ts";
import { interaction } from "./endpoints/interaction.ts";
import { introspect } from "./endpoints/introspect.ts";
import { jwks } from "./endpoints/jwks.ts";
import { metadata } from "./endpoints/metadata.ts";
import { refusal } from "./endpoints/refusal.ts";
import { revoke } from "./endpoints/revoke.ts";
import type { Route } from "./endpoints/route.ts";
import { selectAccount } from "./endpoints/select_account.ts";
import { signIn } from "./endpoints/sign_in.ts";
import { signOut } from "./endpoints/sign_out.ts";
import { staticFile } from "./endpoints/static_files.ts";
import { token } from "./endpoints/token.ts";
import { userinfo } from "./endpoints/userinfo.ts";

/** Everything this server answers. Paths begin where the issuer's own path ends. */
const table: readonly Route[] = [
  { method: "GET", path: "/oauth2/authorize", answer: authorize, for: "people", metadata: "authorization_endpoint" },
  { method: "POST", path: "/oauth2/authorize", answer: authorizeByPost, for: "people" },
  { method: "GET", path: "/oauth2/authorize/:kept", answer: authorizeKept, for: "people" },
  { method: "GET", path: "/oauth2/interaction/:id", answer: interaction, for: "people" },
  { method: "POST", path: "/oauth2/interaction/:id/sign-in", answer: signIn, for: "people" },
  { method: "POST", path: "/oauth2/interaction/:id/account", answer: selectAccount, for: "people" },
  { method: "POST", path: "/oauth2/interaction/:id/consent", answer: consent, for: "people" },
  { method: "POST", path: "/oauth2/token", answer: token, for: "scripts", metadata: "token_endpoint" },
  { method: "POST", path: "/oauth2/introspect", answer: introspect, for: "scripts", metadata: "introspection_endpoint" },
  { method: "POST", path: "/oauth2/revoke", answer: revoke, for: "scripts", metadata: "revocation_endpoint" },
  { method: "GET", path: "/oauth2/userinfo", answer: userinfo, for: "scripts", metadata: "userinfo_endpoint", challenge: "Bearer" },
  { method: "POST", path: "/oauth2/userinfo", answer: userinfo, for: "scripts", challenge: "Bearer" },
  { method: "GET", path: "/oauth2/jwks", answer: jwks, for: "scripts", metadata: "jwks_uri" },
  { method: "GET", path: "/authorized", answer: authorized, for: "people" },
  { method: "GET", path: "/", answer: home, for: "people" },
  { method: "POST", path: "/sign-out", answer: signOut, for: "people" },
  { method: "GET", path: "/static/:file", answer: staticFile, for: "people" },
  { method: "GET", path: "/health", answer: health, for: "programs" },
];

/** The documents that clients find by the issuer alone; each stands in both places that the specifications name. */
const documents = ["openid-configuration", "oauth-authorization-server"];

/** A server that is ready to answer. */
export interface Server {
  readonly issuer: string;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly context: Context;
  /** Makes the signing keys ahead of the first request that needs one. */
  readonly prepare: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Makes a server of a configuration. Routes given beside it stand in front of ours. */
export function createServer(config: Config, routes: readonly Route[] = []): Server {
  const settings = resolveConfig(config, grantTypes);
  const own = [...routes, ...table.filter((row) => !routes.some((other) => other.method === row.method && other.path === row.path))];
  const ctx = createContext(config, settings, own, grantTypes);
  const router = createRouter(allRoutes(settings, own));

  async function fetch(request: Request): Promise<Response> {
    if (!isPlausible(request)) {
      return refusal(ctx, new OAuthError("invalid_request", "The request names no plausible host or address."), undefined);
    }
    const { rows, row, segment } = router(request.method, new URL(request.url).pathname);
    const open = rows.some((route) => route.for === "scripts");
    if (request.method === "OPTIONS" && open) return preflight(rows.map((route) => route.method));
    const response = await answer(ctx, request, rows, row, segment);
    ctx.sweep();
    return withoutBody(request, open ? openToScripts(response) : response);
  }

  return {
    issuer: settings.issuer,
    fetch,
    context: ctx,
    prepare: () => ctx.keys.prepare(),
    close: () => ctx.records.close(),
  };
}

function allRoutes(settings: Settings, own: readonly Route[]): Route[] {
  const wellKnown = documents.flatMap((name) => wellKnownPaths(settings.issuer, name));
  return [
    ...wellKnown.map((path): Route => ({ method: "GET", path, answer: metadata, for: "scripts" })),
    ...own.map((row) => ({ ...row, path: `${settings.base}${row.path}` })),
  ];
}

/** The one place where errors become answers. What is no refusal is a fault of ours, and nobody outside learns its details. */
async function answer(ctx: Context, request: Request, rows: Route[], row: Route | undefined, segment: string): Promise<Response> {
  const route = row ?? rows[0];
  try {
    if (rows.length === 0) throw notFound();
    if (!row) throw methodNotAllowed(rows);
    return await row.answer(ctx, request, segment);
  } catch (cause) {
    const error = cause instanceof OAuthError
      ? cause
      : new OAuthError("server_error", "The server met an unexpected condition.", { cause });
    const place = { method: request.method, path: route?.path ?? "unknown" };
    if (error.cause !== undefined && error.status >= 500) ctx.emit({ type: "server.failed", ...place, cause: error.cause });
    ctx.emit({ type: "request.refused", ...place, status: error.status, error: error.code, description: error.message });
    return refusal(ctx, error, route);
  }
}

function withoutBody(request: Request, response: Response): Response {
  return request.method === "HEAD" ? new Response(null, response) : response;
}
