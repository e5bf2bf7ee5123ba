import { pathBelow } from "../../config/endpoint_paths.ts";
import type { Settings } from "../../config/settings.ts";
import { pageRoute } from "../../endpoints/route.ts";
import type { Feature } from "../../feature.ts";
import { lazyModule } from "../../util/lazy_module.ts";
import {
  type LogoutClientConfig,
  logoutClients,
  logoutPages,
  logoutPaths,
  logoutServer,
} from "./config.ts";

const endpoints = lazyModule(() => import("./logout.ts"));

/** Clients send users to the server to sign out (OpenID Connect RP-Initiated Logout). */
export const logout: Feature = {
  name: "logout",
  config: { server: logoutServer, paths: logoutPaths, pages: logoutPages, clients: logoutClients },
  routes(settings) {
    const { logout: path } = logoutPaths.of(settings.paths);
    const stored = pathBelow(path, ":handle");
    const options = { enabled: hasOpenId };
    return [
      pageRoute("GET", path, endpoints.logout, { metadata: "end_session_endpoint", ...options }),
      pageRoute("POST", path, endpoints.logoutByPost, options),
      pageRoute("GET", stored, endpoints.logoutByHandle, options),
      pageRoute("POST", stored, endpoints.confirmLogout, options),
    ];
  },
  parameters: ["logout_hint", "post_logout_redirect_uri"],
  sessionEnds: [{ clientSetting: "postLogoutRedirectUris" satisfies keyof LogoutClientConfig }],
};

function hasOpenId({ scopes }: Settings): boolean {
  return scopes.has("openid");
}
