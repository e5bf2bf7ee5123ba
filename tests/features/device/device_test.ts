import { assert, assertEquals, assertMatch, assertNotEquals, assertNotMatch } from "@std/assert";
import { describe } from "node:test";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import type { Client } from "../../../src/server/model/client.ts";
import { textOf, type UserActions } from "../../support/browser.ts";
import {
  answerDevice,
  beginDevice,
  deviceGrant,
  pollDevice,
  typeCode,
} from "../../support/device.ts";
import { makeProof, proofKey } from "../../support/dpop.ts";
import { itWith } from "../../support/it_with.ts";
import {
  challenge,
  claimsOf,
  type Fields,
  isActive,
  type Kit,
  openKit,
  type RequestHeaders,
  spa,
  verifier,
} from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { itRefuses, toRows } from "../../support/refusals.ts";
import { watchedStore } from "../../support/stores.ts";
import { refusedPolls } from "./rule_rows.ts";

const it = itWith({ inKit: openKit, withDevice: () => openDevice() });

/** Opens a server, on which a device has begun, and the browser of its user. */
async function openDevice(fields: Fields = {}, config?: Partial<LabConfig>) {
  const kit = openKit(config);
  const { device_code, user_code } = (await beginDevice(kit, fields)).body;
  const browser = kit.browser();
  const poll = (fields?: Fields, headers?: RequestHeaders) =>
    pollDevice(kit, device_code, fields, headers);
  return {
    ...{ kit, browser, device_code, user_code, poll },
    type: (by = browser) => typeCode(kit, by, user_code),
    answer: (actions?: UserActions) => answerDevice(kit, user_code, actions, browser),
    pollError: async (fields?: Fields) => (await poll(fields)).body.error,
  };
}

describe("The device authorization endpoint (RFC 8628, section 3.1)", () => {
  it.inKit("gives a device its code, and a short one for its user", async (kit) => {
    const { status, headers, body } = await beginDevice(kit);
    assertEquals(status, 200);
    assertEquals(headers.get("Cache-Control"), "no-store");
    assertEquals(headers.get("Access-Control-Allow-Origin"), "*");
    assertMatch(body.device_code, /^[\w-]{43}$/);
    assertMatch(body.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    const verification_uri = `${kit.issuer}/device`;
    assertEquals(body.verification_uri, verification_uri);
    assertEquals([body.expires_in, body.interval], [600, 5]);
    const complete = `${verification_uri}?user_code=${body.user_code}`;
    assertEquals(body.verification_uri_complete, complete);
  });

  it.inKit("has a page that says nothing of a wrong code before one was typed", async (kit) => {
    assertNotMatch((await kit.browser().open(`${kit.issuer}/device`)).html, /device-failed/);
  });

  it("is below the path of its issuer", async () => {
    const kit = openKit({ issuer: "https://hallpass.test/tenant" });
    const { body } = await beginDevice(kit);
    assertEquals(body.verification_uri, "https://hallpass.test/tenant/device");
    assertMatch((await answerDevice(kit, body.user_code)).html, /id="device-allowed"/);
  });

  it("X02 takes the lifetime that was configured", async () => {
    const kit = openKit({ lifetimes: { deviceCode: "2m" } });
    assertEquals((await beginDevice(kit)).body.expires_in, 120);
  });

  const refusals: Record<string, [rule: string, fields: Fields, settings?: Partial<LabConfig>]> = {
    "a client without the grant": ["device.allowed", { client_id: "demo-spa" }],
    "an unknown client": ["client.authenticated", { client_id: "nobody" }],
    "no client at all": ["client.named", { client_id: undefined }],
    "an unknown scope": ["scope.allowed", { scope: "admin" }],
    "a resource that is no URI": ["resource.form", { resource: "x" }],
    "a scope sent twice": ["form.unique", { scope: ["read", "write"] }],
    "a plain code_challenge": ["challenge.method_present", { code_challenge: challenge }],
    "a code_challenge_method alone": ["challenge.with_method", { code_challenge_method: "S256" }],
    "a code_challenge of another length": ["challenge.form", {
      code_challenge: "x",
      code_challenge_method: "S256",
    }],
    "X05 CVE-2024-52287: a scope beyond those of the client": ["scope.allowed", {
      scope: "read write",
    }, { clients: [{ id: "demo-cli", grantTypes: [deviceGrant], scopes: ["read"] }] }],
    "a resource that knows nothing of the scope": [
      "resource.scope",
      { scope: "read", resource: "https://api.example" },
      { resources: [{ uri: "https://api.example", scopes: ["write"] }] },
    ],
  };
  itRefuses(toRows(refusals, ([rule, fields, settings = {}]) => [
    rule,
    { settings, play: (kit) => beginDevice(kit, fields) },
  ]));

  it("X11 wants a confidential client to authenticate", async () => {
    const tv = { id: "tv", secret: "s", grantTypes: [deviceGrant], defaultScope: ["read"] };
    const kit = openKit({ clients: [tv] });
    assertEquals((await beginDevice(kit, { client_id: "tv" })).status, 401);
    const asked = { client_id: "tv", client_secret: "s", scope: undefined };
    assertEquals((await beginDevice(kit, asked)).status, 200);
  });

  it("is neither served nor advertised if the grant is not configured", async () => {
    const kit = openKit({ grantTypes: ["authorization_code"], clients: [] });
    assertEquals(kit.server.context.metadata().device_authorization_endpoint, undefined);
    assertEquals((await kit.get("/device")).status, 404);
    assertEquals((await kit.post("/oauth2/device_authorization", {})).status, 404);
    const all = openKit().server.context.metadata();
    const endpoint = "https://hallpass.test/oauth2/device_authorization";
    assertEquals(all.device_authorization_endpoint, endpoint);
    assert((all.grant_types_supported as string[]).includes(deviceGrant));
  });

  it("stores neither code where a reader of the store could use it", async () => {
    const store = watchedStore();
    const { answer, device_code, user_code } = await openDevice({}, { store });
    await answer();
    const written = store.texts.join();
    for (const secret of [device_code, user_code, user_code.replace("-", "")]) {
      assert(!written.includes(secret), secret);
    }
  });

  it("takes another user code where one is taken, and gives up when the dice are loaded", async () => {
    let loaded: number[] = [];
    const randomBytes = (count: number) => {
      const bytes = new Uint8Array(count);
      return count === 32 && loaded.length > 0
        ? bytes.fill(loaded.shift()!)
        : crypto.getRandomValues(bytes);
    };
    const kit = openKit({ randomBytes });
    const begin = async (dice: number[]) => {
      loaded = dice;
      return (await beginDevice(kit)).body;
    };
    const [first, second] = [await begin([1]), await begin([1, 2])];
    assertNotEquals(first.user_code, second.user_code);
    await answerDevice(kit, first.user_code);
    assertEquals((await pollDevice(kit, first.device_code)).status, 200);
    assertEquals((await pollDevice(kit, second.device_code)).body.error, "authorization_pending");
    assertEquals((await begin([1, 1, 1, 1, 1])).error, "temporarily_unavailable");
  });
});

describe("The device grant (RFC 8628, section 3.4)", () => {
  it.withDevice("issues tokens once the user has allowed it", async ({ kit, answer, poll }) => {
    assertMatch(textOf((await answer()).html), /Device connected.*Demo command line/);
    const { status, body } = await poll();
    assertEquals([status, body.token_type, body.scope], [200, "Bearer", "openid profile read"]);
    const { sub, client_id } = claimsOf(body.access_token);
    assertEquals([sub, client_id], ["alice", "demo-cli"]);
    assertEquals(claimsOf(body.id_token).sub, "alice");
    assertEquals(claimsOf(body.id_token).aud, "demo-cli");
    const refreshed = await kit.refresh(body.refresh_token, { client_id: "demo-cli" });
    assertEquals(refreshed.status, 200);
  });

  it.withDevice("X08 issues tokens that are bound to the key of the device", async ({ kit, answer, poll }) => {
    await answer();
    const key = await proofKey();
    const DPoP = await makeProof(key, "POST", `${kit.issuer}/oauth2/token`, { now: kit.clock.now });
    const { body } = await poll({}, { DPoP });
    assertEquals(body.token_type, "DPoP");
    const refreshed = await kit.refresh(body.refresh_token, { client_id: "demo-cli" });
    assertEquals(refreshed.body.error, "invalid_grant");
  });

  it.withDevice("X03 is decided once: a second decision changes nothing, and has no application to go to", async ({ browser, type, pollError }) => {
    const consent = await browser.signIn(await type());
    await browser.decide(consent, "deny");
    const again = await browser.decide(consent);
    assertEquals(again.status, 400);
    assertMatch(textOf(again.html), /already completed/);
    assertEquals(await pollError(), "access_denied");
  });

  it("X06 gives no refresh token to a client without that grant, and lets it fetch its tokens to the last moment", async () => {
    const clients = [{ id: "demo-cli", grantTypes: [deviceGrant] }];
    const config: Partial<LabConfig> = { clients, lifetimes: { accessToken: "1m", code: "1m" } };
    const { kit, answer, poll } = await openDevice({ scope: "read" }, config);
    kit.clock.advance(5);
    await answer();
    kit.clock.advance(594);
    const { status, body } = await poll();
    assertEquals([status, body.refresh_token], [200, undefined]);
  });

  it("narrows to some of the resources that were allowed", async () => {
    const resource = ["https://a.example", "https://b.example"];
    const { answer, poll, pollError } = await openDevice({ resource });
    await answer();
    assertEquals(await pollError({ resource: "https://c.example" }), "invalid_target");
    const { body } = await poll({ resource: "https://a.example" });
    assertEquals(claimsOf(body.access_token).aud, "https://a.example");
  });

  itRefuses(refusedPolls);

  const states: Record<string, [rule: string, act: (kit: Kit, userCode: string) => unknown]> = {
    "the user is signing in": [
      "device_code.decided",
      (kit, userCode) => typeCode(kit, kit.browser(), userCode),
    ],
    "the user was disabled": ["device_code.active", async (kit, userCode) => {
      const { users } = kit.server.context.records;
      const dora = { name: "dora", subject: "dora", claims: {}, disabled: false };
      await users.put("dora", dora, 8.64e15);
      const browser = kit.browser();
      await browser.decide(await browser.click(await typeCode(kit, browser, userCode), "dora"));
      await users.delete("dora");
    }],
  };
  itRefuses(toRows(states, ([rule, act]) => [rule, async (kit) => {
    const { device_code, user_code } = (await beginDevice(kit)).body;
    await act(kit, user_code);
    return pollDevice(kit, device_code);
  }]));

  it.withDevice("X07 asks a device that polls too early to slow down, for good", async ({ kit, answer, poll, pollError }) => {
    const waits: Array<[seconds: number, error: string]> = [
      [0, "authorization_pending"],
      [5, "authorization_pending"],
      [4, "slow_down"],
      [9, "slow_down"],
      [15, "authorization_pending"],
      [14, "slow_down"],
      [20, "authorization_pending"],
    ];
    for (const [seconds, error] of waits) {
      kit.clock.advance(seconds);
      assertEquals(await pollError(), error, `after ${seconds} seconds`);
    }
    await answer();
    assertEquals((await poll()).status, 200);
  });

  const clients = ["demo-cli", "other"].map((id) => ({ id, grantTypes: [deviceGrant] }));
  const foreign: Array<[what: string, fields: Fields, error: string]> = [
    ["another client", { client_id: "other" }, "invalid_grant"],
    ["an unknown code", { device_code: "x" }, "invalid_grant"],
    ["no code", { device_code: undefined }, "invalid_request"],
    ["a verifier where no challenge was sent", { code_verifier: verifier }, "invalid_request"],
  ];
  for (const [what, fields, error] of foreign) {
    it(`refuses ${what}, and changes nothing`, async () => {
      const store = watchedStore();
      const { answer, poll, pollError } = await openDevice({}, { store, clients });
      await answer();
      store.writes.length = 0;
      assertEquals(await pollError(fields), error);
      assertEquals(store.writes, []);
      assertEquals((await poll()).status, 200);
    });
  }

  it("reveals nothing about a device's progress to another client", async () => {
    const { kit, answer, pollError } = await openDevice({}, { clients });
    const steps = [() => {}, () => answer({ decision: "deny" }), () => kit.clock.advance(600)];
    for (const step of steps) {
      await step();
      assertEquals(await pollError({ client_id: "other" }), "invalid_grant");
    }
  });

  it("CVE-2026-123542: demands the verifier where a challenge was sent", async () => {
    const challenged = { code_challenge: challenge, code_challenge_method: "S256" };
    const { answer, poll, pollError } = await openDevice(challenged);
    await answer();
    assertEquals(await pollError(), "invalid_grant");
    assertEquals(await pollError({ code_verifier: "a".repeat(43) }), "invalid_grant");
    assertEquals((await poll({ code_verifier: verifier })).status, 200);
  });

  it.withDevice("X04 spends a code once, and revokes everything when it comes again", async ({ kit, answer, poll, pollError }) => {
    await answer();
    const { access_token, refresh_token } = (await poll()).body;
    kit.clock.advance(700);
    assertEquals(await pollError(), "invalid_grant");
    assertEquals((await kit.userinfo(access_token)).status, 401);
    const refreshed = await kit.refresh(refresh_token, { client_id: "demo-cli" });
    assertEquals(refreshed.body.error, "invalid_grant");
  });

  it.withDevice("gives tokens to at most one of twenty at once", async ({ answer, poll }) => {
    await answer();
    const answers = await Promise.all(Array.from({ length: 20 }, () => poll()));
    assertEquals(answers.filter(({ status }) => status === 200).length, 1);
  });
});

/** Stores a client that is like demo-cli, but for its id and some changes. */
async function storeTv({ server: { context } }: Kit, changes: Partial<Client>): Promise<void> {
  const known = present(await context.settings.clients.get("demo-cli"));
  await context.records.clients.put("tv", { ...known, id: "tv", ...changes }, 8.64e15);
}

describe("The device page (RFC 8628, section 3.3)", () => {
  const typings = {
    "in lower case": (code: string) => code.toLowerCase(),
    "without its hyphen": (code: string) => code.replace("-", ""),
    "with spaces": (code: string) => ` ${[...code].join(" ")} `,
  };
  for (const [how, typed] of Object.entries(typings)) {
    it.withDevice(`reads a code that is typed ${how}`, async ({ kit, browser, user_code }) => {
      assertMatch((await typeCode(kit, browser, typed(user_code))).html, /id="sign-in"/);
    });
  }

  it.withDevice("X09 shows the code of a link, for the user to compare and send", async ({ kit, browser, user_code, pollError }) => {
    const page = await browser.open(`${kit.issuer}/device?user_code=${user_code}`);
    assertMatch(textOf(page.html), /Does your device show this code\?/);
    assertMatch(page.html, new RegExp(`value="${user_code}"`));
    assertEquals(await pollError(), "authorization_pending");
    assertMatch((await browser.submit(page, "device", { user_code })).html, /id="sign-in"/);
  });

  it.inKit("shows nothing of a link that holds no code", async (kit) => {
    const url = `${kit.issuer}/device?user_code=%22%3E%3Cscript%3E`;
    assertNotMatch((await kit.browser().open(url)).html, /script>/);
  });

  it.inKit("X03 responds alike to a code that is unknown, expired, used or malformed", async (kit) => {
    const browser = kit.browser();
    const expired = (await beginDevice(kit)).body.user_code;
    kit.clock.advance(600);
    const used = (await beginDevice(kit)).body.user_code;
    await answerDevice(kit, used);
    const answers = [];
    for (const code of ["BBBB-BBBB", expired, used, "x"]) {
      answers.push(await typeCode(kit, browser, code));
    }
    assertEquals(new Set(answers.map(({ html }) => html)).size, 1);
    assertEquals(answers[0]?.status, 422);
    assertMatch(textOf(present(answers[0]?.html)), /unknown or has expired/);
  });

  it("X07 stops guesses at codes, from any browser", async () => {
    const { kit, type } = await openDevice({}, { guessesPerMinute: 3 });
    kit.address = "192.0.2.1";
    for (let guess = 0; guess < 3; guess++) await typeCode(kit, kit.browser(), "BBBB-BBBB");
    assertEquals((await type(kit.browser())).status, 429);
    kit.clock.advance(60);
    assertEquals((await type(kit.browser())).status, 200);
  });

  it.withDevice("takes no form that another browser was given", async ({ kit, browser, user_code }) => {
    const page = await browser.open(`${kit.issuer}/device`);
    assertEquals((await kit.browser().submit(page, "device", { user_code })).status, 403);
  });

  it("X09 CVE-2026-109346: names the client and its request, and warns to continue only with the device at hand", async () => {
    const asked = { scope: "read", resource: "https://api.example" };
    const { browser, type } = await openDevice(asked);
    const { html } = await browser.signIn(await type());
    assertMatch(
      textOf(html),
      /Demo command line.*Alice Adler.*have the device in front of you.*read.*https:\/\/api\.example/,
    );
    assertEquals(html.match(/<li>/g)?.length, 2);
  });

  it.withDevice("X10 X09 lets a user decline as easily as allow, in one form", async ({ browser, type, answer, pollError }) => {
    const { html } = await browser.signIn(await type());
    const form = html.slice(html.indexOf('<form id="consent"')).split("</form>", 1)[0] ?? "";
    assertMatch(
      form,
      /<button id="allow"[^>]*>[^<]+<\/button>\s*<button id="deny"[^>]*>[^<]+<\/button>/,
    );
    assertNotMatch(form, /autofocus/);
    await answer({ decision: "deny" });
    assertEquals(await pollError(), "access_denied");
  });

  it.inKit("warns about a client that registered itself", async (kit) => {
    await storeTv(kit, { trusted: false, clientUri: "https://tv.example/about" });
    const { user_code } = (await beginDevice(kit, { client_id: "tv" })).body;
    const browser = kit.browser();
    const consent = await browser.click(await typeCode(kit, browser, user_code), "bob");
    assertMatch(textOf(consent.html), /registered itself\. Its identity is not verified/);
  });

  it.withDevice("X12 CVE-2026-45337: lets only the browser that brought the code decide, and only who was asked", async ({ kit, browser, type, pollError }) => {
    const consent = await browser.click(await type());
    const other = kit.browser();
    await other.authorize(kit.authorizationUrl(), { user: "bob" });
    assertEquals((await other.decide(consent)).status, 400);
    await browser.authorize(kit.authorizationUrl({ prompt: "login" }), { user: "bob" });
    assertEquals((await browser.decide(consent)).status, 403);
    assertEquals(await pollError(), "authorization_pending");
  });

  it("X12 asks each time, even after earlier consent, and remembers nothing", async () => {
    const grantTypes = ["authorization_code", deviceGrant];
    const kit = openKit({ clients: [spa({ id: "demo-cli", grantTypes })] });
    const browser = kit.browser();
    await browser.authorize(kit.authorizationUrl({ client_id: "demo-cli" }));
    const asked = (await beginDevice(kit)).body.user_code;
    assertMatch((await typeCode(kit, browser, asked)).html, /id="consent"/);
    const { user_code } = (await beginDevice(kit, { scope: "write" })).body;
    await answerDevice(kit, user_code, {}, browser);
    const again = kit.authorizationUrl({ client_id: "demo-cli", scope: "write" });
    assertMatch((await browser.open(again)).html, /id="consent"/);
  });

  /** Returns the consent pages of two users who typed the same code. */
  function openTwo({ kit, type }: Awaited<ReturnType<typeof openDevice>>) {
    return Promise.all(["alice", "bob"].map(async (user) => {
      const browser = kit.browser();
      return { browser, page: await browser.click(await type(browser), user) };
    }));
  }

  it.withDevice("lets one of two who decide at the same time decide", async (device) => {
    const pages = await openTwo(device);
    const answers = await Promise.all(
      pages.map(({ browser, page }, at) => browser.decide(page, at ? "deny" : "allow")),
    );
    assertEquals(answers.map(({ status }) => status).sort(), [200, 400]);
    const { status } = await device.poll();
    assertEquals(status, answers[0]?.status === 200 ? 200 : 400);
  });

  it.withDevice("leaves nothing behind of the user who allowed it second", async (device) => {
    const pages = await openTwo(device);
    await Promise.all(pages.map(({ browser, page }) => browser.decide(page)));
    const { authorizations } = device.kit.server.context.records;
    assertEquals((await authorizations.list()).length, 1);
  });

  it.withDevice("informs a user who took too long", async ({ kit, browser, type, pollError }) => {
    const consent = await browser.click(await type());
    kit.clock.advance(600);
    const { html } = await browser.decide(consent);
    assertMatch(textOf(html), /has expired. Start again on the device/);
    assertEquals(await pollError(), "expired_token");
  });

  it.inKit("goes on only while the client may still ask for it", async (kit) => {
    await storeTv(kit, {});
    const { user_code } = (await beginDevice(kit, { client_id: "tv" })).body;
    const browser = kit.browser();
    const signIn = await typeCode(kit, browser, user_code);
    await storeTv(kit, { grantTypes: ["authorization_code"] });
    const page = await browser.click(signIn);
    assertMatch(textOf(page.html), /The application.s settings changed/);
  });

  it.withDevice("can be done as another user", async ({ kit, browser, type, poll }) => {
    await browser.authorize(kit.authorizationUrl(), { user: "alice" });
    const signIn = await browser.submit(await type(), "change-account", { account: "other" });
    await browser.decide(await browser.signIn(signIn, "bob"));
    assertEquals(claimsOf((await poll()).body.access_token).sub, "bob");
  });

  it.withDevice("X04 ends with sign-out, as every access does that was not meant to outlive it", async ({ kit, browser, answer, poll }) => {
    await answer();
    const { access_token } = (await poll()).body;
    await browser.submit(await browser.open(`${kit.issuer}/`), "sign-out");
    assertEquals(await isActive(kit, access_token), false);
    assertNotEquals(access_token, undefined);
  });

  it.inKit("emits events without codes", async (kit) => {
    const { user_code, device_code } = (await beginDevice(kit)).body;
    await typeCode(kit, kit.browser(), "BBBB-BBBB");
    await answerDevice(kit, user_code);
    const told = kit.events.map(({ type }) => type).filter((type) => /device|user_code/.test(type));
    assertEquals(told, ["device.began", "user_code.refused", "device.allowed"]);
    for (const secret of [user_code, user_code.replace("-", ""), device_code]) {
      assert(!JSON.stringify(kit.events).includes(secret));
    }
  });
});
