import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { describe } from "node:test";
import { reportChecks } from "../../../../src/lab/features/report/report.ts";
import { isViolation, labelOf } from "../../../../src/lab/findings/finding.ts";
import { readJwt } from "../../../../src/lab/recording/credentials.ts";
import {
  type FaultName,
  hallpass,
  type HallpassOptions,
  LabError,
  type TestLab,
} from "../../../../src/lab/testing/mod.ts";
import { service } from "../../../support/flow_kit.ts";
import { itWith } from "../../../support/it_with.ts";
import { freshTokens, freshUrl, login, refresh } from "../../../support/login.ts";
import { testClient } from "../../../support/test_client.ts";
import { featuresOf, needs, needsSettings } from "../../../support/where_feature.ts";
import {
  askWithNonces,
  pollAfter,
  readMetadataTwice,
  refreshForScope,
  registerNotes,
} from "./observed_clients.ts";

const it = itWith({
  inLab: () => hallpass(),
  inLabWithDrill: { ...needs("drill"), open: () => hallpass() },
  inLabWithFaults: { ...needs("faults"), open: () => hallpass() },
  withFaults: needs("faults"),
});

type Fields = Record<string, string>;

const client = testClient();

function post(lab: TestLab, fields: Fields, headers: Fields = {}) {
  return client.sendForm(lab, "/oauth2/token", fields, headers);
}

const redeemCode = client.redeem;

const useToken = client.userinfo;

/** What a client does to break each rule. */
const breaches: Record<string, (lab: TestLab) => Promise<unknown>> = {
  async "challenge-reused"(lab) {
    await freshTokens(lab);
    await freshTokens(lab);
  },
  async "state-reused"(lab) {
    await lab.authorize(freshUrl(lab, { state: "same" }), { user: "alice" });
    await lab.authorize(freshUrl(lab, { state: "same", code_challenge: "A".repeat(43) }), {
      user: "alice",
    });
  },
  async "nonce-reused"(lab) {
    await lab.authorize(freshUrl(lab, { nonce: "same" }), { user: "alice" });
    await lab.authorize(freshUrl(lab, { nonce: "same", code_challenge: "A".repeat(43) }), {
      user: "alice",
    });
  },
  "plain-challenge": (lab) =>
    lab.authorize(freshUrl(lab, { code_challenge_method: "plain" }), { user: "alice" }),
  "secret-in-uri": (lab) =>
    client.sendForm(
      lab,
      "/oauth2/token?client_id=demo-service&client_secret=demo-service-secret",
      { grant_type: "client_credentials", client_id: undefined },
    ),
  "token-in-uri": (lab) => lab.fetch(`${lab.issuer}/oauth2/userinfo?access_token=abc`),
  "short-verifier": (lab) =>
    post(lab, {
      grant_type: "authorization_code",
      code: "x",
      code_verifier: "short",
      client_id: "demo-spa",
    }),
  "secret-of-public-client": (lab) =>
    post(lab, { grant_type: "client_credentials", client_id: "demo-spa", client_secret: "guess" }),
  async "code-redeemed-twice"(lab) {
    const { code } = await lab.authorize(freshUrl(lab), { user: "alice" });
    await redeemCode(lab, code!);
    await redeemCode(lab, code!);
  },
  async "refresh-retried-after-rotation"(lab) {
    const done = await login(lab, { scope: "openid offline_access" });
    await refresh(lab, done.tokens.refresh_token!);
    await assertRejects(() => refresh(lab, done.tokens.refresh_token!));
  },
  async "parallel-refresh"(lab) {
    const done = await login(lab, { scope: "openid offline_access" });
    await Promise.allSettled([1, 2].map(() => refresh(lab, done.tokens.refresh_token!)));
  },
  async "wrong-audience"(lab) {
    const { access_token } = await lab.mint({
      sub: "alice",
      scope: "openid",
      audience: "https://api.example",
    });
    await useToken(lab, access_token);
  },
  async "keys-fetched-each-time"(lab) {
    for (let time = 0; time < 3; time++) await lab.fetch(`${lab.issuer}/oauth2/jwks`);
  },
  async "retry-after-ignored"(lab) {
    lab.fault("token.too_many_requests", { times: 1 });
    await post(lab, { grant_type: "client_credentials" }, service);
    lab.clock.advance("10s");
    await post(lab, { grant_type: "client_credentials" }, service);
  },
  "slow-down-ignored": (lab) => pollAfter(lab, "1s", "5s"),
  "dpop-nonce-ignored": (lab) => askWithNonces(lab, undefined, undefined, undefined),
  async "wrong-issuer-believed"(lab) {
    lab.fault("callback.wrong_iss");
    await freshTokens(lab);
  },
  async "wrong-state-believed"(lab) {
    lab.fault("callback.wrong_state");
    await freshTokens(lab);
  },
  async "bad-id-token-believed"(lab) {
    lab.fault("id_token.wrong_aud");
    const { access_token } = await freshTokens(lab);
    await useToken(lab, access_token);
  },
  async "challenge-missing"(lab) {
    const old = { client_id: "old", redirect_uri: "https://app.example/cb" };
    const noChallenge = { code_challenge: undefined, code_challenge_method: undefined };
    await client.authorize(lab, { ...old, ...noChallenge });
  },
  async "nonce-instead-of-challenge"(lab) {
    const web = { client_id: "demo-web", nonce: "a-nonce-that-nobody-guesses" };
    const noChallenge = { code_challenge: undefined, code_challenge_method: undefined };
    await client.authorize(lab, { ...web, ...noChallenge });
  },
  async "front-channel-id-token"(lab) {
    const request = { response_type: "id_token", nonce: "n", response_mode: "form_post" };
    await client.authorize(lab, { ...request, scope: "openid" });
  },
  async "flow-ends-at-callback"(lab) {
    await lab.authorize(freshUrl(lab), { user: "alice" });
    lab.clock.advance("5m");
  },
  async "code-not-redeemed"(lab) {
    const { code } = await lab.authorize(freshUrl(lab), { user: "alice" });
    await redeemCode(lab, code!, { code_verifier: "w".repeat(43) });
    lab.clock.advance("5m");
  },
  async "asked-scope-kept"(lab) {
    const done = await login(lab, { scope: "openid offline_access" });
    await client.refresh(lab, done.tokens.refresh_token!, { scope: "openid read" });
  },
  async "token-type-ignored"(lab) {
    lab.fault("token.wrong_token_type");
    await useToken(lab, (await freshTokens(lab)).access_token);
  },
  async "lifetime-ignored"(lab) {
    const { access_token } = await freshTokens(lab);
    lab.clock.advance("2h");
    for (const _ of [1, 2]) await useToken(lab, access_token);
  },
  async "bad-signature-believed"(lab) {
    lab.fault("id_token.alg_none");
    await useToken(lab, (await freshTokens(lab)).access_token);
  },
  async "foreign-metadata-believed"(lab) {
    lab.fault("metadata.wrong_issuer", { times: 1 });
    await lab.fetch(`${lab.issuer}/.well-known/openid-configuration`);
    await lab.authorize(freshUrl(lab), { user: "alice" });
  },
  "issuer-slash": (lab) => lab.fetch(`${lab.issuer}//.well-known/openid-configuration`),
  "nothing-after-metadata": readMetadataTwice,
  "refreshed-for-scope": refreshForScope,
  async "registered-repeatedly"(lab) {
    await Promise.all([1, 2, 3].map(() => registerNotes(lab)));
  },
};

/** The leniencies without which a lab would reject what breaks a rule. */
const leniencies: Record<string, HallpassOptions> = {
  "challenge-missing": { anyClient: true, unknownClientPkce: "optional" },
  "dpop-nonce-ignored": { dpopNonces: true },
  "front-channel-id-token": { responseTypes: ["code", "id_token"] },
};

/** How bad what the clients above do is. All else is a B. */
const grades: Record<string, readonly string[]> = {
  D: ["secret-in-uri", "token-in-uri", "challenge-missing"],
  C: [
    ...["challenge-reused", "nonce-reused", "plain-challenge", "short-verifier"],
    ...["code-redeemed-twice", "refresh-retried-after-rotation", "slow-down-ignored"],
    ...["dpop-nonce-ignored", "bad-id-token-believed", "foreign-metadata-believed"],
  ],
  note: ["wrong-issuer-believed", "bad-signature-believed"],
};

describe("The report card", () => {
  for (const { id } of reportChecks) {
    const { skip } = needsSettings(leniencies[id] ?? {});
    it(`finds ${id}`, skip ? { skip } : needs(...featuresOf(breaches[id])), async () => {
      await using lab = await hallpass(leniencies[id] ?? {});
      const breach = breaches[id];
      assert(breach, "no client breaks this rule");
      await breach(lab).catch((cause) => assert(cause instanceof LabError, String(cause)));
      const found = lab.report().findings.find((finding) => finding.id === id);
      assert(found, `found only: ${lab.report().findings.map((finding) => finding.id).join(", ")}`);
      const [grade = "B"] = Object.keys(grades).filter((each) => grades[each]?.includes(id));
      assertEquals([labelOf(found), found.where.exchanges?.length !== 0], [grade, true]);
      if ("DC".includes(grade)) assertThrows(() => lab.assertClean(), LabError, id);
      else lab.assertClean();
    });
  }

  it("RFC 9700, section 2.1.1: advises PKCE where the lab plays a provider that does without", async () => {
    await using lab = await hallpass({ clientDefaults: { pkce: "optional" } });
    const without = { code_challenge: undefined, code_challenge_method: undefined };
    await client.authorize(lab, { client_id: "demo-web", ...without });
    lab.assertClean();
    await client.authorize(lab, { client_id: "demo-web", ...without, state: undefined });
    const found = lab.report().findings.map(({ id, grade }) => [id, grade]);
    assertEquals(found, [["challenge-missing", "B"], ["challenge-missing", "F"]]);
    assertThrows(() => lab.assertClean(), LabError, "challenge-missing");
  });

  it.inLabWithDrill("finds a client that believes the wrong issuer of a signed response", async (lab) => {
    using fault = lab.fault("callback.wrong_iss");
    const url = freshUrl(lab, { response_mode: "query.jwt" });
    const { parameters } = await lab.authorize(url, { user: "alice" });
    await redeemCode(lab, String(readJwt(parameters.response ?? "")?.claims.code));
    const ids = lab.report().findings.map(({ id }) => id);
    assertEquals([fault.fired, ids], [1, ["wrong-issuer-believed"]]);
  });

  it("is clean for a careful client, through login, refresh and a second login", async () => {
    await using lab = await hallpass();
    for (const state of ["one", "two"]) {
      const done = await login(lab, { scope: "openid offline_access", state });
      const { refresh_token } = await refresh(lab, done.tokens.refresh_token!);
      await refresh(lab, refresh_token!);
    }
    lab.assertClean();
    assertEquals(lab.report().findings, []);
  });

  it.inLabWithFaults("ignores a page that is loaded again, and a retry after a server error", async (lab) => {
    const url = freshUrl(lab);
    const browser = lab.browser();
    await browser.authorize(url, { user: "alice" });
    const { code } = await browser.authorize(url, { user: "alice" });
    lab.fault("token.unavailable", { times: 1 });
    await redeemCode(lab, code!);
    lab.clock.advance("1m");
    await redeemCode(lab, code!);
    assertEquals(lab.report().findings, []);
  });

  it.inLabWithFaults("RFC 9110, section 10.2.3: reads a Retry-After with a date", async (lab) => {
    const until = new Date(lab.clock.now() + 30_000).toUTCString();
    lab.next("token", { status: 429, headers: { "Retry-After": until } });
    await post(lab, { grant_type: "client_credentials" }, service);
    await post(lab, { grant_type: "client_credentials" }, service);
    assertEquals(lab.report().findings.map(({ id }) => id), ["retry-after-ignored"]);
  });

  it.inLab("finds a client that sends the same request for every login", async (lab) => {
    const url = freshUrl(lab);
    for (const _ of [1, 2]) {
      await redeemCode(lab, (await lab.authorize(url, { user: "alice" })).code!);
    }
    assertEquals(lab.report().findings.map(({ id }) => id), [
      "challenge-reused",
      "state-reused",
      "nonce-reused",
    ]);
  });

  it.inLab("finds the client of a token that is in a URI", async (lab) => {
    const { access_token } = await freshTokens(lab);
    await lab.fetch(`${lab.issuer}/oauth2/userinfo?access_token=${access_token}`);
    const { findings, clients } = lab.report();
    assertEquals(findings.map(({ id, where }) => [id, where.client]), [
      ["token-in-uri", "demo-spa"],
    ]);
    assertEquals(clients.map(({ violations }) => violations), [1]);
  });

  it.inLab("finds the client that fetches the keys at each login", async (lab) => {
    for (const _ of [1, 2, 3]) await login(lab);
    assertEquals(lab.report().findings.map(({ id, where }) => [id, where.client]), [
      ["keys-fetched-each-time", "demo-spa"],
    ]);
  });

  it.inLab("does not add up what several clients fetch, each for itself", async (lab) => {
    const fetchKeys = () => lab.fetch(`${lab.issuer}/oauth2/jwks`);
    for (let time = 0; time < 2; time++) {
      await freshTokens(lab);
      await fetchKeys();
      await post(lab, { grant_type: "client_credentials" }, service);
      await fetchKeys();
    }
    assertEquals(lab.report().findings.map(({ id }) => id), ["challenge-reused"]);
  });

  /** What a careful client may do. */
  const careful: Record<string, (lab: TestLab) => Promise<unknown>> = {
    async "pushes a request again after an error, with a new assertion"(lab) {
      lab.fault("par.server_error", { times: 1 });
      const request = Object.fromEntries(new URL(freshUrl(lab)).searchParams);
      for (const client_assertion of ["a.b.c", "d.e.f"]) {
        await client.sendForm(lab, "/oauth2/par", { ...request, client_assertion });
      }
    },
    async "redeems a code again after a response that broke off"(lab) {
      lab.fault("token.malformed_json", { times: 1 });
      const { code } = await lab.authorize(freshUrl(lab), { user: "alice" });
      await redeemCode(lab, code!).catch(() => {});
      await redeemCode(lab, code!);
    },
    async "refreshes again after a timeout"(lab) {
      const done = await login(lab, { scope: "openid offline_access" });
      lab.fault("token.never", { times: 1 });
      const body = new URLSearchParams({
        grant_type: "refresh_token",
        refresh_token: done.tokens.refresh_token!,
        client_id: "demo-spa",
      });
      const abort = new AbortController();
      const waiting = lab.fetch(`${lab.issuer}/oauth2/token`, {
        method: "POST",
        body,
        signal: abort.signal,
      });
      await lab.fetch(`${lab.issuer}/oauth2/jwks`);
      abort.abort();
      await assertRejects(() => waiting);
      assert((await lab.fetch(`${lab.issuer}/oauth2/token`, { method: "POST", body })).ok);
      lab.faults.clear();
      // The lab responds to waiting requests when it closes, and records them only then.
      await lab.close();
    },
    async "fetches the metadata again after it named a different issuer"(lab) {
      lab.fault("metadata.wrong_issuer", { times: 1 });
      await assertRejects(() => login(lab));
      await login(lab);
    },
    async "rejects the tokens of a refresh, and keeps using its old ones"(lab) {
      const done = await login(lab, { scope: "openid offline_access" });
      lab.fault("id_token.wrong_aud", { times: 1 });
      await assertRejects(() => refresh(lab, done.tokens.refresh_token!));
      await useToken(lab, done.tokens.access_token);
    },
    async "does not read access tokens"(lab) {
      lab.fault("access_token.wrong_aud");
      await useToken(lab, (await freshTokens(lab)).access_token);
    },
  };
  for (const [what, act] of Object.entries(careful)) {
    it.inLab(`is clean for a client that ${what}`, needs(...featuresOf(act)), async (lab) => {
      await act(lab);
      assertEquals(lab.report().findings.filter(isViolation), []);
    });
  }

  const inapplicable: Array<[fault: FaultName, what: string, changes: Fields]> = [
    ["callback.without_state", "sends no state", { state: "" }],
    ["callback.wrong_state", "sends no state", { state: "" }],
    ["id_token.without_nonce", "sends no nonce", { nonce: "" }],
    ["id_token.wrong_nonce", "sends no nonce", { nonce: "" }],
  ];
  for (const [fault, what, changes] of inapplicable) {
    it.withFaults(`is clean for a client that ${what} after ${fault}, which does not fire`, async () => {
      await using lab = await hallpass();
      const { id } = lab.fault(fault);
      const { code } = await lab.authorize(freshUrl(lab, changes), { user: "alice" });
      await useToken(lab, (await redeemCode(lab, code!)).body.access_token);
      assertEquals(lab.faults.idle().map((fault) => fault.id), [id]);
      assertEquals([lab.report().clean, lab.flows().map(({ uses }) => uses)], [true, [1]]);
      lab.faults.clear();
    });
  }

  it.inLab("holds no secrets", async (lab) => {
    await breaches["code-redeemed-twice"]?.(lab);
    const [request] = lab.requests({ path: "/oauth2/token", secrets: true });
    const code = request?.parameters.code;
    assert(code);
    assert(!JSON.stringify(lab.report()).includes(code));
  });

  it("states each rule and what to do in a sentence, with the section", () => {
    for (const { title, fix, see } of reportChecks) {
      for (const sentence of [title, fix]) assertMatch(sentence, /^[A-Z].*\.$/);
      assertMatch(see, /^(OAuth 2\.1|OpenID Connect Core|RFC \d+), section [\d.]+$/);
    }
  });
});

describe("A fault that does not exist", () => {
  it.inLab("is met with the one that it was meant to be", needs("faults"), async (lab) => {
    const misspelled = "token.servererror" as FaultName;
    assertThrows(() => lab.fault(misspelled), LabError, "Did you mean 'token.server_error'?");
  });

  it.inLabWithFaults("lists ten faults for an unknown name, those that begin like it first, and where all are", async (lab) => {
    const unknown = "id_token.zzzzzzzzzzzzzzzzz" as FaultName;
    const { message } = assertThrows(() => lab.fault(unknown), LabError);
    assertMatch(
      message,
      /Choose one of [23]\d\d, such as (id_token\.\w+, ){9}id_token\.\w+\. The page/,
    );
  });
});
