import type { Feature } from "../../feature.ts";
import type { Context } from "../../issuer/context.ts";
import { clientsOfSession } from "../../issuer/sessions/session_lists.ts";
import { sidFor } from "../../issuer/users/users.ts";
import type { Client } from "../../model/client.ts";
import { responseLocation } from "../../protocol/authorization_response.ts";
import { isWebUrl } from "../../util/addresses/uri.ts";
import {
  frontchannelClients,
  type FrontchannelLogoutClientConfig,
  frontchannelLogoutUriOf,
} from "./config.ts";

/** A browser signs its user out of applications (OpenID Connect Front-Channel Logout). */
export const frontchannelLogout: Feature = {
  name: "front-channel logout",
  config: { clients: frontchannelClients },
  sessionEnds: [{
    clientSetting: "frontchannelLogoutUri" satisfies keyof FrontchannelLogoutClientConfig,
    frames: logoutUrls,
  }],
  metadata: () => ({
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
  }),
};

/**
 * Returns the URLs that a page loads in frames, so that each client can sign the user out in this
 * browser (OpenID Connect Front-Channel Logout, section 2).
 */
async function logoutUrls(ctx: Context, sid: string): Promise<string[]> {
  const clients = await clientsOfSession(ctx, sid);
  const urls = await Promise.all(clients.map(({ client }) => logoutUrl(ctx, client, sid)));
  return urls.filter((url) => url !== undefined);
}

async function logoutUrl(ctx: Context, client: Client, sid: string): Promise<string | undefined> {
  const redirectUri = frontchannelLogoutUriOf(client);
  if (redirectUri === undefined || !isWebUrl(redirectUri)) return undefined;
  return responseLocation({ redirectUri, mode: "query" }, {
    iss: ctx.settings.issuer,
    sid: await sidFor(ctx, client, sid),
  });
}
