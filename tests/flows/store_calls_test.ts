import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { forever } from "../../src/server/issuer/records/table.ts";
import { agent, beginCiba, cibaGrant } from "../support/ciba.ts";
import { basic } from "../support/flow_kit.ts";
import { openKit, openStrictKit } from "../support/kit.ts";
import { present } from "../support/present.ts";
import { countedStore } from "../support/stores.ts";
import { hasFeature, needs } from "../support/where_feature.ts";

type Operation =
  | "authorization"
  | "code"
  | "refresh"
  | "first introspection"
  | "introspection"
  | "userinfo"
  | "client credentials"
  | "revocation of an access token"
  | "revocation of a refresh token";

/** The calls of each wait of an operation. */
type Waits = Partial<Record<Operation, readonly string[]>>;

const state = "get authorization, get ended-session";
const stateOfToken = `${state} and get revoked-token`;
const ofKnownToken = `get access-token and ${stateOfToken}`;

/** What the formats of access tokens share. */
const ofEither: Waits = {
  authorization: [
    "get session",
    "get ended-session, list consent",
    // This user was at this client before, in this session. At last, the consent: it may have
    // been withdrawn meanwhile.
    "put authorization, put code, get user-authorization, get session-client, list consent",
  ],
  "revocation of a refresh token": [
    ...["get access-token", "get refresh-token", state],
    "delete authorization",
  ],
};

const expected: Readonly<Record<"opaque" | "jwt", Waits>> = {
  opaque: {
    ...ofEither,
    code: [
      "get code",
      state,
      // The use comes last: if something fails before it, the client can try again.
      "add refresh-token, put access-token, consume code",
    ],
    refresh: [
      "get refresh-token",
      state,
      "add refresh-token, put access-token, consume refresh-token",
    ],
    "first introspection": ["get access-token", stateOfToken],
    introspection: [ofKnownToken],
    userinfo: [ofKnownToken],
    "client credentials": ["put access-token"],
    "revocation of an access token": [ofKnownToken, "put revoked-token"],
  },
  jwt: {
    ...ofEither,
    code: ["get code", state, "add refresh-token, consume code"],
    refresh: ["get refresh-token", state, "add refresh-token, consume refresh-token"],
    "first introspection": ["get authorization and get revoked-token", "get ended-session"],
    introspection: [stateOfToken],
    userinfo: [stateOfToken],
    "client credentials": [],
    "revocation of an access token": [stateOfToken, "put revoked-token"],
  },
};

/** How often the operations wait for a store that makes one call at a time: as often as before. */
const mostWithoutBatches: Readonly<Partial<Record<Operation, number>>> = {
  authorization: 4,
  code: 4,
  refresh: 4,
  "first introspection": 2,
  introspection: 1,
  userinfo: 1,
  "client credentials": 1,
  "revocation of an access token": 2,
  "revocation of a refresh token": 4,
};

const secret = "a-secret-of-32-characters-at-least";
const app = basic("app", secret);
const asApp = { client_id: undefined };

/** Returns the waits of each operation. */
async function waitsFor(format: "opaque" | "jwt", batches: boolean): Promise<Waits> {
  const store = countedStore({ batches });
  const client = { secret, accessTokenFormat: format, scopes: ["openid", "profile"] };
  const kit = openStrictKit({
    store,
    scopes: { openid: "Know who you are", profile: "Know your name", read: "Read your things" },
    clients: [
      {
        ...{ ...client, id: "app", redirectUris: ["https://hallpass.test/authorized"] },
        ...hasFeature("introspection") && { introspect: "any" },
      },
      { ...client, id: "service", scopes: ["read"], grantTypes: ["client_credentials"] },
    ],
  });
  const waits: Waits = {};
  async function note<T>(operation: Operation, act: () => Promise<T>): Promise<T> {
    await kit.server.context.background.idle();
    store.waits.length = 0;
    const result = await act();
    waits[operation] = [...store.waits];
    return result;
  }
  const browser = kit.browser();
  const url = kit.authorizationUrl({ client_id: "app", scope: "openid profile" });
  // Signs in, allows, makes the keys, and reads what is read once a minute.
  await browser.authorize(url);
  await kit.server.ready();
  // Notes that the client refreshes, which a process does once a day.
  const firstCode = await kit.code({ client_id: "app", scope: "openid profile" });
  const issued = (await kit.redeem(firstCode, asApp, app)).body;
  await kit.refresh(present(issued.refresh_token), asApp, app);
  const { headers } = await note("authorization", () => browser.request(url));
  const code = new URL(present(headers.get("Location"))).searchParams.get("code");
  const first = await note("code", () => kit.redeem(present(code), asApp, app));
  const old = present(first.body.refresh_token);
  const { body } = await note("refresh", () => kit.refresh(old, asApp, app));
  const [access, refresh] = [present(body.access_token), present(body.refresh_token)];
  if (hasFeature("introspection")) {
    await note("first introspection", () => kit.introspect(access, {}, app));
    await note("introspection", () => kit.introspect(access, {}, app));
  }
  await kit.userinfo(access);
  assertEquals((await note("userinfo", () => kit.userinfo(access))).status, 200);
  const ownToken = { grant_type: "client_credentials", ...asApp };
  const own = await note("client credentials", () => kit.token(ownToken, basic("service", secret)));
  assertEquals(own.status, 200);
  if (hasFeature("revocation")) {
    await note("revocation of an access token", () => kit.revoke(access, asApp, app));
    await note("revocation of a refresh token", () => kit.revoke(refresh, asApp, app));
  }
  return waits;
}

/** A subject of the issuer, as a client names it. */
const ownSubject = (sub: string) =>
  JSON.stringify({ format: "iss_sub", iss: "https://hallpass.test", sub });

const ofGuesses = "list guess-count";
const ofName = [ofGuesses, "get user"];
const ofValue = [...ofName, "list user-claim"];

/** What the hint of a backchannel request costs, until it names its user or nobody. */
const hints: Readonly<Record<string, readonly [hint: string, waits: readonly string[]]>> = {
  "a name": ["user7", ofName],
  "an address": ["user7@example.org", [...ofValue, "get user"]],
  "an address in other letters": ["User7@Example.org", [...ofValue, "get user"]],
  "a number": ["+41 44 000 00 07", [...ofValue, "get user"]],
  "a subject": [ownSubject("u-7"), [...ofValue, "get user"]],
  "an address of two users": ["team@example.org", [
    ...ofValue,
    "get user and get user",
    "put guess-count",
  ]],
  "the address of no user": ["nobody@example.org", [...ofValue, "put guess-count"]],
  "a subject of no user": [ownSubject("nobody"), [...ofValue, "put guess-count"]],
  "no user": ["nobody", [...ofValue, "put guess-count"]],
};

/** Returns what a hint costs a server with users in its store. */
async function waitsForHint(login_hint: string, users: number): Promise<string[]> {
  const store = countedStore({ batches: true });
  const grantTypes = ["authorization_code", "refresh_token", cibaGrant];
  const kit = openStrictKit({ store, users: [], grantTypes, clients: [agent()] });
  const { records } = kit.server.context;
  for (let at = 0; at < users; at++) {
    const name = `user${at}`;
    const email = at < 2 ? "team@example.org" : `${name}@example.org`;
    const claims = { email, phone_number: `+41440000${String(at).padStart(3, "0")}` };
    await records.users.put(name, { name, subject: `u-${at}`, claims, disabled: false }, forever);
  }
  await kit.server.ready();
  store.waits.length = 0;
  const { status } = await beginCiba(kit, { login_hint, scope: "openid" });
  const end = store.waits.findIndex((wait) => wait.includes("backchannel"));
  return status === 200 ? store.waits.slice(0, end) : store.waits;
}

describe("A request waits for the store no more often than this:", () => {
  for (const format of ["opaque", "jwt"] as const) {
    it(`with access tokens of the format '${format}'`, async () => {
      const waits = await waitsFor(format, true);
      const known = Object.entries(expected[format]).filter(([operation]) => operation in waits);
      assertEquals(waits, Object.fromEntries(known));
    });

    it(`with access tokens of the format '${format}', and a store without batches`, async () => {
      for (const [operation, { length }] of Object.entries(await waitsFor(format, false))) {
        const most = mostWithoutBatches[operation as Operation] ?? 0;
        assert(length <= most, `${operation}: ${length} waits, at most ${most} are allowed.`);
      }
    });
  }

  for (const [what, [hint, expected]] of Object.entries(hints)) {
    it(
      `a backchannel request whose hint is ${what}, for 20 users or 300`,
      needs("ciba"),
      async () => {
        assertEquals(await waitsForHint(hint, 20), expected);
        assertEquals(await waitsForHint(hint, 300), expected);
      },
    );
  }

  it("a probe that asks whether the process lives: never", async () => {
    const store = countedStore({ batches: true });
    assertEquals((await openKit({ store }).get("/health")).status, 200);
    assertEquals(store.waits, []);
  });
});
