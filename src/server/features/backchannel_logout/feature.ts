import type { Feature } from "../../feature.ts";
import { second } from "../../util/time/duration.ts";
import { once } from "../../util/time/promises.ts";
import { backchannelClients, type BackchannelLogoutClientConfig } from "./config.ts";

const load = once(() => import("./logout_deliveries.ts"));

/** Clients learn from the server that a session ended (OpenID Connect Back-Channel Logout). */
export const backchannelLogout: Feature = {
  name: "back-channel logout",
  config: { clients: backchannelClients },
  sessionEnd: {
    clientSetting: "backchannelLogoutUri" satisfies keyof BackchannelLogoutClientConfig,
    notify: async (ctx, sid) => await (await load()).notifyClients(ctx, sid),
  },
  tasks: [{
    name: "logout",
    interval: 10 * second * 1000,
    run: async (ctx) => await (await load()).deliverLogouts(ctx),
  }],
  metadata: () => ({
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  }),
};
