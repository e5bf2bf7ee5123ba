import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { describe } from "node:test";
import { waitOnClock } from "../../src/lab/handling/wait_on_clock.ts";
import { createLabEvents } from "../../src/lab/recording/lab_event.ts";
import { hallpass, LabError, type TestLab } from "../../src/lab/testing/mod.ts";
import { createClock } from "../../src/lab/util/clock.ts";
import { createWaits } from "../../src/lab/util/waits.ts";
import { deviceCodeGrantType } from "../../src/server/protocol/grant_types.ts";
import { itWith } from "../support/it_with.ts";
import { authorizationUrl } from "../support/login.ts";
import { registerAt } from "../support/registration.ts";
import { testClient } from "../support/test_client.ts";

const it = itWith({ inLab: () => hallpass() });

const redirectUri = "https://app.example/callback";

/** Registers a client, which the server does not trust, and returns its authorization URL. */
async function registeredUrl(lab: TestLab, changes: Record<string, string> = {}): Promise<string> {
  const metadata = { redirect_uris: [redirectUri], token_endpoint_auth_method: "none" };
  const { client_id } = (await registerAt(lab, metadata)).body;
  const scope = "openid";
  return authorizationUrl(lab, { client_id, redirect_uri: redirectUri, scope, ...changes });
}

const cli = testClient({ client_id: "demo-cli" });

async function beginDevice(lab: TestLab) {
  return (await cli.sendForm(lab, "/oauth2/device_authorization", { scope: "openid" })).body;
}

async function poll(lab: TestLab, device_code: string): Promise<string> {
  const { body } = await cli.token(lab, { grant_type: deviceCodeGrantType, device_code });
  return body.error ?? "tokens";
}

describe("A denial", () => {
  for (const response_mode of ["query", "form_post"]) {
    it.inLab(`reaches a registered client: ${response_mode}`, async (lab) => {
      const url = await registeredUrl(lab, { response_mode, state: "s" });
      const result = await lab.authorize(url, { user: "alice", decision: "deny" });
      assertEquals([result.error, result.parameters.state], ["access_denied", "s"]);
      assertMatch(result.callback, /^https:\/\/app\.example\/callback/);
    });
  }

  for (const response_mode of ["jwt", "query.jwt", "form_post.jwt"]) {
    it(`K1: reaches a registered client in a signed response: ${response_mode}`, async () => {
      await using lab = await hallpass();
      const url = await registeredUrl(lab, { response_mode });
      const { error, parameters } = await lab.authorize(url, { user: "alice", decision: "deny" });
      assertEquals([error, Object.keys(parameters)], ["access_denied", ["response"]]);
      const allowed = await lab.authorize(url, { user: "alice" });
      assertEquals([allowed.error, typeof allowed.code], [undefined, "string"]);
    });
  }

  it.inLab("needs no page: lab.signIn(user, { decision })", async (lab) => {
    lab.signIn("alice", { decision: "deny", times: 2 });
    for (const url of [authorizationUrl(lab), await registeredUrl(lab)]) {
      const response = await lab.fetch(url, { redirect: "manual" });
      assertEquals(response.status, 303);
      assertMatch(response.headers.get("Location") ?? "", /[?&]error=access_denied/);
    }
    const third = await lab.fetch(authorizationUrl(lab), { redirect: "manual" });
    assertMatch(third.headers.get("Location") ?? "", /interaction/);
  });

  it("is what the user of one browser decides while hands-free sign-in is on", async () => {
    await using lab = await hallpass({ signIn: "alice", consent: "skip" });
    const denied = await lab.authorize(authorizationUrl(lab), { user: "bob", decision: "deny" });
    const allowed = await lab.authorize(authorizationUrl(lab));
    assertEquals([denied.error, allowed.error], ["access_denied", undefined]);
  });

  it("is an event that says that nobody was asked", async () => {
    const events: object[] = [];
    await using lab = await hallpass({ onEvent: (event) => events.push(event) });
    lab.signIn("alice", { decision: "deny" });
    await lab.fetch(authorizationUrl(lab), { redirect: "manual" });
    const [denied] = events.filter((event) => "type" in event && event.type === "consent.denied");
    assertEquals(denied, { ...denied, user: "alice", client: "demo-spa", unasked: true });
  });

  it.inLab("is spelled right", async (lab) => {
    const options = { decision: "denied" } as unknown as { decision: "deny" };
    assertThrows(() => lab.signIn("alice", options), LabError, "decision 'denied'");
    await assertRejects(() => lab.authorize("/", options), LabError, "decision 'denied'");
  });
});

describe("The page of a device", () => {
  for (
    const [decision, outcome, expected] of [
      ["allow", "allowed", "tokens"],
      ["deny", "denied", "access_denied"],
    ] as const
  ) {
    it.inLab(`is played like any other: ${decision}`, async (lab) => {
      const { verification_uri_complete, device_code } = await beginDevice(lab);
      const result = await lab.authorize(verification_uri_complete, { user: "alice", decision });
      assertEquals([result.device, await poll(lab, device_code)], [outcome, expected]);
    });
  }

  it.inLab("is not needed for a denial: lab.signIn(user, { decision })", async (lab) => {
    const { verification_uri_complete, device_code } = await beginDevice(lab);
    lab.signIn("alice", { decision: "deny" });
    await lab.fetch(verification_uri_complete);
    assertEquals(await poll(lab, device_code), "access_denied");
  });

  it.inLab("asks for the code that is in the link", async (lab) => {
    const { verification_uri } = await beginDevice(lab);
    const authorize = (url: string) => lab.authorize(url, { user: "alice" });
    await assertRejects(() => authorize(verification_uri), LabError, "verification_uri_complete");
    const attempt = () => authorize(`${verification_uri}?user_code=BBBB-BBBB`);
    await assertRejects(attempt, LabError, "422");
  });
});

describe("A user who acts later", () => {
  it.inLab("lets a device wait until the clock of the lab is there", async (lab) => {
    lab.clock.freeze();
    const { verification_uri_complete, device_code } = await beginDevice(lab);
    const approval = lab.authorize(verification_uri_complete, { user: "alice", after: "3m" });
    assertEquals(await poll(lab, device_code), "authorization_pending");
    lab.clock.advance("2m");
    assertEquals(await poll(lab, device_code), "authorization_pending");
    lab.clock.advance("1m");
    assertEquals((await approval).device, "allowed");
    assertEquals(await poll(lab, device_code), "tokens");
  });

  it.inLab("may come too late", async (lab) => {
    const approval = lab.authorize(authorizationUrl(lab), { user: "alice", after: "2h" });
    await lab.waitForRequest({ path: "/oauth2/authorize" });
    lab.clock.advance("2h");
    await assertRejects(() => approval, LabError, "expired");
  });

  it.inLab("acts as soon as a test has moved the clock", async (lab) => {
    const approval = lab.authorize(authorizationUrl(lab), { user: "alice", after: "9m" });
    lab.clock.advance("9m");
    assertEquals(typeof (await approval).code, "string");
  });

  it.inLab("does not wait for the clock of a lab that is closed already", async (lab) => {
    lab.clock.freeze();
    await lab.close();
    const actions = { user: "alice", after: "3m" } as const;
    await assertRejects(() => lab.authorize(authorizationUrl(lab), actions), LabError, "closed");
  });

  it("does not act once the lab is closed", async () => {
    const clock = createClock(() => 0);
    const waits = createWaits();
    const waiting = waitOnClock({ clock, waits, events: createLabEvents({}) }, 1000);
    waits.release();
    await assertRejects(() => waiting, LabError, "closed");
  });

  it.inLab("names a time that can come", async (lab) => {
    for (const after of ["soon", "-3m"]) {
      const actions = { user: "alice", after: after as "3m" };
      await assertRejects(() => lab.authorize(authorizationUrl(lab), actions), LabError);
    }
  });
});
