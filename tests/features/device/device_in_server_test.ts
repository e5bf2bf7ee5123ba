import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import type { ServerEvent } from "../../../src/server/config/events.ts";
import { denyDevice } from "../../../src/server/features/device/device_decisions.ts";
import { deviceParts, type DeviceRequest } from "../../../src/server/features/device/parts.ts";
import type { PolledCredential } from "../../../src/server/features/device/polled_credential.ts";
import { findClient } from "../../../src/server/issuer/clients/clients.ts";
import { forever } from "../../../src/server/issuer/records/table.ts";
import { memoryStore } from "../../../src/server/mod.ts";
import { OAuthError } from "../../../src/server/protocol/oauth_error.ts";
import { type Browser, textOf } from "../../support/browser.ts";
import {
  answerDevice,
  beginDevice,
  deviceGrant,
  pollDevice,
  typeCode,
} from "../../support/device.ts";
import { type Kit, openKit, openLabKit, openStrictKit } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { register } from "../../support/registration.ts";
import { hasFeature } from "../../support/where_feature.ts";

const api = "https://api.example";
const office = "198.51.100.7";
const scope = ["openid", "profile", "read"];
const client = "demo-cli";
const payment = {
  type: "payment_initiation",
  instructedAmount: { currency: "EUR", amount: "12.30" },
  creditorName: "Shop <b>&</b> Sons",
};
const files = { type: "file_access", actions: ["read", "write"], path: "/photos", recursive: true };
const authorization_details = JSON.stringify([payment, files]);

async function signIn(kit: Kit, name: string, browser: Browser): Promise<void> {
  const page = await browser.open(kit.authorizationUrl({ prompt: "login" }));
  await browser.signIn(page, name, name);
}

describe("The code of a device, on a store that servers of two versions share", () => {
  it("has what earlier versions read, and is redeemed as they wrote it", async () => {
    const kit = openKit();
    const { device_code, user_code } = (await beginDevice(kit)).body;
    const { credentials } = deviceParts(kit.server.context);
    const { waiting, device, ...value } = present(await credentials.find(device_code));
    assertEquals(device, waiting);
    const earlier = { device, ...value } as PolledCredential;
    await credentials.put(device_code, earlier, kit.clock.now + 600_000);
    assertEquals((await pollDevice(kit, device_code)).body.error, "authorization_pending");
    await answerDevice(kit, user_code);
    kit.clock.advance(10);
    assertEquals((await pollDevice(kit, device_code)).status, 200);
  });
});

describe("The request of a device", () => {
  it("is denied by the button 'Cancel' of the sign-in page", async () => {
    const kit = openKit();
    const { device_code, user_code } = (await beginDevice(kit)).body;
    const browser = kit.browser();
    const form = await typeCode(kit, browser, user_code);
    const page = await browser.submit(form, "sign-in", { decision: "cancel" });
    assertMatch(textOf(page.html), /Device not connected/);
    assertEquals((await pollDevice(kit, device_code)).body.error, "access_denied");
  });

  it("may ask for authorization details, and gets them once its user has allowed them", async () => {
    const kit = openKit();
    const { device_code, user_code } = (await beginDevice(kit, { authorization_details })).body;
    await answerDevice(kit, user_code);
    assertEquals((await pollDevice(kit, device_code)).body.authorization_details, [payment, files]);
    assertEquals(
      (await beginDevice(kit, { authorization_details: "[]" })).body.error,
      "invalid_authorization_details",
    );
  });

  if (hasFeature("registration")) {
    it("L7: is confined to what an untrusted client may have", async () => {
      const kit = openKit({ resources: [api], registration: { open: true, allow: {} } });
      const { client_id } =
        (await register(kit, { grant_types: ["authorization_code", deviceGrant] })).body;
      const { status, body } = await beginDevice(kit, {
        client_id,
        scope: "openid",
        resource: api,
      });
      assertEquals([status, body.error], [400, "invalid_target"]);
    });
  }

  it("has one id in the events of its requests, before and after its user decided", async () => {
    const ids: Array<string | undefined> = [];
    const kit = openKit({
      onEvent: (event, request) =>
        void (event.type === "request.handled" && ids.push(request?.device)),
    });
    const { body } = await beginDevice(kit);
    await pollDevice(kit, body.device_code);
    await answerDevice(kit, body.user_code);
    kit.clock.advance(10);
    await pollDevice(kit, body.device_code);
    assertEquals(ids.filter((id) => id === undefined).length, 1, "the empty form");
    assertEquals(new Set(ids).size, 2);
  });

  const decisions: Record<string, [decision: "allow" | "deny", events: object[]]> = {
    "a device that was allowed": ["allow", [
      { type: "device.began", client, scope },
      { type: "consent.given", user: "alice", client, scope },
      { type: "device.allowed", user: "alice", client },
    ]],
    "a device that was denied": ["deny", [
      { type: "device.began", client, scope },
      { type: "consent.denied", user: "alice", client },
      { type: "device.denied", client },
    ]],
  };
  for (const [what, [decision, expected]] of Object.entries(decisions)) {
    it(`is reported: ${what}`, async () => {
      const kit = openKit();
      await answerDevice(kit, (await beginDevice(kit)).body.user_code, { decision });
      const events = kit.events.filter(({ type }) => /^(device|consent)\./.test(type));
      assertEquals(events.map((event, at) => membersOf(event, expected[at])), expected);
    });
  }

  function membersOf(event: ServerEvent, expected: object = {}): Record<string, unknown> {
    const names = Object.keys(expected);
    return Object.fromEntries(Object.entries(event).filter(([name]) => names.includes(name)));
  }

  it("leads to the front channel, and to a path that the configuration chooses", async () => {
    const frontChannelUrl = "https://login.example";
    const kit = openKit({ issuer: "https://hallpass.internal:9000", frontChannelUrl });
    const { body } = await kit.sendForm("/oauth2/device_authorization", { client_id: client });
    assertEquals([body.verification_uri, new URL(body.verification_uri_complete).origin], [
      `${frontChannelUrl}/device`,
      frontChannelUrl,
    ]);
    const lab = openLabKit({
      paths: { deviceAuthorization: "/oauth/device/code", device: "/activate" },
    });
    const begun = await lab.post("/oauth/device/code", { client_id: client });
    assertEquals((await begun.json()).verification_uri, `${lab.issuer}/activate`);
    assertMatch(await (await lab.get("/activate")).text(), /action="\/activate"/);
    const page = await lab.get("/lab/clients/demo-cli", { Accept: "text/html" });
    assertMatch(await page.text(), /href="\/activate"/);
    assertEquals((await lab.get("/device")).status, 404);
  });
});

describe("User codes that are typed", () => {
  it("M4: can type a device's code while others guess codes", async () => {
    const kit = openKit({ guessesPerMinute: 1 });
    kit.address = office;
    const browser = kit.browser();
    await signIn(kit, "alice", browser);
    for (let n = 0; n < 20; n++) {
      kit.address = `203.0.113.${n}`;
      await typeCode(kit, kit.browser(), "BBBB-BBBB");
    }
    kit.address = office;
    const { user_code } = (await beginDevice(kit)).body;
    assertEquals((await typeCode(kit, kit.browser(), user_code)).status, 429);
    assertEquals((await typeCode(kit, browser, user_code)).status, 200);
  });

  it("M4: opens one way past the limit on codes per user, with any number of browsers", async () => {
    const kit = openKit({ guessesPerMinute: 1 });
    for (let n = 0; n < 20; n++) await typeCode(kit, kit.browser(), "BBBB-BBBB");
    const statuses = [];
    for (let n = 0; n < 3; n++) {
      const browser = kit.browser();
      await signIn(kit, "bob", browser);
      statuses.push((await typeCode(kit, browser, "BBBB-BBBB")).status);
    }
    assertEquals(statuses, [422, 429, 429]);
  });

  it("M8: counts device codes that are typed", async () => {
    const kit = openKit({ storedBytesPerMinute: 100_000 });
    kit.address = office;
    const { user_code } = (await beginDevice(kit)).body;
    const statuses = new Set<number>();
    for (let n = 0; n < 400; n++) {
      statuses.add((await typeCode(kit, kit.browser(), user_code)).status);
    }
    assertEquals([...statuses], [200, 429]);
  });
});

describe("A path that leads nowhere is reported", () => {
  const unknownPaths: Array<[what: string, path: string, shown: string]> = [
    ["S9: a user code", "/device/BCDF-GHJK", "/device/[user code]"],
    ["S9: a user code as a user types it", "/device/bcdf%20ghjk/x", "/device/[user code]/x"],
    ["S9: a user code without its dash", "/devices/BCDFGHJK", "/devices/[user code]"],
    ["V4: a user code with its dash encoded", "/device/BCDF%2DGHJK", "/device/[user code]"],
    ["V4: a user code after a space", "/device/%20BCDF--GHJK", "/device/%20[user code]"],
    ["V4: a user code around a wide space", "/device/BCDF%C2%A0GHJK", "/device/[user code]"],
    ["S9: no user code", "/device/BCDF-GHJKL-x", "/device/BCDF-GHJKL-x"],
  ];
  for (const [what, path, shown] of unknownPaths) {
    it(`without a credential: ${what}`, async () => {
      const kit = openStrictKit();
      await kit.get(path);
      const event = kit.events.findLast(({ type }) => type === "request.handled");
      assertEquals(event?.type === "request.handled" && event.unknownPath, shown);
    });
  }
});

describe("A decision about a device", () => {
  const { server, events, clock } = openKit();
  const ctx = server.context;
  const requestOf = (id: string, secondsLeft: number): DeviceRequest => ({
    clientId: "demo-spa",
    requestedBy: { clientId: "demo-spa" },
    scope: [],
    resources: [],
    prompt: ["consent"],
    device: { id, expiresAt: clock.now + secondsLeft * 1000 },
  });
  const deny = async (id: string, secondsLeft: number) =>
    await denyDevice(ctx, requestOf(id, secondsLeft), present(await findClient(ctx, "demo-spa")));

  const late: Record<string, [act: () => Promise<unknown>, problem: string]> = {
    "after the device gave up": [() => deny("one", 0), "has expired"],
    "after another one": [async () => {
      await deny("two", 1);
      await deny("two", 1);
    }, "was already used"],
  };
  for (const [what, [act, problem]] of Object.entries(late)) {
    it(`comes too late, and the user sees that the page has expired: ${what}`, async () => {
      const error = await assertRejects(act, OAuthError, problem) as OAuthError;
      assertEquals(error.details.isExpired, true);
    });
  }

  it("is one event if it denies", async () => {
    await deny("three", 1);
    const denied = events.filter((event) => event.type === "device.denied");
    assertEquals(denied.some((event) => event.device === "three"), true);
  });

  it("is no row of another kind", async () => {
    const store = memoryStore();
    const kit = openKit({ store });
    const { device_code } = (await beginDevice(kit)).body;
    const [began] = await deviceParts(kit.server.context).credentials.list();
    const { id } = present(began)[1].waiting;
    const row = { value: { authorization: "a" }, expiresAt: forever };
    await store.put("device-answer", id, row);
    assertEquals((await pollDevice(kit, device_code)).body.error, "authorization_pending");
  });
});
