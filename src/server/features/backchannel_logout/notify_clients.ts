import type { Context } from "../../issuer/context.ts";
import { clientsOfSession } from "../../issuer/sessions/session_clients.ts";
import { backchannelLogoutUriOf } from "./config.ts";
import { makeAttempts, storeFirstAttempt } from "./logout_deliveries.ts";

// Loaded on first use.

export { deliverLogouts } from "./logout_deliveries.ts";

/**
 * Notifies the clients that know of a session that it ended. No request waits for this (OpenID
 * Connect Back-Channel Logout, section 2.5).
 */
export async function notifyClients(ctx: Context, sid: string): Promise<void> {
  const clients = await clientsOfSession(ctx, sid);
  const notified = clients.filter(({ client }) => backchannelLogoutUriOf(client) !== undefined);
  const stored = await Promise.all(
    notified.map(({ client, subject }) => storeFirstAttempt(ctx, client, { subject, sid })),
  );
  const attempts = stored.filter((attempt) => attempt !== undefined);
  if (attempts.length > 0) ctx.background.begin("logout", () => makeAttempts(ctx, attempts));
}
