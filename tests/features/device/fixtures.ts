import { deviceParts } from "../../../src/server/features/device/parts.ts";
import { deviceTexts } from "../../../src/server/features/device/user_code_page.ts";
import { forever } from "../../../src/server/issuer/records/table.ts";
import {
  answerDevice,
  beginDevice,
  deviceGrant,
  pollDevice,
  typeCode,
} from "../../support/device.ts";
import type { FeatureFixtures, HeldCredential, Holder } from "../../support/feature_fixtures.ts";
import type { Kit } from "../../support/kit.ts";

const device = { id: "d", expiresAt: forever };

async function userCodeOf(kit: Kit): Promise<string> {
  return (await beginDevice(kit)).body.user_code;
}

export const deviceFixtures: FeatureFixtures = {
  name: "device flow",
  texts: deviceTexts,
  clientEndpoints: ["device_authorization"],
  formPaths: ["/device"],
  frontPaths: ["/device"],
  paths: { deviceAuthorization: "/oauth/device/code", device: "/activate" },
  endpointFields: { device_authorization_endpoint: "deviceAuthorization" },
  grantTypes: [deviceGrant],
  grants: {
    async [deviceGrant](kit) {
      const { body: { device_code, user_code, verification_uri } } = await beginDevice(kit);
      const browser = kit.browser();
      let page = await browser.open(verification_uri);
      page = await browser.submit(page, "device", { user_code });
      page = await browser.signIn(page);
      await browser.decide(page);
      return (await pollDevice(kit, device_code)).body;
    },
  },
  clients: [{ id: "demo-cli", native: true, grantTypes: [deviceGrant, "refresh_token"] }],
  otherClients: [{ id: "other-cli", native: true, grantTypes: [deviceGrant] }],
  flows: {
    async "a device"(kit, password) {
      const { body } = await beginDevice(kit);
      await pollDevice(kit, body.device_code);
      await answerDevice(kit, body.user_code, { password });
      kit.clock.advance(10);
      return (await pollDevice(kit, body.device_code)).status;
    },
  },
  credentials: ["device_code", "user_code"],
  pages: {
    device: { open: (kit, browser) => browser.open(`${kit.issuer}/device`) },
    deviceConsent: {
      open: async (kit, browser) => await typeCode(kit, browser, await userCodeOf(kit)),
      hasScript: true,
      isOfAuthorization: true,
    },
    deviceDone: {
      open: async (kit) => await answerDevice(kit, await userCodeOf(kit)),
      isEnglish: true,
    },
  },
  begin: beginDevice,
  consent: {
    client: { id: "device", grantTypes: [deviceGrant] },
    async open(kit, browser, fields) {
      const { body } = await beginDevice(kit, { ...fields, client_id: "device" });
      return await typeCode(kit, browser, body.user_code);
    },
  },
  storeCalls: {
    "beginning as a device": ["add", (kit) => beginDevice(kit)],
    "showing the device page": ["get", (kit) => typeCode(kit, kit.browser(), "BBBB-BBBB")],
  },
  held: holdCodes,
  unreadableRows: {
    "a device code that names no client": {
      table: (ctx) => deviceParts(ctx).credentials,
      value: { waiting: device, clientId: "app" },
    },
    "a user code that names no client": {
      table: (ctx) => deviceParts(ctx).userCodes,
      value: { clientId: "app", scope: ["read"], resources: [], prompt: [], device },
    },
  },
};

async function holdCodes(
  { kit, browser, user, scope, headers }: Holder,
): Promise<Record<string, HeldCredential>> {
  const fields = { client_id: undefined, scope };
  const waiting = (await beginDevice(kit, fields, headers)).body;
  const decided = (await beginDevice(kit, fields, headers)).body;
  await answerDevice(kit, decided.user_code, user, browser);
  const poll = async (code: string) =>
    (await pollDevice(kit, code, { client_id: undefined }, headers)).body.error;
  return {
    "device code that waits": {
      endsWith: "application",
      works: async () => await poll(waiting.device_code) === "authorization_pending",
    },
    "device code that was allowed": {
      endsWith: "user",
      works: async () => await poll(decided.device_code) === undefined,
    },
    "user code": {
      endsWith: "application",
      works: async () =>
        (await answerDevice(kit, waiting.user_code, { ...user, decision: "deny" })
          .catch(() => ({ status: 400 }))).status === 200,
    },
  };
}
