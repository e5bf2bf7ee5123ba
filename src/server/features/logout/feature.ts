import { pathBelow } from "../../config/endpoint_paths.ts";
import type { Settings } from "../../config/settings.ts";
import { pageRoute } from "../../endpoints/route.ts";
import type { Feature } from "../../feature.ts";
import { once } from "../../util/time/promises.ts";
import { type LogoutClientConfig, logoutClients, logoutPages, logoutPaths } from "./config.ts";

const load = once(() => import("./logout.ts"));

/** Clients send users to the server to sign out (OpenID Connect RP-Initiated Logout). */
export const logout: Feature = {
  name: "logout",
  config: { paths: logoutPaths, pages: logoutPages, clients: logoutClients },
  routes(settings) {
    const { logout: path } = logoutPaths.of(settings.paths);
    const stored = pathBelow(path, ":handle");
    const options = { enabled: hasOpenId };
    return [
      pageRoute("GET", path, async (ctx) => await (await load()).logout(ctx), {
        metadata: "end_session_endpoint",
        ...options,
      }),
      pageRoute("POST", path, async (ctx) => await (await load()).logoutByPost(ctx), options),
      pageRoute(
        "GET",
        stored,
        async (ctx, handle) => await (await load()).logoutByHandle(ctx, handle),
        options,
      ),
      pageRoute(
        "POST",
        stored,
        async (ctx, handle) => await (await load()).confirmLogout(ctx, handle),
        options,
      ),
    ];
  },
  sessionEnd: { clientSetting: "postLogoutRedirectUris" satisfies keyof LogoutClientConfig },
};

function hasOpenId({ scopes }: Settings): boolean {
  return scopes.has("openid");
}
