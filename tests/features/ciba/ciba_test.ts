import { assert, assertEquals, assertMatch } from "@std/assert";
import type { JWTPayload } from "jose";
import { describe } from "node:test";
import { demoPublicKey } from "../../../src/lab/demo/demo_keys.ts";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import {
  agent,
  answerCiba,
  beginCiba,
  beginFapi,
  beginSigned,
  cibaGrant,
  fapiAgent,
  fapiFields,
  openRequest,
  otherAgent,
  otherHeaders,
  pingToken,
  receivePings,
  signCiba,
  withPings,
} from "../../support/ciba.ts";
import { assertionType } from "../../support/client_key.ts";
import { problemsOf } from "../../support/config_problems.ts";
import { makeProof, proofKey } from "../../support/dpop.ts";
import { itWith } from "../../support/it_with.ts";
import {
  basic,
  claimsOf,
  type Fields,
  type Kit,
  openKit,
  openStrictKit,
  type RequestHeaders,
} from "../../support/kit.ts";
import { itRefuses } from "../../support/refusals.ts";
import {
  interruptEachCall,
  type InterruptibleStore,
  interruptibleStore,
  lost,
} from "../../support/stores.ts";
import { needs } from "../../support/where_feature.ts";
import { itServesFromMany } from "./many_servers.ts";
import { refusedByProfile, refusedObjects, refusedRequests } from "./rule_rows.ts";

const it = itWith({ inKit: openKit, withPar: needs("pushed authorization requests") });
const secret = "0123456789-0123456789-0123456789";

/** A lab with a second client that asks users. */
function openWithOther(changes: Partial<LabConfig> = {}): Kit {
  return openKit({ clients: [agent(), otherAgent], ...changes });
}

/** Sends a request, and returns the status of the response. */
async function ask(kit: Kit, fields?: Fields, headers?: RequestHeaders): Promise<number> {
  return (await beginCiba(kit, fields, headers)).status;
}

function ownSubject(iss: string): Fields {
  return { login_hint: JSON.stringify({ format: "iss_sub", iss, sub: "alice" }) };
}

describe("The backchannel authentication endpoint (CIBA, section 7)", () => {
  it.inKit("C10 gives a client an auth_req_id with 256 random bits, its lifetime and the interval", async (kit) => {
    const { status, headers, body } = await beginCiba(kit);
    assertEquals([status, headers.get("Cache-Control")], [200, "no-store"]);
    assertMatch(body.auth_req_id, /^[\w-]{43}$/);
    assertEquals([body.expires_in, body.interval], [300, 5]);
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

  const long: Partial<LabConfig> = { lifetimes: { backchannelRequest: "1h" } };
  const clients = [agent({ backchannelUserCode: true })];
  const withCodes: Partial<LabConfig> = { userCodes: { alice: "1234" }, clients };
  const requests: Record<string, [Fields, settings?: Partial<LabConfig>, expiresIn?: number]> = {
    "C02 the name of a user": [{}],
    "C02 an e-mail address": [{ login_hint: "alice@example.com" }],
    "C02 a phone number": [{ login_hint: "+41 44 000 00 01" }],
    "C02 a subject of this issuer, as JSON": [ownSubject("https://hallpass.test")],
    "C02 the same with a slash, as Auth0's SDKs add one": [ownSubject("https://hallpass.test/")],
    "C04 a wish for less time": [{ requested_expiry: "60" }, {}, 60],
    "C04 a wish for more time, which it does not give": [{ requested_expiry: "900" }],
    "C04 a wish for less than an hour": [{ requested_expiry: "900" }, long, 900],
    "C04 a wish for ever": [{ requested_expiry: "9".repeat(400) }],
    "C05 a binding_message in any script": [{ binding_message: "Zahlung 12,50 € – تأكيد" }],
    "C06 a user code": [{ user_code: "1234" }, withCodes],
    "C06 a user code that a function takes": [{ user_code: "alice!" }, {
      clients,
      userCodes: ({ name }, code) => code === `${name}!`,
    }],
    "C06 any user code, where the client registered for none": [{ user_code: "x" }],
  };
  for (const [what, [fields, settings, expiresIn = 300]] of Object.entries(requests)) {
    it(`takes ${what}`, async () => {
      const { begun, answer, poll } = await openRequest(openKit(settings), fields);
      assertEquals(begun.expires_in, expiresIn);
      await answer();
      assertEquals(claimsOf((await poll()).body.id_token).sub, "alice");
    });
  }

  itRefuses(refusedRequests);

  it("C02 finds the user by an ID token of the same client, pairwise subjects included", async () => {
    const users = [{ name: "alice", sub: "u-1", password: "alice" }];
    for (const subjectType of ["public", "pairwise"] as const) {
      const kit = openKit({ users, clients: [agent({ subjectType })] });
      const { answer, poll } = await openRequest(kit);
      await answer();
      const { id_token } = (await poll()).body;
      assertEquals(claimsOf(id_token).sub === "u-1", subjectType === "public");
      const again = await beginCiba(kit, { login_hint: undefined, id_token_hint: id_token });
      assertEquals(again.status, 200);
    }
  });

  it("C02 lets no client try out who is a user", async () => {
    const kit = openWithOther({ guessesPerMinute: 1 });
    const statuses: number[] = [];
    for (let n = 0; n < 21; n++) {
      statuses.push(await ask(kit, { login_hint: `user${n}@a.example` }));
    }
    assertEquals(statuses.indexOf(429), 20);
    assertEquals([await ask(kit), await ask(kit, {}, otherHeaders)], [429, 200]);
    kit.clock.advance(60);
    assertEquals(await ask(kit, { login_hint: "bob" }), 200);
  });

  it("C06 lets nobody guess the code of a user", async () => {
    const kit = openKit({ ...withCodes, guessesPerMinute: 3 });
    kit.address = "203.0.113.1";
    const statuses: number[] = [];
    for (const user_code of ["0", "1", "2", "3", "4", "1234"]) {
      statuses.push(await ask(kit, { user_code }));
    }
    assertEquals(statuses, [400, 400, 400, 429, 429, 429]);
  });

  it("C04 ends a request when the client said so: for the client, the user and the next request", async () => {
    const { kit, review, pollError } = await openRequest(openKit(), { requested_expiry: "20" });
    const browser = kit.browser();
    const page = await review(browser);
    kit.clock.advance(20);
    assertEquals(await pollError(), "expired_token");
    assertMatch((await browser.decide(page)).html, /request has expired/);
    assertEquals((await beginCiba(kit)).status, 200);
  });
});

describe("Signed backchannel requests (CIBA, section 7.1.1)", () => {
  it("C14 have their parameters inside, requested_expiry as a number or a string", async () => {
    for (const requested_expiry of [60, "60"]) {
      const { status, body } = await beginSigned(openKit(), { requested_expiry });
      assertEquals([status, body.expires_in], [200, 60]);
    }
  });

  itRefuses(refusedObjects);

  it("C15 are no client assertions", async () => {
    const kit = openKit({ clients: [fapiAgent] });
    const asserts = async (changes: JWTPayload) =>
      (await beginCiba(kit, {
        client_assertion_type: assertionType,
        client_assertion: await signCiba(kit, changes),
      }, {})).body;
    // Without `sub` it is no assertion; with it, it is none of these requests.
    assertEquals((await asserts({ sub: "demo-agent" })).error, undefined);
    assertEquals((await asserts({})).error, "invalid_client");
    assertEquals((await beginFapi(kit, { sub: "demo-agent" })).body.error, "invalid_request");
  });
});

describe("The profile fapi-2.0 (FAPI-CIBA, section 5.2.2)", () => {
  const settings: Partial<LabConfig> = { profile: "fapi-2.0", clients: [fapiAgent] };

  it.withPar("C20 C21 C22 takes a signed request with a binding_message, of a client with a key, and binds its tokens", async () => {
    const kit = openKit({ ...settings, acrValues: ["one"] });
    const { auth_req_id } = (await beginFapi(kit, { acr_values: "one" })).body;
    await answerCiba(kit);
    const DPoP = await makeProof(await proofKey(), "POST", `${kit.issuer}/oauth2/token`);
    const fields = { grant_type: cibaGrant, auth_req_id, ...await fapiFields(kit) };
    const { body } = await kit.token(fields, { DPoP });
    assertEquals([body.token_type, claimsOf(body.id_token).acr], ["DPoP", "one"]);
  });

  it.withPar("C21 takes authorization details instead of a binding_message: they tell requests apart", async () => {
    const authorizationDetails = { pay: { meaning: "Pay", members: {} } };
    const { status } = await beginFapi(openKit({ ...settings, authorizationDetails }), {
      binding_message: undefined,
      authorization_details: [{ type: "pay" }],
    });
    assertEquals(status, 200);
  });

  itRefuses(refusedByProfile);
});

describe("How often a user is asked (CIBA, section 14)", () => {
  it("C18 leaves room for other clients, however often one asks again", async () => {
    for (const again of ["after the user denied it", "after it expired"]) {
      const kit = openWithOther({ backchannelRequestsPerMinute: 10 });
      const statuses: number[] = [];
      for (let count = 0; count < 12; count++) {
        statuses.push(await ask(kit, { requested_expiry: "1" }));
        if (again === "after it expired") kit.clock.advance(1);
        else if (statuses.at(-1) === 200) await answerCiba(kit, { decision: "deny" });
      }
      assertEquals(statuses.filter((status) => status === 200).length, 4, again);
      assertEquals([statuses.at(-1), await ask(kit, {}, otherHeaders)], [429, 200]);
    }
  });

  it("C18 limits what a user gets in a minute from all clients", async () => {
    const kit = openWithOther({ backchannelRequestsPerMinute: 1 });
    const askAsOther = (fields?: Fields) => ask(kit, fields, otherHeaders);
    const statuses = [await ask(kit), await askAsOther(), await askAsOther({ login_hint: "bob" })];
    kit.clock.advance(60);
    assertEquals([...statuses, await askAsOther()], [200, 429, 200, 200]);
  });

  it("C18 counts apart what a client asks another user, whatever they are called", async () => {
    const config = {
      store: memoryStore(),
      grantTypes: [cibaGrant],
      clients: ["a", "b"].map((id) => agent({ id, secret, grantTypes: [cibaGrant] })),
      users: [{ name: "alice", password: "x" }, { name: "bob", sub: "alice/a", password: "x" }],
      backchannelRequestsPerMinute: 1,
    };
    for (const [id, login_hint] of [["a", "alice"], ["b", "bob"]] as const) {
      const fields = { scope: "openid", login_hint };
      assertEquals(await ask(openStrictKit(config), fields, basic(id, secret)), 200, login_hint);
    }
  });
});

describe("Two servers on a store in memory", () => {
  const store = memoryStore();
  itServesFromMany(() => ({ ...store, close: () => Promise.resolve() }));
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
      const { fetch } = receivePings();
      const open = () => openKit({ store, fetch, clients: [agent(withPings)] });
      const calls = await interruptEachCall({
        async open(opened) {
          store = opened;
          const kit = open();
          await kit.server.ready();
          return { kit, statuses: [] as number[] };
        },
        act: async ({ kit, statuses }) => statuses.push(await ask(kit, pingToken)),
        interruption: () => interrupt(store),
        async check({ kit, statuses: [first] }, call) {
          store.fail(false);
          const [expected, again] = first === 200 ? [200, 200] : [503, 200];
          assertEquals([first, await ask(open(), pingToken)], [expected, again], `call ${call}`);
          await kit.server.close();
        },
      });
      assert(calls > 10, `${calls} calls`);
    });
  }
});

describe("The configuration of a client that asks users", () => {
  const asking = { id: "a", secret, grantTypes: [cibaGrant] };
  const byKey = { ...asking, secret: undefined, jwks: { keys: [demoPublicKey] } };
  const wrong: Record<string, [client: object, problem: string, config?: object]> = {
    "C16 pings without an endpoint": [
      { ...asking, backchannelDeliveryMode: "ping" },
      "backchannelNotificationEndpoint is missing, but the client waits for pings",
    ],
    "C16 pings over http": [
      { ...asking, ...withPings, backchannelNotificationEndpoint: "http://agent.example/ping" },
      "backchannelNotificationEndpoint uses http with the host 'agent.example', which is not " +
      "loopback",
    ],
    "C06 user codes, which the server does not have": [
      { ...asking, backchannelUserCode: true },
      "backchannelUserCode needs userCodes, which this server does not have",
    ],
    "C22 no secret": [
      { ...asking, secret: undefined },
      "secret is missing, but the client may use the CIBA grant",
    ],
    "C22 a secret under the profile": [asking, "secret must be left out", { profile: "fapi-2.0" }],
    "C22 push": [
      { ...byKey, backchannelDeliveryMode: "push" },
      "backchannelDeliveryMode must be one of: poll, ping",
    ],
    "C15 an algorithm without a key": [
      { ...asking, backchannelRequestAlg: "ES256" },
      "jwks is missing, but the client signs its requests; set jwks or jwksUri",
    ],
    "C15 an algorithm with a shared key": [
      { ...byKey, backchannelRequestAlg: "HS256" },
      "backchannelRequestAlg must be one of: ",
    ],
  };
  for (const [what, [client, problem, config]] of Object.entries(wrong)) {
    it(`is refused with ${what}`, () => {
      const base = { issuer: "https://id.example", grantTypes: [cibaGrant] };
      const problems = problemsOf({ ...base, clients: [client], ...config });
      const others = problems.filter((each) => !each.startsWith(`clients[0].${problem}`));
      assertEquals(problems.length - others.length, 1, problems.join());
      if (!config) assertEquals(others, []);
    });
  }
});
