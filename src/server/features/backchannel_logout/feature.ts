import type { Feature } from "../../feature.ts";
import { lazyModule } from "../../util/lazy_module.ts";
import { second } from "../../util/time/duration.ts";
import { deliveries } from "../deliveries/feature.ts";
import { backchannelClients, type BackchannelLogoutClientConfig } from "./config.ts";

const { notifyClients, deliverLogouts } = lazyModule(() => import("./logout_deliveries.ts"));

/** Clients learn from the server that a session ended (OpenID Connect Back-Channel Logout). */
export const backchannelLogout: Feature = {
  name: "back-channel logout",
  needs: [deliveries],
  config: { clients: backchannelClients },
  sessionEnds: [{
    clientSetting: "backchannelLogoutUri" satisfies keyof BackchannelLogoutClientConfig,
    notify: notifyClients,
  }],
  secrets: ["logout_token"],
  tasks: [{
    name: "logout",
    interval: 10 * second * 1000,
    run: deliverLogouts,
  }],
  metadata: () => ({
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  }),
};
