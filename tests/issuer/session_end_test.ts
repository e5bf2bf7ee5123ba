import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { demoUsers } from "../../src/lab/demo/demo_users.ts";
import { publicPasswords } from "../../src/lab/sign_in/one_click.ts";
import { makeTestKey } from "../../src/lab/tokens/test_keys.ts";
import type { Feature } from "../../src/server/feature.ts";
import type { SessionEnd } from "../../src/server/issuer/active_features.ts";
import { createInternalServer } from "../../src/server/server.ts";
import { claimsOf, createKit, kitParts } from "../support/flow_kit.ts";
import { spa } from "../support/kit.ts";
import { signedIn, whoIsSignedIn } from "../support/logout.ts";
import { present } from "../support/present.ts";

const frame = "https://frames.example/";

/** Opens a server with a feature that notes what it is asked when a session ends. */
function openListeningKit(changes: Partial<SessionEnd> = {}) {
  const noted: unknown[] = [];
  const feature: Feature = {
    name: "listener",
    sessionEnds: [{
      clientSetting: "policyUri",
      async notify({ records }, sid) {
        noted.push([sid, await records.endedSessions.get(sid) !== undefined]);
      },
      frames: (_, sid) => Promise.resolve([`${frame}${sid}`]),
      ...changes,
    }],
    tasks: [{ name: "listen", interval: 60_000, run: async () => void noted.push("task") }],
  };
  const parts = kitParts();
  const policies = { passwords: publicPasswords, makeKey: makeTestKey };
  const clients = [spa(), spa({ id: "concerned", policyUri: "https://app.example/policy" })];
  const config = { ...parts.config, users: demoUsers, clients, policies };
  return { noted, kit: createKit(createInternalServer(config, [feature, feature]), parts) };
}

const scope = "openid";

describe("The end of a session", () => {
  it("is known by its sid to the clients that it concerns, and to no others", async () => {
    const { kit } = openListeningKit();
    const sidOf = async (client_id: string) =>
      claimsOf((await signedIn(kit, { scope, client_id })).idToken).sid;
    assertEquals([typeof await sidOf("concerned"), await sidOf("demo-spa")], ["string", undefined]);
  });

  it("is marked before each feature is notified of it, and shows the frames of each", async () => {
    const { kit, noted } = openListeningKit();
    const { browser } = await signedIn(kit, { scope });
    const [row] = await kit.server.context.records.userSessions.list();
    const { sid } = present(row)[1];
    const page = await browser.submit(await browser.open(`${kit.issuer}/`), "sign-out");
    assertEquals(noted, [[sid, true], [sid, true]]);
    assertEquals(page.html.split(`src="${frame}${sid}"`).length - 1, 2);
  });

  it("is a fact although a feature fails, and the sign-out can be repeated", async () => {
    const failures = [new Error("unavailable")];
    const { kit, noted } = openListeningKit({
      notify: (_, sid) => {
        const failure = failures.pop();
        return failure ? Promise.reject(failure) : Promise.resolve(void noted.push(sid));
      },
    });
    const { browser } = await signedIn(kit, { scope });
    const home = await browser.open(`${kit.issuer}/`);
    assertEquals((await browser.submit(home, "sign-out")).status, 500);
    assertEquals(await whoIsSignedIn(kit, browser), undefined);
    assertEquals((await browser.submit(home, "sign-out")).status, 200);
    // The second feature is notified the first time, too.
    assertEquals(noted.length, 3);
  });

  it("leaves no row that finds the session", async () => {
    const { kit } = openListeningKit();
    const { sessions, userSessions } = kit.server.context.records;
    const { browser } = await signedIn(kit, { scope });
    await browser.submit(await browser.open(`${kit.issuer}/`), "sign-out");
    assertEquals([await sessions.list(), await userSessions.list()], [[], []]);
  });

  it("leaves work that the server repeats", async () => {
    const { kit, noted } = openListeningKit();
    kit.clock.advance(60);
    await kit.get("/health");
    await kit.server.context.background.idle();
    assertEquals(noted, ["task", "task"]);
  });
});
