import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import type { Duration } from "../../../src/server/util/time/duration.ts";
import {
  agent,
  agentHeaders,
  answerCiba,
  beginCiba,
  cibaGrant,
  pollCiba,
  reviewRequest,
} from "../../support/ciba.ts";
import { makeProof, proofKey } from "../../support/dpop.ts";
import {
  basic,
  claimsOf,
  type Fields,
  isActive,
  type Kit,
  openKit,
  openStrictKit,
} from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { itRefuses, type Play, post, toRows } from "../../support/refusals.ts";
import {
  interruptEachCall,
  type InterruptibleStore,
  interruptibleStore,
  lost,
  watchedStore,
} from "../../support/stores.ts";

const otherHeaders = basic("other", "other-secret");

/** What a user cannot read, or compare. */
const unreadable: Readonly<Record<string, string>> = {
  "of a space": " ",
  "with spaces around": " A1",
  "of a letter that shows nothing": "\u3164",
  "of an empty Braille pattern": "\u2800",
  "with a joiner that shows nothing": "A\u034f1",
  "with a variation selector": "A\ufe0f1",
  "with a tag": "A\u{e0041}1",
  "with marks piled on a letter": `A${"\u0301".repeat(8)}`,
};

/** A lab with a second client that asks users. */
function openWithOther(changes: Partial<LabConfig> = {}): Kit {
  const other = agent({ id: "other", secret: "other-secret" });
  return openKit({ clients: [agent(), other], ...changes });
}

describe("The backchannel authentication endpoint (CIBA, section 7)", () => {
  it("C10 gives a client an auth_req_id with 256 random bits, its lifetime and the interval", async () => {
    const { status, headers, body } = await beginCiba(openKit());
    assertEquals([status, headers.get("Cache-Control")], [200, "no-store"]);
    assertMatch(body.auth_req_id, /^[\w-]{43}$/);
    assertEquals([body.expires_in, body.interval], [300, 5]);
  });

  it("C02 asks no user outside the groups of the client, and does not show that there is one", async () => {
    const kit = openKit({ clients: [agent({ groups: ["board"] })] });
    const responses = await Promise.all(
      ["alice", "nobody"].map((login_hint) => beginCiba(kit, { login_hint })),
    );
    assertEquals(responses.map(({ body }) => body.error), ["unknown_user_id", "unknown_user_id"]);
  });

  it("C04 lets a client ask for less time, and never gives more than the server allows", async () => {
    const expiresIn = async (requested_expiry: string, backchannelRequest: Duration = "5m") =>
      (await beginCiba(openKit({ lifetimes: { backchannelRequest } }), { requested_expiry })).body
        .expires_in;
    assertEquals(
      [await expiresIn("60"), await expiresIn("900"), await expiresIn("900", "1h")],
      [60, 300, 900],
    );
    assertEquals(await expiresIn("9".repeat(400)), 300);
  });

  it("C04 ends a request when the client said so: for the client, the user and the next request", async () => {
    const kit = openKit();
    const { body } = await beginCiba(kit, { requested_expiry: "20" });
    const browser = kit.browser();
    const page = await reviewRequest(kit, {}, browser);
    kit.clock.advance(20);
    assertEquals((await pollCiba(kit, body.auth_req_id)).body.error, "expired_token");
    assertMatch((await browser.decide(page)).html, /request has expired/);
    assertEquals((await beginCiba(kit)).status, 200);
  });

  it("C01 is off until a configuration has the grant, and then advertised with poll and ping, but no push", async () => {
    const off = openStrictKit();
    assertEquals(off.server.context.metadata().backchannel_authentication_endpoint, undefined);
    assertEquals((await off.post("/oauth2/backchannel_authentication", {})).status, 404);
    const all = openKit().server.context.metadata();
    assertEquals(
      all.backchannel_authentication_endpoint,
      "https://hallpass.test/oauth2/backchannel_authentication",
    );
    assert((all.grant_types_supported as string[]).includes(cibaGrant));
    assertEquals(all.backchannel_token_delivery_modes_supported, ["poll", "ping"]);
    assertEquals(all.backchannel_user_code_parameter_supported, false);
    assertEquals(
      all.backchannel_authentication_request_signing_alg_values_supported,
      all.request_object_signing_alg_values_supported,
    );
  });

  const hints: Record<string, string> = {
    "a user name": "alice",
    "an e-mail address": "alice@example.com",
    "a phone number": "+41 44 000 00 01",
    "a subject of this issuer, as JSON": JSON.stringify({
      format: "iss_sub",
      iss: "https://hallpass.test",
      sub: "alice",
    }),
    "the same with a slash, as Auth0's SDKs add one": JSON.stringify({
      format: "iss_sub",
      iss: "https://hallpass.test/",
      sub: "alice",
    }),
  };
  for (const [what, login_hint] of Object.entries(hints)) {
    it(`C02 finds the user by ${what}`, async () => {
      const kit = openKit();
      const { body } = await beginCiba(kit, { login_hint });
      await answerCiba(kit);
      const tokens = (await pollCiba(kit, body.auth_req_id)).body;
      assertEquals(claimsOf(tokens.id_token).sub, "alice");
    });
  }

  it("C02 finds the user by an ID token of the same client, pairwise subjects included", async () => {
    const users = [{ name: "alice", sub: "u-1", password: "alice" }];
    for (const subjectType of ["public", "pairwise"] as const) {
      const kit = openKit({ users, clients: [agent({ subjectType })] });
      const first = await beginCiba(kit);
      await answerCiba(kit);
      const { id_token } = (await pollCiba(kit, first.body.auth_req_id)).body;
      assertEquals(claimsOf(id_token).sub === "u-1", subjectType === "public");
      const again = await beginCiba(kit, { login_hint: undefined, id_token_hint: id_token });
      assertEquals(again.status, 200);
    }
  });

  it("C02 asks nobody about a hint that two users share", async () => {
    const claims = { email: "team@example.com" };
    const users = ["one", "two"].map((name) => ({ name, password: name, claims }));
    const { body } = await beginCiba(openKit({ users }), { login_hint: "team@example.com" });
    assertEquals(body.error, "unknown_user_id");
  });

  it("C02 lets no client try out who is a user", async () => {
    const kit = openWithOther({ guessesPerMinute: 1 });
    const ask = async (login_hint: string, headers = agentHeaders) =>
      (await beginCiba(kit, { login_hint }, headers)).status;
    const statuses: number[] = [];
    for (let count = 0; count < 21; count++) statuses.push(await ask(`user${count}@example.com`));
    assertEquals(statuses.indexOf(429), 20);
    assertEquals([await ask("alice"), await ask("alice", otherHeaders)], [429, 200]);
    kit.clock.advance(60);
    assertEquals(await ask("bob"), 200);
  });

  const refusals: Record<string, [rule: string, fields: Fields, settings?: Partial<LabConfig>]> = {
    "C02 no hint": ["backchannel.one_hint", { login_hint: undefined }],
    "C02 two hints": ["backchannel.one_hint", { id_token_hint: "x" }],
    "C02 an unknown user": ["backchannel.user_known", { login_hint: "nobody" }],
    "C02 a subject of another issuer": ["backchannel.user_known", {
      login_hint: JSON.stringify({ format: "iss_sub", iss: "https://evil.example", sub: "alice" }),
    }],
    "C02 an id_token_hint that this server did not issue": ["id_token_hint.known", {
      login_hint: undefined,
      id_token_hint: "x",
    }],
    "C03 a login_hint_token, with the reason": ["backchannel.no_hint_token", {
      login_hint: undefined,
      login_hint_token: "x",
    }],
    "C04 a requested_expiry of 0": ["backchannel.requested_expiry", { requested_expiry: "0" }],
    "C04 a negative requested_expiry": [
      "backchannel.requested_expiry",
      { requested_expiry: "-1" },
    ],
    "C04 a requested_expiry that is no number": [
      "backchannel.requested_expiry",
      { requested_expiry: "5m" },
    ],
    "C05 a long binding_message": [
      "backchannel.binding_message",
      { binding_message: "x".repeat(65) },
    ],
    "C05 a binding_message of two lines": [
      "backchannel.binding_message",
      { binding_message: "a\nb" },
    ],
    "C05 a binding_message that turns text around": [
      "backchannel.binding_message",
      { binding_message: "a\u202eb" },
    ],
    ...Object.fromEntries(
      Object.entries(unreadable).map(([what, binding_message]) => [
        `C05 a binding_message ${what}`,
        ["backchannel.binding_message", { binding_message }],
      ]),
    ),
    "C09 a scope without openid": ["backchannel.openid", { scope: "read" }],
    "C09 an unknown scope": ["scope.allowed", { scope: "openid admin" }],
    "M8: a long acr_values": ["form.stored_length", { acr_values: "x".repeat(3000) }],
    "an unknown resource": ["resource.form", { resource: "x" }],
    "a scope sent twice": ["form.unique", { scope: ["openid", "read"] }],
  };
  itRefuses(toRows(refusals, ([rule, fields, settings = {}]) => [
    rule,
    { settings, play: (kit) => beginCiba(kit, fields) },
  ]));

  it("C05 takes a binding_message in any script", async () => {
    const message = "Zahlung 12,50 € – تأكيد";
    assertEquals((await beginCiba(openKit(), { binding_message: message })).status, 200);
  });

  const clients: Record<string, [rule: string, play: Play]> = {
    "C08 a client without the grant": [
      "backchannel.allowed",
      (kit) => beginCiba(kit, {}, basic("demo-web", "demo-web-secret")),
    ],
    "C08 a public client": [
      "backchannel.allowed",
      (kit) => beginCiba(kit, { client_id: "demo-spa" }, {}),
    ],
    "C08 a wrong secret": [
      "client.authenticated",
      (kit) => beginCiba(kit, {}, basic("demo-agent", "wrong")),
    ],
    "C08 no client at all": ["client.named", (kit) => beginCiba(kit, {}, {})],
  };
  itRefuses(clients);

  it("stores no auth_req_id where a reader of the store could use it", async () => {
    const store = watchedStore();
    const kit = openKit({ store });
    const { body } = await beginCiba(kit);
    await answerCiba(kit);
    assert(!store.texts.join().includes(body.auth_req_id));
  });
});

describe("How often a user is asked (CIBA, section 14)", () => {
  it("C18 has one open request of a client for a user, and another one after the decision or the expiry", async () => {
    const kit = openKit();
    await beginCiba(kit);
    const second = await beginCiba(kit);
    assertEquals([second.status, second.body.error], [403, "access_denied"]);
    assertEquals((await beginCiba(kit, { login_hint: "bob" })).status, 200);
    await answerCiba(kit, { decision: "deny" });
    assertEquals((await beginCiba(kit)).status, 200);
    kit.clock.advance(300);
    assertEquals((await beginCiba(kit)).status, 200);
  });

  it("C18 gives one of twenty requests at once to a client", async () => {
    const kit = openKit();
    const all = await Promise.all(Array.from({ length: 20 }, () => beginCiba(kit)));
    assertEquals(all.filter(({ status }) => status === 200).length, 1);
  });

  it("C18 leaves room for other clients, however often one asks again", async () => {
    for (const again of ["after the user denied it", "after it expired"]) {
      const kit = openWithOther({ backchannelRequestsPerMinute: 10 });
      const statuses: number[] = [];
      for (let count = 0; count < 12; count++) {
        statuses.push((await beginCiba(kit, { requested_expiry: "1" })).status);
        if (again === "after it expired") kit.clock.advance(1);
        else if (statuses.at(-1) === 200) await answerCiba(kit, { decision: "deny" });
      }
      assertEquals(statuses.filter((status) => status === 200).length, 4, again);
      assertEquals(statuses.at(-1), 429);
      assertEquals((await beginCiba(kit, {}, otherHeaders)).status, 200);
    }
  });

  it("C18 limits what a user gets in a minute from all clients", async () => {
    const kit = openWithOther({ backchannelRequestsPerMinute: 1 });
    assertEquals((await beginCiba(kit)).status, 200);
    const second = await beginCiba(kit, {}, otherHeaders);
    assertEquals([second.status, second.body.error], [429, "temporarily_unavailable"]);
    assertEquals((await beginCiba(kit, { login_hint: "bob" }, otherHeaders)).status, 200);
    kit.clock.advance(60);
    assertEquals((await beginCiba(kit, {}, otherHeaders)).status, 200);
  });
});

describe("How often servers on one store ask a user together (CIBA, section 14)", () => {
  const secret = "0123456789-0123456789-0123456789";

  it("C18 is limited, even if they ask at once, and what they refuse does not count", async () => {
    const ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const config = {
      store: memoryStore(),
      grantTypes: [cibaGrant],
      clients: ids.map((id) => agent({ id, secret, grantTypes: [cibaGrant] })),
      backchannelRequestsPerMinute: 4,
    };
    const kits = [openStrictKit(config), openStrictKit(config)];
    const ask = async (id: string, at: number) =>
      (await beginCiba(present(kits[at % 2]), { scope: "openid" }, basic(id, secret))).status;
    const statuses = await Promise.all(ids.map(ask));
    for (const [at, id] of ids.entries()) statuses.push(await ask(id, at));
    assertEquals(statuses.filter((status) => status === 200).length, 4);
  });

  it("C18 is once, if a client asks two servers at once", async () => {
    const config = {
      store: memoryStore(),
      grantTypes: [cibaGrant],
      clients: [agent({ secret, grantTypes: [cibaGrant] })],
    };
    const kits = [openStrictKit(config), openStrictKit(config)];
    const headers = basic("demo-agent", secret);
    const responses = await Promise.all(
      kits.map((kit) => beginCiba(kit, { scope: "openid" }, headers)),
    );
    assertEquals(responses.map(({ status }) => status).toSorted(), [200, 403]);
    const began = kits.flatMap(({ events }) => events.filter(({ type }) => /began/.test(type)));
    assertEquals(began.length, 1);
  });

  it("C18 is counted apart from what a client asks another user, whatever they are called", async () => {
    const config = {
      store: memoryStore(),
      grantTypes: [cibaGrant],
      clients: ["a", "b"].map((id) => agent({ id, secret, grantTypes: [cibaGrant] })),
      users: [{ name: "alice", password: "x" }, { name: "bob", sub: "alice/a", password: "x" }],
      backchannelRequestsPerMinute: 1,
    };
    const kits = [openStrictKit(config), openStrictKit(config)];
    const asked = [["a", "alice"], ["b", "bob"]] as const;
    for (const [at, [id, login_hint]] of asked.entries()) {
      const fields = { scope: "openid", login_hint };
      const { status } = await beginCiba(present(kits[at]), fields, basic(id, secret));
      assertEquals(status, 200, login_hint);
    }
  });
});

describe("A backchannel authentication request that is interrupted (CIBA, section 13)", () => {
  const ways: Record<string, (store: InterruptibleStore) => Promise<unknown>> = {
    "the server is killed": async (store) => store.fail(true),
    "a call of the store fails": () => Promise.reject(new Error("The disk is on fire.")),
    "a call of the store is made and reported as failed": () => Promise.resolve(lost),
  };
  for (const [what, interrupt] of Object.entries(ways)) {
    it(`C18 can be repeated where ${what}, whichever call it is`, async () => {
      let store = interruptibleStore();
      const waiting = {
        backchannelDeliveryMode: "ping",
        backchannelNotificationEndpoint: "https://agent.example/ping",
      };
      const open = () => openKit({ store, clients: [agent(waiting)] });
      const ask = (kit: Kit) => beginCiba(kit, { client_notification_token: "x".repeat(30) });
      const calls = await interruptEachCall({
        async open(opened) {
          store = opened;
          const kit = open();
          await kit.server.ready();
          return { kit, statuses: [] as number[] };
        },
        act: async ({ kit, statuses }) => statuses.push((await ask(kit)).status),
        interruption: () => interrupt(store),
        async check({ kit, statuses: [first] }, call) {
          store.fail(false);
          const again = await ask(open());
          const isRefused = again.body.error === "access_denied";
          assertEquals(isRefused, first === 200, `call ${call}: ${first}, then ${again.text}`);
          assertEquals(again.status, first === 200 ? 403 : 200);
          await kit.server.close();
        },
      });
      assert(calls > 10, `${calls} calls`);
    });
  }
});

describe("User codes (CIBA, section 7.1)", () => {
  const settings: Partial<LabConfig> = {
    userCodes: { alice: "1234" },
    clients: [agent({ backchannelUserCode: true })],
  };

  it("C06 are required of a client that registered for them, and compared", async () => {
    const kit = openKit(settings);
    assert(kit.server.context.metadata().backchannel_user_code_parameter_supported);
    assertEquals((await beginCiba(kit)).body.error, "missing_user_code");
    assertEquals((await beginCiba(kit, { user_code: "1" })).body.error, "invalid_user_code");
    assertEquals(
      (await beginCiba(kit, { login_hint: "bob", user_code: "1234" })).body.error,
      "invalid_user_code",
    );
    assertEquals((await beginCiba(kit, { user_code: "1234" })).status, 200);
  });

  it("C06 can be checked by a function, and are ignored for other clients", async () => {
    const userCodes = (user: { name: string }, code: string) => code === `${user.name}!`;
    const kit = openKit({ ...settings, userCodes });
    assertEquals((await beginCiba(kit, { user_code: "1234" })).body.error, "invalid_user_code");
    assertEquals((await beginCiba(kit, { user_code: "alice!" })).status, 200);
    assertEquals((await beginCiba(openKit(), { user_code: "x" })).status, 200);
  });

  it("C06 cannot be guessed", async () => {
    const kit = openKit({ ...settings, guessesPerMinute: 3 });
    kit.address = "203.0.113.1";
    const statuses: number[] = [];
    for (let guess = 0; guess < 5; guess++) {
      statuses.push((await beginCiba(kit, { user_code: `${guess}` })).status);
    }
    assertEquals(statuses, [400, 400, 400, 429, 429]);
    assertEquals((await beginCiba(kit, { user_code: "1234" })).status, 429);
  });
});

describe("The CIBA grant (CIBA, sections 10.1 and 11)", () => {
  it("C11 issues tokens once the user has allowed the request", async () => {
    const kit = openKit();
    const { body } = await beginCiba(kit);
    await answerCiba(kit);
    const { status, body: tokens } = await pollCiba(kit, body.auth_req_id);
    assertEquals([status, tokens.token_type, tokens.scope], [200, "Bearer", "openid profile read"]);
    const { sub, aud, auth_time } = claimsOf(tokens.id_token);
    assertEquals([sub, aud, auth_time], ["alice", "demo-agent", kit.clock.now / 1000]);
    const { client_id, ...access } = claimsOf(tokens.access_token);
    assertEquals([client_id, access.sub], ["demo-agent", "alice"]);
    const refreshed = await kit.refresh(
      tokens.refresh_token,
      { client_id: undefined },
      agentHeaders,
    );
    assertEquals([refreshed.status, await isActive(kit, tokens.access_token)], [200, true]);
  });

  it("C07 asks for a sign-in with the requested acr, and puts it into the ID token", async () => {
    const kit = openKit({ acrValues: ["one", "two"] });
    const { body } = await beginCiba(kit, { acr_values: "two" });
    const browser = kit.browser();
    const page = await reviewRequest(kit, {}, browser);
    assertMatch(page.html, /<form id="sign-in"/);
    const consent = await browser.submit(page, "sign-in", {
      username: "alice",
      password: "alice",
      acr: "two",
    });
    await browser.decide(consent);
    assertEquals(claimsOf((await pollCiba(kit, body.auth_req_id)).body.id_token).acr, "two");
  });

  it("C11 issues tokens that are bound to the key of the client", async () => {
    const kit = openKit();
    const { body } = await beginCiba(kit);
    await answerCiba(kit);
    const proof = await makeProof(
      await proofKey(),
      "POST",
      `${kit.issuer}/oauth2/token`,
      { now: kit.clock.now },
    );
    const tokens = await pollCiba(kit, body.auth_req_id, {}, { ...agentHeaders, DPoP: proof });
    assertEquals(tokens.body.token_type, "DPoP");
  });

  it("C11 narrows to some of the resources and authorization details that were allowed", async () => {
    const pay = { meaning: "Pay", members: { to: "text" } } as const;
    const kit = openKit({ authorizationDetails: { pay } });
    const resource = ["https://a.example", "https://b.example"];
    const details = ["1", "2", "3"].map((to) => ({ type: "pay", to }));
    const some = (from: number, to: number) => JSON.stringify(details.slice(from, to));
    const { body } = await beginCiba(kit, { resource, authorization_details: some(0, 2) });
    await answerCiba(kit);
    const poll = (fields: Fields) => pollCiba(kit, body.auth_req_id, fields);
    const errors = [
      (await poll({ resource: "https://c.example" })).body.error,
      (await poll({ resource: "https://a.example", authorization_details: some(1, 3) })).body.error,
    ];
    assertEquals(errors, ["invalid_target", "invalid_authorization_details"]);
    const tokens = await poll({ resource: "https://a.example", authorization_details: some(0, 1) });
    const { aud, authorization_details } = claimsOf(tokens.body.access_token);
    assertEquals([aud, authorization_details], ["https://a.example", details.slice(0, 1)]);
  });

  const states: Record<string, [rule: string, act: (kit: Kit) => unknown]> = {
    "C13 the user has done nothing": ["auth_req_id.decided", () => {}],
    "C13 the user denied the request": [
      "auth_req_id.allowed",
      (kit) => answerCiba(kit, { decision: "deny" }),
    ],
    "C13 its time is over": ["auth_req_id.in_time", (kit) => kit.clock.advance(300)],
    "C13 its time was over before the client polled": ["auth_req_id.in_time", async (kit) => {
      await answerCiba(kit);
      kit.clock.advance(300);
    }],
    "C12 its time is over for long": ["auth_req_id.fresh", (kit) => kit.clock.advance(600)],
    "C12 the user was signed out meanwhile": ["auth_req_id.active", async (kit) => {
      const browser = kit.browser();
      await answerCiba(kit, {}, browser);
      await browser.submit(await browser.open(`${kit.issuer}/account`), "sign-out");
    }],
  };
  itRefuses(toRows(states, ([rule, act]) => [rule, async (kit) => {
    const { body } = await beginCiba(kit);
    await act(kit);
    return pollCiba(kit, body.auth_req_id);
  }]));

  const foreign: Record<string, [rule: string, fields: Fields, headers?: Record<string, string>]> =
    {
      "C12 an auth_req_id of another client": ["auth_req_id.client", {}, otherHeaders],
      "C12 an unknown auth_req_id": ["auth_req_id.known", { auth_req_id: "x" }],
      "C12 no auth_req_id": ["auth_req_id.present", { auth_req_id: undefined }],
    };
  itRefuses(
    toRows(foreign, ([rule, fields, headers]) => [rule, async (kit) => {
      const { body } = await beginCiba(kit);
      await answerCiba(kit);
      await pollCiba(kit, body.auth_req_id, fields, headers);
      return () => pollCiba(kit, body.auth_req_id);
    }]),
    { open: openWithOther },
  );

  itRefuses({
    "C12 an auth_req_id in the URI": [
      "request.no_secret_in_uri",
      post("/oauth2/token?auth_req_id=x", {}),
    ],
  });

  it("C13 asks a client that polls too early to slow down, for good", async () => {
    const kit = openKit();
    const { body } = await beginCiba(kit);
    const waits: Array<[seconds: number, error: string]> = [
      [0, "authorization_pending"],
      [4, "slow_down"],
      [9, "slow_down"],
      [15, "authorization_pending"],
    ];
    for (const [seconds, error] of waits) {
      kit.clock.advance(seconds);
      assertEquals((await pollCiba(kit, body.auth_req_id)).body.error, error);
    }
  });

  it("C12 spends an auth_req_id once, and revokes everything when it comes again", async () => {
    const kit = openKit();
    const { body } = await beginCiba(kit);
    await answerCiba(kit);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => pollCiba(kit, body.auth_req_id)),
    );
    const winners = answers.filter(({ status }) => status === 200);
    assertEquals(winners.length, 1);
    assertEquals(await isActive(kit, winners[0]?.body.access_token ?? ""), false);
    assertNotEquals((await pollCiba(kit, body.auth_req_id)).status, 200);
  });
});
