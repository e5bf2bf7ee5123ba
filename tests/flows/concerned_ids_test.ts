import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { ConcernedIds, EventRequest } from "../../src/server/config/events.ts";
import { fixturesOf } from "../features.ts";
import { endToken, type Kit, openKit, service, web } from "../support/kit.ts";
import { present } from "../support/present.ts";
import { hasFeature } from "../support/where_feature.ts";

const day = 24 * 60 * 60;

/** A server, and what its latest requests concerned. */
interface ObservedKit {
  kit: Kit;
  /** Returns what the last request concerned, as its last event says. */
  last(): ConcernedIds;
  /** Returns what all requests concerned, the oldest first. */
  all(): ConcernedIds[];
}

function openObserved(): ObservedKit {
  const all: ConcernedIds[] = [];
  const kit = openKit({
    onEvent: (event, request) =>
      event.type === "request.handled" && request && all.push(idsOf(request)),
  });
  return { kit, last: () => present(all.at(-1)), all: () => all };
}

function idsOf(request: EventRequest): ConcernedIds {
  const { interaction, pushedRequest, device, authorization, ownToken } = request;
  const ids = { interaction, pushedRequest, device, authorization, ownToken };
  return JSON.parse(JSON.stringify(ids));
}

/** Returns the authorization of a code that demo-spa got. */
async function codeOf({ kit, last }: ObservedKit): Promise<[code: string, ConcernedIds]> {
  const code = await kit.code({ scope: "openid offline_access", prompt: "consent" });
  const { authorization } = last();
  assert(authorization !== undefined && !code.includes(authorization));
  return [code, { authorization }];
}

/** What may be presented that comes from an authorization, and is refused or has no effect. */
const presented: Record<string, (kit: Kit, code: string) => Promise<unknown>> = {
  "a code": (kit, code) => kit.redeem(code),
  "a code with a wrong verifier": (kit, code) =>
    kit.redeem(code, { code_verifier: "w".repeat(43) }),
  "another client's code": (kit, code) => kit.redeem(code, {}, web),
  "an expired code"(kit, code) {
    kit.clock.advance(6 * 60);
    return kit.redeem(code);
  },
  async "a code that was used"(kit, code) {
    await kit.redeem(code);
    await kit.redeem(code);
  },
  async "a code whose authorization was revoked"(kit, code) {
    const { body } = await kit.redeem(code);
    await endToken(kit, body.refresh_token);
    await kit.redeem(code);
  },
  async "a refresh token"(kit, code) {
    await kit.refresh((await kit.redeem(code)).body.refresh_token);
  },
  async "another client's refresh token"(kit, code) {
    const { body } = await kit.redeem(code);
    await kit.refresh(body.refresh_token, { client_id: undefined }, web);
  },
  async "an expired refresh token"(kit, code) {
    const { body } = await kit.redeem(code);
    kit.clock.advance(31 * day);
    await kit.refresh(body.refresh_token);
  },
  async "an access token"(kit, code) {
    const { body } = await kit.redeem(code);
    await kit.userinfo(body.access_token);
  },
  async "an expired access token"(kit, code) {
    const { body } = await kit.redeem(code);
    kit.clock.advance(day);
    await kit.userinfo(body.access_token);
  },
  ...fixturesOf("presentedCredentials"),
};

describe("The events of a request name the authorization that it concerns", () => {
  for (const [what, present] of Object.entries(presented)) {
    it(`when it presents ${what}`, async () => {
      const observed = openObserved();
      const [code, expected] = await codeOf(observed);
      await present(observed.kit, code);
      assertEquals(observed.last(), expected);
    });
  }

  it("but not when its code is unknown", async () => {
    const { kit, last } = openObserved();
    await kit.redeem("unknown");
    assertEquals(last(), {});
  });

  it("and the sign-in that led to it, by an id that is no part of its address", async () => {
    const { kit, all } = openObserved();
    const browser = kit.browser();
    const { url } = await browser.open(kit.authorizationUrl());
    await browser.authorize(url);
    const ids = new Set(all().map(({ interaction }) => interaction));
    assertEquals(ids.size, 1);
    assert(!url.includes(present([...ids][0])));
  });

  if (hasFeature("introspection")) {
    it("or the token that a client got for itself", async () => {
      const { kit, last } = openObserved();
      const { body } = await kit.token({ grant_type: "client_credentials" }, service);
      const issued = last();
      await kit.introspect(body.access_token, {}, service);
      assertEquals([last(), Object.keys(issued)], [issued, ["ownToken"]]);
    });
  }
});
