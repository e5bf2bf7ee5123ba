import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe } from "node:test";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import { answerPages } from "../../support/browser.ts";
import {
  agent,
  answerCiba,
  beginCiba,
  openRequest,
  otherAgent,
  otherHeaders,
  pingToken,
  receivePings,
  reviewRequest,
  withPings,
} from "../../support/ciba.ts";
import { itWith } from "../../support/it_with.ts";
import { claimsOf, openKit } from "../../support/kit.ts";
import { present } from "../../support/present.ts";

const it = itWith({ withOpen: () => openOne() });

/** A lab with a request that waits for alice. */
async function openOne(changes: Partial<LabConfig> = {}) {
  const kit = openKit(changes);
  return { kit, older: await openRequest(kit, { binding_message: "older" }) };
}

/** Returns the messages of the requests that wait for alice on her account page. */
async function waitingMessages(kit: ReturnType<typeof openKit>): Promise<string[]> {
  const browser = kit.browser();
  await browser.signIn(await browser.open(`${kit.issuer}/account`), "alice", "alice");
  const { html } = await browser.open(`${kit.issuer}/account`);
  return [...html.matchAll(/<p class="quoted"[^>]*>([^<]*)/g)].map(([, text]) => present(text));
}

describe("A newer request of a client for a user (CIBA, section 14)", () => {
  it.withOpen("C18 replaces the older one: polls for it learn that it expired, and only the newer one waits", async ({ kit, older }) => {
    assertEquals(await older.pollError(), "authorization_pending");
    const newer = await openRequest(kit, { binding_message: "newer" });
    const { status, body } = await older.poll();
    assertEquals([status, body.error], [400, "expired_token"]);
    assertMatch(body.error_description, /newer request/);
    assertEquals(await waitingMessages(kit), ["newer"]);
    await newer.answer();
    assertEquals(claimsOf((await newer.poll()).body.id_token).sub, "alice");
    assertEquals(await older.pollError(), "expired_token");
  });

  for (const decision of ["allow", "deny"] as const) {
    it.withOpen(`C18 does not change the page of the older one, on which a decision is refused: ${decision}`, async ({ kit, older }) => {
      const browser = kit.browser();
      const page = await older.review(browser);
      const newer = await openRequest(kit, { binding_message: "newer" });
      const decided = await answerPages(browser, page, { decision });
      assertMatch(decided.html, /<h1[^>]*>A newer request is waiting</);
      assertMatch(decided.html, /href="\/account"/);
      assertEquals(await older.pollError(), "expired_token");
      assertEquals(await newer.pollError(), "authorization_pending");
      assert(
        !kit.events.some(({ type }) =>
          type.startsWith("backchannel.") && type.endsWith(`${decision}ed`)
        ),
      );
      await newer.answer({ message: "newer" }, browser);
      assertEquals((await newer.poll()).status, 200);
    });
  }

  it.withOpen("C18 takes nothing back that the user has allowed", async ({ kit, older }) => {
    await older.answer();
    const newer = await openRequest(kit);
    assertEquals((await older.poll()).status, 200);
    assertEquals(await newer.pollError(), "authorization_pending");
  });

  it.withOpen("C18 replaces no request of another client, and none for another user", async () => {
    const kit = openKit({ clients: [agent(), otherAgent] });
    const first = await openRequest(kit);
    await beginCiba(kit, {}, otherHeaders);
    await beginCiba(kit, { login_hint: "bob" });
    assertEquals(await first.pollError(), "authorization_pending");
  });

  it("C18 counts like any other: one beyond the limit replaces nothing", async () => {
    const kit = openKit({ backchannelRequestsPerMinute: 6 });
    const requests = [await openRequest(kit), await openRequest(kit)];
    assertEquals((await beginCiba(kit)).status, 429);
    const errors = await Promise.all(requests.map(({ pollError }) => pollError()));
    assertEquals(errors, ["expired_token", "authorization_pending"]);
    kit.clock.advance(60);
    assertEquals((await beginCiba(kit)).status, 200);
  });

  it("C16 C18 brings one ping for the older one, and one for itself once its user decides", async () => {
    const { pings, fetch } = receivePings();
    const kit = openKit({ clients: [agent(withPings)], fetch });
    const idle = () => kit.server.context.background.idle();
    const pinged = () => pings.map(({ body }) => JSON.parse(`${body}`).auth_req_id);
    const older = await openRequest(kit, pingToken);
    const browser = kit.browser();
    const page = await older.review(browser);
    const newer = await openRequest(kit, pingToken);
    await idle();
    const ids = [older, newer].map(({ begun }) => begun.auth_req_id);
    assertEquals(pinged(), ids.slice(0, 1));
    await answerPages(browser, page, { decision: "allow" });
    await newer.answer();
    for (const seconds of [10, 60, 3600]) {
      await idle();
      kit.clock.advance(seconds);
      await kit.get("/health");
    }
    assertEquals(pinged(), ids);
  });

  it.withOpen("C18 meets a decision at the same moment: the client learns of one of them", async () => {
    for (let round = 0; round < 10; round++) {
      const { kit, older } = await openOne();
      const browser = kit.browser();
      const page = await reviewRequest(kit, {}, browser);
      const [decided] = await Promise.all([
        answerPages(browser, page, { decision: "allow" }),
        beginCiba(kit),
      ]);
      const isAllowed = decided.html.includes("backchannel-allowed");
      assertEquals(await older.pollError(), isAllowed ? undefined : "expired_token");
      await answerCiba(kit, {}, browser);
    }
  });
});
