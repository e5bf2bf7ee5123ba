import type { Feature } from "../../feature.ts";
import { frontchannelClients, type FrontchannelLogoutClientConfig } from "./config.ts";
import { logoutUrls } from "./logout_urls.ts";

/** A browser signs its user out of applications (OpenID Connect Front-Channel Logout). */
export const frontchannelLogout: Feature = {
  name: "front-channel logout",
  config: { clients: frontchannelClients },
  sessionEnd: {
    clientSetting: "frontchannelLogoutUri" satisfies keyof FrontchannelLogoutClientConfig,
    frames: logoutUrls,
  },
  metadata: () => ({
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
  }),
};
