import { pathBelow } from "../../config/endpoint_paths.ts";
import type { Settings } from "../../config/settings.ts";
import { type Endpoint, pageRoute } from "../../endpoints/route.ts";
import type { Feature } from "../../feature.ts";
import { once } from "../../util/time/promises.ts";
import { type LogoutClientConfig, logoutClients, logoutPages, logoutPaths } from "./config.ts";

const load = once(() => import("./logout.ts"));

const logoutByGet: Endpoint = async (ctx) => await (await load()).logout(ctx);
const logoutByPost: Endpoint = async (ctx) => await (await load()).logoutByPost(ctx);
const logoutByHandle: Endpoint = async (ctx, handle) =>
  await (await load()).logoutByHandle(ctx, handle);
const confirmLogout: Endpoint = async (ctx, handle) =>
  await (await load()).confirmLogout(ctx, handle);

/** Clients send users to the server to sign out (OpenID Connect RP-Initiated Logout). */
export const logout: Feature = {
  name: "logout",
  config: { paths: logoutPaths, pages: logoutPages, clients: logoutClients },
  routes(settings) {
    const { logout: path } = logoutPaths.of(settings.paths);
    const stored = pathBelow(path, ":handle");
    const options = { enabled: hasOpenId };
    return [
      pageRoute("GET", path, logoutByGet, { metadata: "end_session_endpoint", ...options }),
      pageRoute("POST", path, logoutByPost, options),
      pageRoute("GET", stored, logoutByHandle, options),
      pageRoute("POST", stored, confirmLogout, options),
    ];
  },
  sessionEnd: { clientSetting: "postLogoutRedirectUris" satisfies keyof LogoutClientConfig },
};

function hasOpenId({ scopes }: Settings): boolean {
  return scopes.has("openid");
}
