import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import type { Lab } from "../../../../src/lab/lab.ts";
import { type Kit, openLabKit } from "../../../support/kit.ts";
import { flowCode, redeemIn, refreshIn, userinfoIn } from "../../../support/lab_flow.ts";
import { needs } from "../../../support/where_feature.ts";
import { lastToken } from "./last_token.ts";

const issuer = "http://localhost:9000";

/** Starts a flow in a browser, and redeems its code with an assertion and a DPoP proof. */
async function play(kit: Kit & { lab: Lab }): Promise<void> {
  const browser = kit.browser();
  const callback = await browser.authorize(`${issuer}/start?client_id=demo-web`);
  const response = await browser.request(callback);
  const { status, headers } = response;
  const page = { url: callback, status, headers, html: await response.text() };
  await browser.submit(page, "send-exchange");
}

const requests: Record<
  string,
  [send: (kit: Kit & { lab: Lab }) => Promise<unknown>, rule: string]
> = {
  "code": [async ({ lab }) => await redeemIn(lab, await flowCode(lab)), "code.unused"],
  "refresh token": [async ({ lab }) => {
    const { refresh_token } = await redeemIn(lab, await flowCode(lab));
    await refreshIn(lab, refresh_token);
  }, "refresh_token.unused"],
  "client assertion": [play, "client.authenticated"],
  "DPoP proof": [play, "client.authenticated"],
};

describe("A replay of a request whose credential is spent", () => {
  for (const [what, [send, rule]] of Object.entries(requests)) {
    const isFapi = rule === "client.authenticated";
    // The lab is the client there, on its own callback page.
    const options = isFapi ? needs("callback page") : {};
    it(`sends a fresh one, and the spent one only if asked to: ${what}`, options, async () => {
      const kit = openLabKit({ issuer, ...isFapi && { profile: "fapi-2.0" as const } });
      await send(kit);
      const id = lastToken(kit.lab);
      const { replay, renewed, summary } = await kit.lab.replay(id);
      assertEquals(replay.refusal, undefined, summary);
      assertStringIncludes(renewed.join(" "), `The ${what} was `);
      const spent = await kit.lab.replay(id, { spent: true });
      assertEquals([spent.replay.refusal?.rule, spent.renewed], [rule, []]);
    });
  }

  it("leaves valid what the first one issued", async () => {
    const { lab } = openLabKit({ issuer });
    const { access_token } = await redeemIn(lab, await flowCode(lab));
    await lab.replay(lastToken(lab));
    assertEquals((await userinfoIn(lab, access_token)).status, 200);
  });

  it("says why a credential cannot be made again", async () => {
    const { lab } = openLabKit({ issuer });
    await redeemIn(lab, await flowCode(lab));
    const id = lastToken(lab);
    await lab.replay(id, { spent: true });
    const { renewed } = await lab.replay(id);
    assertEquals(renewed, [
      "The code is the recorded one: what it was issued from was revoked.",
    ]);
  });

  /** What may have happened since a code was issued, and what a replay then says of it. */
  const ends: Record<string, [end: (kit: Kit & { lab: Lab }) => unknown, why: string]> = {
    "it is unknown": [
      ({ lab }) => redeemIn(lab, "unknown"),
      "the lab does not know it",
    ],
    "its user was removed": [
      ({ lab }) => lab.users.remove("alice"),
      "its client, its user or the session of that user is gone",
    ],
    "its client was removed": [
      ({ lab }) => lab.clients.remove("demo-spa"),
      "its client, its user or the session of that user is gone",
    ],
    "its authorization has expired": [
      ({ clock }) => clock.advance(40 * 24 * 60 * 60),
      "what it was issued from has expired",
    ],
  };
  for (const [title, [end, why]] of Object.entries(ends)) {
    it(`and does not guess why: ${title}`, async () => {
      const kit = openLabKit({ issuer });
      await redeemIn(kit.lab, await flowCode(kit.lab));
      await end(kit);
      const { renewed } = await kit.lab.replay(lastToken(kit.lab));
      assertEquals(renewed, [`The code is the recorded one: ${why}.`]);
    });
  }

  it("does not hide an error of the lab itself", needs("callback page"), async () => {
    const kit = openLabKit({ issuer, profile: "fapi-2.0" });
    await play(kit);
    const id = lastToken(kit.lab);
    Object.defineProperty(kit.lab, "tenants", {
      get() {
        throw new TypeError("broken");
      },
    });
    await assertRejects(() => kit.lab.replay(id), TypeError, "broken");
  });
});
