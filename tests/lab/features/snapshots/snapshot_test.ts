import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  hallpass,
  type HallpassOptions,
  LabError,
  type TestLab,
} from "../../../../src/lab/testing/mod.ts";
import { memoryStore } from "../../../../src/server/mod.ts";
import { authorizationUrl } from "../../../support/login.ts";
import { assertReport } from "../../../support/reported.ts";
import { testClient } from "../../../support/test_client.ts";
import { needs } from "../../../support/where_feature.ts";

const client = testClient();

describe("lab.snapshot() and lab.restore()", () => {
  it(
    "return users, clients, sessions, tokens, keys and clock to how they were",
    needs("hooks", "faults"),
    async () => {
      await using lab = await hallpass();
      const browser = lab.browser();
      await browser.authorize(authorizationUrl(lab), { user: "alice" });
      const { access_token } = await lab.mint({ sub: "alice", scope: "openid" });
      lab.clock.advance("5m");
      const keys = await keysOf(lab);
      const before = await lab.snapshot();

      lab.users.put({ name: "zoe" });
      lab.clients.remove("demo-web");
      lab.clock.advance("30d");
      lab.fault("token.server_error");
      lab.on("token", () => {});
      lab.fault("token.claims", { claims: { roles: [] } });
      lab.next("revoke", { status: 503 });
      lab.signIn("bob");
      await lab.mint({ sub: "zoe" });
      assertEquals(await userinfoStatus(lab, access_token), 401);

      for (let times = 0; times < 2; times++) {
        await lab.restore(before);
        assertEquals(lab.users.list().some(({ name }) => name === "zoe"), false);
        assertEquals(lab.clients.get("demo-web").id, "demo-web");
        assertEquals([lab.faults.list(), lab.requests()], [[], []]);
        assertReport(lab, { idleFaults: [] });
        const page = await lab.fetch(authorizationUrl(lab), { redirect: "manual" });
        assertMatch(page.headers.get("Location") ?? "", /^\/oauth2\/interaction\//);
        assert(Math.abs(lab.clock.now() - Date.now() - 5 * 60_000) < 10_000);
        assertEquals(await userinfoStatus(lab, access_token), 200);
        assertEquals(await keysOf(lab), keys);
        const silent = authorizationUrl(lab, { prompt: "none" });
        const { callback } = await browser.authorize(silent);
        assert(new URL(callback).searchParams.has("code"), callback);
      }
    },
  );

  it("bring back a code that was used, and forget one that came later", async () => {
    await using lab = await hallpass();
    const codeFor = () => client.code(lab);
    const code = await codeFor();
    const before = await lab.snapshot();
    const later = await codeFor();
    assertEquals(await redeem(lab, code), 200);
    await lab.restore(before);
    assertEquals([await redeem(lab, code), await redeem(lab, later)], [200, 400]);
  });

  it("remember several states, in a store of one's own as well", async () => {
    await using lab = await hallpass({ store: memoryStore() });
    const first = await lab.snapshot();
    lab.users.put({ name: "zoe" });
    const second = await lab.snapshot();
    await lab.restore(first);
    assertEquals(lab.users.list().length, 3);
    await lab.restore(second);
    assertEquals(lab.users.list().length, 4);
  });

  it("remove faults and records from before the snapshot as well", needs("faults"), async () => {
    await using lab = await hallpass();
    lab.fault("token.server_error", { mayStayIdle: true });
    await client.code(lab);
    await lab.restore(await lab.snapshot());
    assertEquals([lab.faults.list(), lab.requests(), lab.flows()], [[], [], []]);
  });

  it("leave tenants alone", async () => {
    await using lab = await hallpass();
    const before = await lab.snapshot();
    const tenant = await lab.tenant({ users: [{ name: "zoe" }] });
    await lab.restore(before);
    assertEquals((await tenant.fetch(`${tenant.issuer}/health`)).status, 200);
  });

  it("name the snapshots that exist", async () => {
    await using lab = await hallpass();
    await lab.snapshot();
    await assertRejects(() => lab.restore("snapshot-9"), LabError, "snapshot-1");
  });
});

describe("hallpass({ seed })", () => {
  it("gives the same codes, ids and tokens for the same requests", async () => {
    assertEquals(await transcript({ seed: "a" }), await transcript({ seed: "a" }));
  });

  it("gives others for another seed, and without one", async () => {
    assertNotEquals(await transcript({ seed: "a" }), await transcript({ seed: "b" }));
    assertNotEquals(await transcript({}), await transcript({}));
  });

  it("begins again after a reset", async () => {
    await using lab = await openFrozen({ seed: 7 });
    await record(lab); // makes the keys, which survive a reset
    const afterReset = async () => {
      await lab.reset();
      lab.clock.freeze();
      lab.clock.set(noon);
      return await record(lab);
    };
    assertEquals(await afterReset(), await afterReset());
  });

  it("continues from a snapshot in the same way each time", async () => {
    await using lab = await openFrozen({ seed: 7 });
    await record(lab);
    const before = await lab.snapshot();
    const first = await record(lab);
    await lab.restore(before);
    assertEquals(await record(lab), first);
  });

  it("holds for tenants", async () => {
    await using lab = await hallpass({ seed: 7 });
    await using other = await hallpass({ seed: 7 });
    const tokens = [];
    for (const each of [lab, other]) {
      const tenant = await each.tenant();
      tokens.push((await tenant.mint({ sub: "alice", scope: "offline_access" })).refresh_token);
    }
    assertEquals(tokens[0], tokens[1]);
  });

  it("repeats no bytes within a lab", async () => {
    await using lab = await hallpass({ seed: "a" });
    const tokens = [];
    for (let n = 0; n < 50; n++) tokens.push((await lab.mint({ sub: "alice" })).access_token);
    assertEquals(new Set(tokens).size, 50);
  });
});

const noon = Date.UTC(2026, 0, 1, 12);

async function openFrozen(options: HallpassOptions): Promise<TestLab> {
  const lab = await hallpass(options);
  lab.clock.freeze();
  lab.clock.set(noon);
  return lab;
}

async function transcript(options: HallpassOptions): Promise<unknown> {
  await using lab = await openFrozen(options);
  return await record(lab);
}

/** Returns everything that a client gets in a login and a minted token set. */
async function record(lab: TestLab): Promise<unknown> {
  const { callback } = await lab.authorize(authorizationUrl(lab), { user: "alice" });
  return [callback, await lab.mint({ sub: "alice", scope: "openid offline_access" })];
}

async function keysOf(lab: TestLab): Promise<unknown> {
  return await (await lab.fetch(`${lab.issuer}/oauth2/jwks`)).json();
}

async function userinfoStatus(lab: TestLab, token: string): Promise<number> {
  return (await client.userinfo(lab, token)).status;
}

async function redeem(lab: TestLab, code: string): Promise<number> {
  return (await client.redeem(lab, code)).status;
}
