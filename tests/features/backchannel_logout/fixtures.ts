import { assertEquals } from "@std/assert";
import { logoutDeliveries } from "../../../src/server/features/backchannel_logout/logout_deliveries.ts";
import type { FeatureFixtures } from "../../support/feature_fixtures.ts";
import { claimsOf, openKit, spa } from "../../support/kit.ts";
import { signedIn, signOut } from "../../support/logout.ts";
import { present } from "../../support/present.ts";

const takesPart = { backchannelLogoutUri: "https://app.example/logout" };

export const backchannelLogoutFixtures: FeatureFixtures = {
  name: "back-channel logout",
  takesPart,
  metadata: {
    backchannel_logout_supported: notifiesOfSession,
    backchannel_logout_session_supported: notifiesOfSession,
  },
  sentTokens: { "logout token": { client: takesPart, readFrom: logoutTokenIn } },
  unreadableRows: {
    "a logout that does not name whose URL it is for": {
      table: logoutDeliveries,
      value: { id: "app s", clientId: "app", subject: "alice", sid: "s", attempt: 1, dueAt: 0 },
    },
  },
};

function logoutTokenIn(body: string): string | undefined {
  return new URLSearchParams(body).get("logout_token") ?? undefined;
}

async function notifiesOfSession(isSupported: string): Promise<void> {
  assertEquals(`${isSupported}`, "true");
  const bodies: string[] = [];
  const fetch = async (_: string, { body = "" }: { body?: string }) => {
    bodies.push(body);
    return await Promise.resolve(new Response());
  };
  const kit = openKit({ clients: [spa(takesPart)], fetch });
  const { browser, idToken } = await signedIn(kit, { scope: "openid" });
  await signOut(kit, browser);
  await kit.server.context.background.idle();
  const token = logoutTokenIn(present(bodies[0])) ?? "";
  assertEquals(claimsOf(token).sid, claimsOf(idToken).sid);
}
