import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe } from "node:test";
import { createHeadlessBrowser } from "../../src/lab/browser/headless_browser.ts";
import { openLab } from "../../src/lab/open_lab.ts";
import { hallpass, LabError, type SignInDetails, type TestLab } from "../../src/lab/testing/mod.ts";
import { ConfigError, createServer } from "../../src/server/mod.ts";
import { claimsOf, service } from "../support/flow_kit.ts";
import { itWith } from "../support/it_with.ts";
import { callLab } from "../support/lab_call.ts";
import { type Fields, testClient } from "../support/test_client.ts";
import { needs } from "../support/where_feature.ts";

const it = itWith({
  inLab: openFrozen,
  withIntrospection: needs("introspection"),
  inLabWithBackChannelLogout: { ...needs("back-channel logout"), open: openFrozen },
});

const client = testClient({ scope: "openid read" });
const twoFactor = "urn:hallpass:two-factor";
const password = "urn:hallpass:password";
const hour = 3600;

/** How a user signs in, at each place where a test can choose it. */
const places: ReadonlyArray<[string, (lab: TestLab, details: SignInDetails) => SignIn]> = [
  ["lab.signIn", (lab, details) => {
    lab.signIn("alice", details);
    return (changes) => client.tokens(lab, changes, {});
  }],
  ["POST /lab/sign-in", (lab, details) => async (changes) => {
    await callLab(lab, "POST /sign-in", { user: "alice", ...details });
    return await client.tokens(lab, changes, {});
  }],
  [
    "the page",
    (lab, details) => (changes) => client.tokens(lab, changes, { user: "alice", ...details }),
  ],
  [
    "the page, with a password",
    (lab, details) => (changes) =>
      client.tokens(lab, changes, { user: "alice", password: "alice", ...details }),
  ],
];

type SignIn = (changes?: Fields) => ReturnType<typeof client.tokens>;

async function openFrozen() {
  const lab = await hallpass();
  lab.clock.freeze();
  return lab;
}

/** Returns how old the sign-in of an ID token is, in seconds. */
function ageOf(lab: TestLab, idToken: string | undefined): number {
  return Math.floor(lab.clock.now() / 1000) - Number(claimsOf(idToken ?? "").auth_time);
}

describe("What a test chooses of a sign-in", () => {
  for (const [place, signInAt] of places) {
    for (const where of ["lab", "tenant"]) {
      it.withIntrospection(`O04: is in the tokens and in introspection, by ${place} of a ${where}`, async () => {
        await using around = await openFrozen();
        const lab = where === "lab" ? around : await around.tenant();
        const details = { acr: twoFactor, amr: ["pwd", "otp"], authTime: "-1h" };
        const { id_token, access_token } = await signInAt(lab, details)();
        const { acr, amr } = claimsOf(id_token);
        assertEquals([acr, amr], [twoFactor, details.amr]);
        const age = ageOf(lab, id_token);
        assert(Math.abs(age - hour) <= 1 || where === "tenant");
        const { body } = await client.introspect(lab, access_token, {}, service);
        assertEquals([body.acr, body.auth_time], [twoFactor, claimsOf(id_token).auth_time]);
      });
    }

    it.inLab(`O02: gives way to a new sign-in if it is too long ago, by ${place}`, async (lab) => {
      const signIn = signInAt(lab, { authTime: "-1h" });
      assertEquals(ageOf(lab, (await signIn({ max_age: "7200" })).id_token), hour);
      for (const max_age of ["600", "0"]) {
        assertEquals(ageOf(lab, (await signIn({ max_age })).id_token), 0);
      }
      assertEquals(ageOf(lab, (await signIn()).id_token), hour);
    });

    it.inLab(`O02: can be too weak for a request, by ${place}`, async (lab) => {
      const signIn = signInAt(lab, { acr: password });
      const { acr, amr } = claimsOf((await signIn({ acr_values: twoFactor })).id_token);
      assertEquals([acr, amr], [password, ["pwd"]]);
      const claims = JSON.stringify({ id_token: { acr: { essential: true, value: twoFactor } } });
      await assertRejects(() => signIn({ claims }), Error, "unmet_authentication_requirements");
    });

    it.inLab(`O02: satisfies a weaker request, by ${place}`, async (lab) => {
      const signIn = signInAt(lab, { acr: twoFactor });
      const { acr, amr } = claimsOf((await signIn({ acr_values: password })).id_token);
      assertEquals([acr, amr], [password, ["pwd", "mfa"]]);
    });
  }

  it.inLab("O03: is no sign-in of now for prompt=none, but for prompt=login", async (lab) => {
    lab.signIn("alice", { authTime: "-1h" });
    const silent = { prompt: "none", max_age: "600" };
    assertEquals((await client.authorize(lab, silent, {})).error, "login_required");
    assertEquals(ageOf(lab, (await client.tokens(lab, { prompt: "none" }, {})).id_token), hour);
    const { id_token } = await client.tokens(lab, { prompt: "login" }, {});
    assertEquals(ageOf(lab, id_token), 0);
    assertEquals(ageOf(lab, (await client.tokens(lab, silent, {})).id_token), 0);
  });

  it.inLabWithBackChannelLogout("replaces the session of a user who signed in otherwise, and keeps its sid", async (lab) => {
    const logout = { id: "demo-spa", backchannelLogoutUri: "https://app.example/logout" };
    lab.clients.put({ ...lab.clients.get("demo-spa"), ...logout });
    const signIn = async (details: SignInDetails) => {
      lab.signIn("alice", details);
      return claimsOf((await client.tokens(lab, {}, {})).id_token);
    };
    const first = await signIn({});
    assertEquals(first.acr, password);
    const second = await signIn({ amr: ["hwk"], acr: twoFactor });
    assertEquals([second.acr, second.amr, second.sid], [twoFactor, ["hwk"], first.sid]);
    lab.clock.advance("10m");
    assertEquals((await signIn({ acr: twoFactor })).auth_time, second.auth_time);
    const other = await signIn({ authTime: new Date(lab.clock.now() - 5000).toISOString() });
    assertEquals(other.auth_time, Number(second.auth_time) + 595);
  });

  it.inLab("is over with the number of times, and with a reset", async (lab) => {
    lab.signIn("alice", { acr: twoFactor, times: 1 });
    assertEquals((await callLab(lab, "GET /sign-in")).json, { user: "alice", acr: twoFactor });
    await client.tokens(lab, {}, {});
    assertEquals((await callLab(lab, "GET /sign-in")).json, { user: null });
    lab.signIn("alice", { authTime: "-1h" });
    await lab.reset();
    assertEquals((await callLab(lab, "GET /sign-in")).json, { user: null });
  });

  const refused: ReadonlyArray<[object, string]> = [
    [{ acr: "urn:unknown" }, "There is no acr 'urn:unknown'. Choose one of: urn:hallpass:password"],
    [{ acr: "urn:x:gold" }, "To use another one, add it to the lab's setting 'acrValues'."],
    [{ acr: 1 }, "There is no acr '1'"],
    [{ amr: [] }, "The 'amr' must be a list of 1 to 10 names"],
    [{ amr: "pwd" }, "The 'amr' must be a list"],
    [{ amr: ["pwd otp"] }, "names without spaces"],
    [{ amr: Array(11).fill("otp") }, "1 to 10 names"],
    [{ amr: ["o".repeat(65)] }, "The 'amr'"],
    [{ authTime: "1h" }, "'1h' is not a valid 'authTime'"],
    [{ authTime: "1 hour ago" }, `Use text: "-1h" for an hour ago, or 2030-01-01T00:00:00Z.`],
    [{ authTime: "-soon" }, "'-soon' is not a valid duration"],
    [{ authTime: "2999-01-01" }, "must not be later than the time of the lab"],
    [{ authTime: "-30000d" }, "or before 1970"],
    [{ authTime: 1_700_000_000 }, `'1700000000' is not a valid 'authTime'. Use text: "-1h"`],
  ];

  for (const [details, message] of refused) {
    it.inLab(`is refused: ${JSON.stringify(details).slice(0, 60)}`, async (lab) => {
      assertThrows(() => lab.signIn("alice", details), LabError, message);
      const url = client.authorizationUrl(lab);
      await assertRejects(() => lab.authorize(url, { user: "alice", ...details }), LabError);
      const { status } = await callLab(lab, "POST /sign-in", { user: "alice", ...details });
      assertEquals(status, 400);
      assertEquals((await callLab(lab, "GET /sign-in")).json, { user: null });
    });
  }

  it("is refused with a page if the form of the sign-in page is malformed", async () => {
    await using lab = openLab({ issuer: "https://hallpass.test" });
    const { settings: { addresses, paths }, now } = lab.context;
    const waitUntil = () => Promise.resolve();
    const browser = createHeadlessBrowser({ fetch: lab.fetch, addresses, paths, now, waitUntil });
    const url = client.authorizationUrl(lab);
    const actions = { user: "alice", authTime: "tomorrow" };
    await assertRejects(() => browser.authorize(url, actions), LabError, "not a valid 'authTime'");
  });

  for (const name of ["acr", "amr", "authTime", "signIn"]) {
    it(`is refused by a server that is for no test, by name: ${name}`, () => {
      const config = { issuer: "https://op.example", [name]: "alice" };
      const { message } = assertThrows(() => createServer(config), ConfigError);
      assert(message.includes(`${name} is for tests only: `), message);
    });
  }
});
