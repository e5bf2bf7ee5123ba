import { assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import type { LabConfig } from "../../src/lab/lab_config.ts";
import type { ClientConfig, Config } from "../../src/server/features.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { makeProof, proofKey } from "../support/dpop.ts";
import { itWith } from "../support/it_with.ts";
import {
  basic,
  claimsOf,
  endToken,
  type Kit,
  openKit,
  openStrictKit,
  spa,
  web,
} from "../support/kit.ts";
import { present } from "../support/present.ts";
import { brokenRule, itRefuses, refreshing } from "../support/refusals.ts";
import { register } from "../support/registration.ts";
import { needs } from "../support/where_feature.ts";

const grace = { refreshReuseGrace: "10s" } as const;
const it = itWith({ withKit: () => openKit(), withGrace: () => openKit(grace) });

describe("Refresh tokens (OAuth 2.1, section 4.3)", () => {
  it.withKit("T30 B09 UsesTokenRotation: each is replaced by another", async (kit) => {
    const { refresh_token } = await kit.tokens();
    const { status, body } = await kit.refresh(refresh_token);
    assertEquals(status, 200);
    assertNotEquals(body.refresh_token, refresh_token);
    assertEquals((await kit.refresh(body.refresh_token)).status, 200);
  });

  it.withKit("T30 B22 InvalidatedRefreshToken: an old one kills the new one, and the authorization", async (kit) => {
    const first = await kit.tokens();
    const second = (await kit.refresh(first.refresh_token)).body;
    assertEquals((await kit.refresh(first.refresh_token)).body.error, "invalid_grant");
    assertEquals((await kit.refresh(second.refresh_token)).body.error, "invalid_grant");
    assertEquals((await kit.userinfo(second.access_token)).status, 401);
  });

  it.withKit("T30 names the section about refresh tokens to a client that uses an old one", async (kit) => {
    const { refresh_token } = await kit.tokens();
    await kit.refresh(refresh_token);
    const { body } = await kit.refresh(refresh_token);
    assertStringIncludes(body.error_description, "See OAuth 2.1, section 4.3.1.");
  });

  it.withKit("T30 recognises an old one weeks later", async (kit) => {
    const first = await kit.tokens();
    const second = (await kit.refresh(first.refresh_token)).body;
    kit.clock.advance(20 * 86_400);
    await kit.refresh(first.refresh_token);
    assertEquals((await kit.refresh(second.refresh_token)).body.error, "invalid_grant");
  });

  it.withKit("SingleFastRefresh: of twenty at once, exactly one wins, and nothing it won survives (CVE-2026-1035)", async (kit) => {
    const { refresh_token } = await kit.tokens();
    const won = (await Promise.all(Array.from({ length: 20 }, () => kit.refresh(refresh_token))))
      .filter(({ status }) => status === 200);
    assertEquals(won.length, 1);
    assertEquals(
      (await kit.refresh(present(won[0]?.body.refresh_token))).body.error,
      "invalid_grant",
    );
  });

  it.withKit("I3: ignores 'offline_access' where the authorization request lost it, as MSAL sends it", async (kit) => {
    const scope = "openid read offline_access";
    const { refresh_token, scope: granted } = await kit.tokens({ scope });
    const { status, body } = await kit.refresh(refresh_token, { scope });
    assertEquals([granted, status, body.scope], ["openid read", 200, "openid read"]);
    const alone = await kit.refresh(body.refresh_token, { scope: "offline_access" });
    assertEquals(alone.body.error, "invalid_scope");
  });

  itRefuses({
    "I3: 'offline_access' of a client that may not have it": ["scope.granted", {
      settings: { clients: [spa({ scopes: ["openid", "profile", "read"] })] },
      play: refreshing({ scope: "openid offline_access" }),
    }],
    "T26 T27 IsRefreshBoundToClient: another client": [
      "refresh_token.client",
      refreshing({ client_id: "demo-cli" }),
    ],
    "T26 T27 IsRefreshBoundToClient: a confidential client": [
      "refresh_token.client",
      refreshing({}, web),
    ],
    "T28 a wider scope": ["scope.granted", refreshing({ scope: "openid write" })],
  });

  it.withKit("T27 a confidential client must authenticate", async (kit) => {
    const { refresh_token } = (await kit.redeem(await kit.code({ client_id: "demo-web" }), {}, web))
      .body;
    assertEquals(
      (await kit.refresh(refresh_token, { client_id: "demo-web" })).body.error,
      "invalid_client",
    );
    assertEquals((await kit.refresh(refresh_token, {}, web)).status, 200);
  });

  it.withKit("T28 narrows the scope", async (kit) => {
    const { refresh_token } = await kit.tokens();
    const { body } = await kit.refresh(refresh_token, { scope: "read" });
    assertEquals([body.scope, body.id_token], ["read", undefined]);
  });

  it.withKit("T29 T33 keeps the scope of the first one, however narrow an access token was", async (kit) => {
    const { refresh_token } = await kit.tokens();
    const narrow = (await kit.refresh(refresh_token, { scope: "read" })).body;
    assertEquals((await kit.refresh(narrow.refresh_token)).body.scope, "openid profile read");
  });

  it.withKit("T31 lives 30 days from the first one on, however often it is rotated", async (kit) => {
    let { refresh_token } = await kit.tokens();
    for (let day = 0; day < 29; day++) {
      kit.clock.advance(86_400);
      refresh_token = (await kit.refresh(refresh_token)).body.refresh_token;
    }
    kit.clock.advance(86_400);
    assertEquals((await kit.refresh(refresh_token)).body.error, "invalid_grant");
  });

  it("T31 can have an idle limit", async () => {
    const kit = openKit({ lifetimes: { refreshIdle: "1h" } });
    const { refresh_token } = await kit.tokens();
    kit.clock.advance(3599);
    const next = (await kit.refresh(refresh_token)).body.refresh_token;
    kit.clock.advance(3600);
    assertEquals((await kit.refresh(next)).body.error, "invalid_grant");
  });

  it.withKit("O09 comes with an ID token of the same user and sign-in, without the nonce", async (kit) => {
    const first = await kit.tokens({ nonce: "n" });
    kit.clock.advance(60);
    const before = claimsOf(first.id_token);
    const after = claimsOf((await kit.refresh(first.refresh_token)).body.id_token);
    assertEquals([after.iss, after.sub, after.aud, after.auth_time, after.nonce], [
      before.iss,
      before.sub,
      before.aud,
      before.auth_time,
      undefined,
    ]);
    assertEquals(after.iat, before.iat + 60);
  });

  it("T33 goes to no client that may not refresh", async () => {
    const kit = openKit({ clients: [spa({ grantTypes: ["authorization_code"] })] });
    assertEquals((await kit.tokens()).refresh_token, undefined);
  });

  it("T33 goes to no client of a server without the grant, which would refuse it", async () => {
    const clients = [spa()];
    const kit = openKit({ clients, grantTypes: ["authorization_code"] });
    assertEquals((await kit.redeem(await kit.code())).body.refresh_token, undefined);
  });
});

describe("The grace for a repeated refresh", () => {
  it.withGrace("gives the same successor again to a client that lost the response", async (kit) => {
    const { refresh_token } = await kit.tokens();
    const [first, again] = [await kit.refresh(refresh_token), await kit.refresh(refresh_token)];
    assertEquals([again.status, again.body.refresh_token], [200, first.body.refresh_token]);
    assertEquals((await kit.refresh(again.body.refresh_token)).status, 200);
  });

  it.withGrace("gives it to all of twenty at once", async (kit) => {
    const { refresh_token } = await kit.tokens();
    const answers = await Promise.all(Array.from({ length: 20 }, () => kit.refresh(refresh_token)));
    assertEquals(new Set(answers.map(({ body }) => body.refresh_token)).size, 1);
  });

  it.withGrace("ends when the successor is used", async (kit) => {
    const { refresh_token } = await kit.tokens();
    const next = (await kit.refresh((await kit.refresh(refresh_token)).body.refresh_token)).body
      .refresh_token;
    assertEquals((await kit.refresh(refresh_token)).body.error, "invalid_grant");
    assertEquals((await kit.refresh(next)).body.error, "invalid_grant");
  });

  it.withGrace("ends with its time", async (kit) => {
    const { refresh_token } = await kit.tokens();
    await kit.refresh(refresh_token);
    kit.clock.advance(10);
    assertEquals((await kit.refresh(refresh_token)).status, 200);
    kit.clock.advance(1);
    assertEquals((await kit.refresh(refresh_token)).body.error, "invalid_grant");
  });
});

describe("The grace of clients that authenticate, as serve has it by default", () => {
  const redirectUris = ["https://hallpass.test/authorized"];
  const webWith = (changes: Partial<ClientConfig>): ClientConfig => ({
    id: "web",
    secret: "s",
    redirectUris,
    ...changes,
  });
  const asWeb = basic("web", "s");
  const refresh = (kit: Kit, refresh_token: string) =>
    kit.refresh(refresh_token, { client_id: undefined }, asWeb);

  async function openWeb(changes: Partial<ClientConfig> = {}, config: Partial<Config> = {}) {
    const kit = openStrictKit({ clients: [webWith(changes), spa()], ...config });
    const code = await kit.code({ client_id: "web", scope: "openid" });
    const { body } = await kit.redeem(code, { client_id: undefined }, asWeb);
    return { kit, first: body.refresh_token };
  }

  it("gives the same successor to six at once, each with an access token of its own", async () => {
    const { kit, first } = await openWeb();
    const all = await Promise.all(Array.from({ length: 6 }, () => refresh(kit, first)));
    assertEquals(all.map(({ status }) => status), Array(6).fill(200));
    assertEquals(new Set(all.map(({ body }) => body.refresh_token)).size, 1);
    assertEquals(new Set(all.map(({ body }) => body.access_token)).size, 6);
    const repeated = kit.events.filter(({ type }) => type === "refresh.repeated");
    assertEquals(repeated.length, 5);
    assertEquals((await refresh(kit, present(all[0]).body.refresh_token)).status, 200);
  });

  it("T30 revokes everything after ten seconds", async () => {
    const { kit, first } = await openWeb();
    const { refresh_token: next } = (await refresh(kit, first)).body;
    kit.clock.advance(11);
    assertEquals((await refresh(kit, first)).body.error, "invalid_grant");
    assertEquals((await refresh(kit, next)).body.error, "invalid_grant");
  });

  it("refuses one whose successor was used, revokes nothing, and issues nothing", async () => {
    const { kit, first } = await openWeb({ accessTokenFormat: "opaque" });
    const next = (await refresh(kit, first)).body.refresh_token;
    const last = (await refresh(kit, next)).body.refresh_token;
    const rows = async () => (await kit.server.context.records.opaqueTokens.list()).length;
    const before = await rows();
    assertEquals((await refresh(kit, first)).body.error, "invalid_grant");
    assertEquals(brokenRule(kit), "refresh_token.repeat");
    assertEquals(await rows(), before);
    assertEquals((await refresh(kit, last)).status, 200);
  });

  it("T30 revokes everything after ten seconds, although the successor was used", async () => {
    const { kit, first } = await openWeb();
    const next = (await refresh(kit, first)).body.refresh_token;
    const last = (await refresh(kit, next)).body.refresh_token;
    kit.clock.advance(11);
    assertEquals((await refresh(kit, first)).body.error, "invalid_grant");
    assertEquals((await refresh(kit, last)).body.error, "invalid_grant");
  });

  const none: Record<string, () => ReturnType<typeof openWeb>> = {
    "if it is 0 for the client": () => openWeb({ refreshReuseGrace: 0 }),
    "if it is 0 for the client, but not for the server": () =>
      openWeb({ refreshReuseGrace: 0 }, { refreshReuseGrace: "10s" }),
    "if it is 0 for the server": () => openWeb({}, { refreshReuseGrace: 0 }),
    "if the server is hardened": () => openWeb({}, { hardened: true }),
  };
  for (const [title, open] of Object.entries(none)) {
    it(`T30 is none ${title}`, async () => {
      const { kit, first } = await open();
      const next = (await refresh(kit, first)).body.refresh_token;
      assertEquals((await refresh(kit, first)).body.error, "invalid_grant");
      assertEquals((await refresh(kit, next)).body.error, "invalid_grant");
    });
  }

  it("can be longer for one client", async () => {
    const { kit, first } = await openWeb({ refreshReuseGrace: "30s" }, { refreshReuseGrace: 0 });
    await refresh(kit, first);
    kit.clock.advance(30);
    assertEquals((await refresh(kit, first)).status, 200);
  });

  it("T30 is none for a public client, and none in a lab, which finds the mistake", async () => {
    const { kit } = await openWeb();
    const { refresh_token } = await kit.tokens({ scope: "openid" });
    await kit.refresh(refresh_token);
    assertEquals((await kit.refresh(refresh_token)).body.error, "invalid_grant");
    const lab = openKit();
    const { body } = await lab.redeem(await lab.code({ client_id: "demo-web" }), {}, web);
    await lab.refresh(body.refresh_token, {}, web);
    assertEquals((await lab.refresh(body.refresh_token, {}, web)).body.error, "invalid_grant");
  });

  it("T30 is none for a client that registered itself", needs("registration"), async () => {
    const kit = openStrictKit({ registration: "open" });
    const metadata = {
      redirect_uris: redirectUris,
      token_endpoint_auth_method: undefined,
      grant_types: ["authorization_code", "refresh_token"],
    };
    const { client_id, client_secret } = (await register(kit, metadata)).body;
    const headers = basic(client_id, client_secret);
    const fields = { client_id: undefined };
    const code = await kit.code({ client_id, scope: "openid" });
    const { refresh_token } = (await kit.redeem(code, fields, headers)).body;
    await kit.refresh(refresh_token, fields, headers);
    assertEquals((await kit.refresh(refresh_token, fields, headers)).body.error, "invalid_grant");
  });

  it("T30 is none for a token that is bound to a key: two proofs come from one client", async () => {
    const key = await proofKey();
    const kit = openStrictKit({ clients: [spa({ dpop: "required" })], refreshReuseGrace: "10s" });
    const proof = async () => ({
      DPoP: await makeProof(key, "POST", `${kit.issuer}/oauth2/token`, { now: kit.clock.now }),
    });
    const code = await kit.code({ scope: "openid" });
    const { refresh_token } = (await kit.redeem(code, {}, await proof())).body;
    await kit.refresh(refresh_token, {}, await proof());
    assertEquals((await kit.refresh(refresh_token, {}, await proof())).body.error, "invalid_grant");
  });
});

describe("Refresh tokens that are kept (refreshTokens: 'keep')", () => {
  const refreshWeb = (kit: Kit, refresh_token: string) => kit.refresh(refresh_token, {}, web);

  async function openKept(
    config: Partial<LabConfig> = {},
  ): Promise<{ kit: Kit; refreshToken: string }> {
    const kit = openKit({ refreshTokens: "keep", ...config });
    const { body } = await kit.redeem(await kit.code({ client_id: "demo-web" }), {}, web);
    return { kit, refreshToken: body.refresh_token };
  }

  it("go on as they are, and no other one is given", async () => {
    const { kit, refreshToken } = await openKept();
    for (let time = 0; time < 3; time++) {
      const { status, body } = await refreshWeb(kit, refreshToken);
      assertEquals([status, body.refresh_token], [200, undefined]);
    }
  });

  it("end when their time has come, however often they are used", async () => {
    const { kit, refreshToken } = await openKept();
    kit.clock.advance(29 * 86_400);
    assertEquals((await refreshWeb(kit, refreshToken)).status, 200);
    kit.clock.advance(86_400);
    assertEquals((await refreshWeb(kit, refreshToken)).body.error, "invalid_grant");
  });

  it("begin a new idle time with each use", async () => {
    const { kit, refreshToken } = await openKept({ lifetimes: { refreshIdle: "1h" } });
    for (let time = 0; time < 3; time++) {
      kit.clock.advance(3599);
      assertEquals((await refreshWeb(kit, refreshToken)).status, 200);
    }
    kit.clock.advance(3600);
    assertEquals((await refreshWeb(kit, refreshToken)).body.error, "invalid_grant");
  });

  it("are dead for good once they are revoked", async () => {
    const { kit, refreshToken } = await openKept();
    await refreshWeb(kit, refreshToken);
    await endToken(kit, refreshToken, web);
    assertEquals((await refreshWeb(kit, refreshToken)).body.error, "invalid_grant");
  });

  it("are not for public clients without a key: theirs are rotated all the same", async () => {
    const { kit } = await openKept();
    const { refresh_token } = await kit.tokens();
    assertNotEquals((await kit.refresh(refresh_token)).body.refresh_token, undefined);
    assertEquals((await kit.refresh(refresh_token)).body.error, "invalid_grant");
  });

  it("do not revive one that was rotated before", async () => {
    const store = memoryStore();
    const { kit, refreshToken } = await openKept({ store, refreshTokens: "rotate" });
    await refreshWeb(kit, refreshToken);
    const keeping = openKit({ store, refreshTokens: "keep" });
    assertEquals((await refreshWeb(keeping, refreshToken)).body.error, "invalid_grant");
  });
});
