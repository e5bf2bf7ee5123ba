import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe } from "node:test";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { hallpass, type HallpassOptions, LabError } from "../../../../src/lab/testing/mod.ts";
import { textOf } from "../../../support/browser.ts";
import { claimsOf, service } from "../../../support/flow_kit.ts";
import { itWith } from "../../../support/it_with.ts";
import { callLab } from "../../../support/lab_call.ts";
import { openTab } from "../../../support/lab_tab.ts";
import { testClient } from "../../../support/test_client.ts";
import { needs } from "../../../support/where_feature.ts";

const it = itWith({
  inLab: () => hallpass({ signIn: "alice" }),
  withBackChannelLogoutAndIntrospection: needs("back-channel logout", "introspection"),
});

const issuer = "http://localhost:9000";
const client = testClient({ scope: "openid read" });
const offline = { scope: "openid read offline_access", prompt: "consent" };

/** Opens a lab, and notes the logout tokens that its clients get. */
async function openNotified(options: HallpassOptions = {}) {
  const notified: Array<Record<string, unknown>> = [];
  const fetch = async (_url: string, { body }: { body?: unknown }) => {
    notified.push(claimsOf(new URLSearchParams(String(body)).get("logout_token") ?? ""));
    return new Response();
  };
  const lab = await hallpass({ signIn: "alice", fetch, ...options });
  const spa = lab.clients.get("demo-spa");
  lab.clients.put({ ...spa, backchannelLogoutUri: "https://app.example/logout" });
  return { lab, notified };
}

describe("The sessions of a lab", () => {
  it.inLab("are those of its users, with what was issued there", async (lab) => {
    lab.clock.freeze();
    const authTime = new Date(Math.floor(lab.clock.now() / 1000) * 1000).toISOString();
    const { id_token } = await client.tokens(lab, {}, {});
    await client.tokens(lab, {}, { user: "bob" });
    const all = await lab.sessions();
    assertEquals(all.map(({ user }) => user).sort(), ["alice", "bob"]);
    const [alices, ...others] = await lab.sessions({ user: "alice" });
    assertEquals(others, []);
    assert(alices);
    const { sid, tokens, end: _, ...facts } = alices;
    assertEquals(facts, {
      ...{ user: "alice", active: true, authTime, acr: "urn:hallpass:password", amr: ["pwd"] },
      clients: ["demo-spa"],
    });
    assertEquals(tokens.map(({ client, scope }) => [client, scope]), [["demo-spa", "openid read"]]);
    assert(sid !== undefined && id_token !== undefined);
    await assertRejects(() => lab.sessions({ user: "nobody" }), LabError, "no user 'nobody'");
  });

  it.withBackChannelLogoutAndIntrospection("O14: end with a logout token, and with all that was issued there", async () => {
    const { lab, notified } = await openNotified();
    await using _ = lab;
    const { id_token, access_token, refresh_token } = await client.tokens(lab, {}, {});
    const [session] = await lab.sessions();
    await session?.end();
    assertEquals(notified.map(({ sid }) => sid), [claimsOf(id_token ?? "").sid]);
    const { body } = await client.introspect(lab, access_token, {}, service);
    assertEquals(body, { active: false });
    assertEquals((await client.refresh(lab, refresh_token)).body.error, "invalid_grant");
    assertEquals(await lab.sessions(), []);
    await assertRejects(async () => await session?.end(), LabError, "no active session");
    const again = await client.tokens(lab, {}, {});
    assert(claimsOf(again.id_token ?? "").sid !== claimsOf(id_token ?? "").sid);
  });

  it.inLab("leave tokens for offline access, which end by themselves", async (lab) => {
    const { refresh_token } = await client.tokens(lab, offline, {});
    await (await lab.sessions())[0]?.end();
    const [left] = await lab.sessions({ user: "alice" });
    assertEquals([left?.active, left?.tokens.length], [false, 1]);
    const refreshed = await client.refresh(lab, refresh_token);
    assertEquals(refreshed.status, 200);
    await left?.tokens[0]?.end();
    assertEquals(await lab.sessions(), []);
    const { body } = await client.refresh(lab, refreshed.body.refresh_token);
    assertEquals(body.error, "invalid_grant");
  });

  it.inLab("are in the list, and not active, if a test minted the tokens", async (lab) => {
    const { access_token } = await lab.mint({ sub: "alice", scope: "openid read" });
    const [minted] = await lab.sessions();
    assertEquals([minted?.active, minted?.tokens.length], [false, 1]);
    await minted?.tokens[0]?.end();
    assertEquals((await client.userinfo(lab, access_token)).status, 401);
  });

  it.inLab("are those of a tenant by itself, and gone with a reset", async (lab) => {
    const tenant = await lab.tenant({ signIn: "bob" });
    await client.tokens(tenant, {}, {});
    assertEquals([(await lab.sessions()).length, (await tenant.sessions()).length], [0, 1]);
    await tenant.reset();
    assertEquals(await tenant.sessions(), []);
  });

  it.inLab("end over HTTP, by the sid of a session or the id of tokens", async (lab) => {
    await client.tokens(lab, offline, {});
    const list = async () => (await callLab(lab, "GET /sessions?user=alice")).json;
    const [{ sid, tokens: [{ id }] }] = await list();
    assertEquals((await callLab(lab, `DELETE /sessions/${sid}`)).status, 200);
    assertEquals((await list()).length, 1);
    assertEquals((await callLab(lab, `DELETE /sessions/${id}`)).status, 200);
    assertEquals(await list(), []);
    const { status, json } = await callLab(lab, `DELETE /sessions/${id}`);
    assertEquals(status, 400);
    assertMatch(json.error_description, /no active session with the id/);
  });

  for (const path of ["/lab/users/alice", "/lab/sessions?user=alice"]) {
    it(`end with a button at ${path}`, async () => {
      await using lab = openLab({ issuer, signIn: "alice" });
      await client.tokens(lab, {}, {});
      const tab = await openTab(lab);
      const html = await tab.html(path);
      assertMatch(textOf(html), /Sessions and tokens .* demo-spa : openid read flow-1 /);
      assertMatch(html, /href="\/lab\/flows\/flow-1"/);
      const [, id = ""] = /name="id" value="([\w-]+)"/.exec(html) ?? [];
      const { headers } = await tab.post("/lab/call/end-session", { id, back: path });
      assertEquals(headers.get("Location"), path);
      await (await lab.sessions())[0]?.end();
      assertMatch(textOf(await tab.html(path)), /A session begins with a sign-in/);
    });
  }

  it("are ten on the page of a user, which leads to the others", async () => {
    await using lab = openLab({ issuer });
    const tab = await openTab(lab);
    const sessionsAt = async (path: string) =>
      (await tab.html(path)).match(/aria-label="End session /g)?.length;
    for (let count = 0; count < 11; count++) {
      await client.tokens(lab, {}, { user: "alice" });
    }
    assertEquals(await sessionsAt("/lab/users/alice"), 10);
    assertMatch(await tab.html("/lab/users/alice"), /href="\/lab\/sessions\?user=alice"/);
    const path = "/lab/sessions?user=alice";
    assertEquals(await sessionsAt(path), 11);
    assertMatch(await tab.html(path), /name="user" value="alice"\/><button[^>]*>End all of alice</);
    await lab.mint({ sub: "bob" });
    await tab.post("/lab/call/end-sessions", { user: "alice", back: path });
    assertEquals((await lab.sessions()).map(({ user }) => user), ["bob"]);
  });

  it("are active on their page, where minted tokens have none", async () => {
    await using lab = openLab({ issuer });
    await client.tokens(lab, {}, { user: "alice" });
    await lab.mint({ client: "demo-spa", sub: "bob", scope: "read" });
    const tab = await openTab(lab);
    const html = await tab.html("/lab/sessions");
    assertMatch(textOf(html), /alice active .* demo-spa : openid read flow-1 End End session/);
    assertMatch(textOf(html), /bob no .* demo-spa : read End (?!session)/);
    assertMatch(html, /href="\/lab\/clients\/demo-spa"|href="\/lab\/users\/bob"/);
    assertMatch(await tab.html("/lab/setup"), /href="\/lab\/sessions"/);
  });
});
