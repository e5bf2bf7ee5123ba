import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { describe, it } from "node:test";
import { drillVariants } from "../../../../src/lab/features/drill/variants/variants.ts";
import {
  type FaultName,
  hallpass,
  LabError,
  type TestLab,
} from "../../../../src/lab/testing/mod.ts";
import { allRoundLab, carelessLogin } from "../../../support/all_round_client.ts";
import { openHurriedLab } from "../../../support/hurried_lab.ts";

/** What needs DPoP, max_age, a secret, two requests at once, or a client that registers itself. */
const otherClients = [
  ...["token.bearer_for_dpop", "id_token.old_auth_time", "id_token.hs256_with_secret"],
  ...["token.held", "register.forgotten", "refresh.held"],
];

/** What no client can accept: without a code or tokens, there is nothing to go on with. */
const impossible: readonly string[] = [
  "callback.denied",
  "callback.foreign_code",
  "token.malformed_json",
  "refresh.invalid_grant",
];

function faultsOf(expectation: string): FaultName[] {
  return drillVariants.filter((each) => each.expectation === expectation).map(({ fault }) => fault);
}

describe("The catalogue of the drill", () => {
  it("gives the reason if a fault is asked for that it does not try", async () => {
    await using lab = await hallpass();
    await assertRejects(
      () => lab.drill(async () => {}, ["access_token.expired"]),
      LabError,
      "A drill does not try 'access_token.expired'. An access token is opaque",
    );
  });
});
describe("A client that uses everything and checks nothing", () => {
  it("accepts every hostile variant, so that each one can be seen", async () => {
    await using lab = await openHurriedLab(allRoundLab);
    const { outcomes, accepted, refused, wronglyRefused, unmet } = await lab.drill(() =>
      carelessLogin(lab)
    );
    const became = (name: string) =>
      outcomes.filter(({ outcome }) => outcome === name).map(({ fault }) => fault);
    const can = (fault: string) => ![...impossible, ...otherClients].includes(fault);
    assertEquals(became("accepted"), faultsOf("refuse").filter(can));
    assertEquals([refused, wronglyRefused, unmet], [[...impossible], [], otherClients]);
    assertEquals(
      new Set(became("tolerated")),
      new Set([...faultsOf("accept"), ...faultsOf("either")].filter(can)),
    );
    // It reads no ID token, and PKCE ties its codes: that could only be better.
    const idTokens = accepted.filter(({ fault }) => fault.startsWith("id_token."));
    assertEquals(idTokens, []);
  });

  it("refuses logout tokens if its application responds with an error to no others", async () => {
    let isRefused = (_token: string) => true;
    await using lab = await hallpass({
      ...allRoundLab,
      fetch: async (_url, { body = "" }) =>
        new Response(null, { status: isRefused(body) ? 400 : 200 }),
    });
    const only: FaultName[] = ["logout_token.alg_none", "logout_token.without_jti"];
    const drill = () => lab.drill(() => carelessLogin(lab), only);
    assertEquals((await drill()).unmet, only);
    isRefused = (body) => {
      const token = new URLSearchParams(body).get("logout_token") ?? "";
      return decodeProtectedHeader(token).alg === "none" || decodeJwt(token).jti === undefined;
    };
    assertEquals((await drill()).refused, only);
  });

  it("does not meet them if its application cannot be reached", async () => {
    await using lab = await hallpass({
      ...allRoundLab,
      fetch: () => Promise.reject(new TypeError("unreachable")),
    });
    const only: FaultName[] = ["logout_token.alg_none"];
    assertEquals((await lab.drill(() => carelessLogin(lab), only)).unmet, only);
  });

  it("is sent logout tokens even if it never signs out itself", async () => {
    const tokens: string[] = [];
    await using lab = await hallpass({
      ...allRoundLab,
      async fetch(_url, { body = "" }) {
        tokens.push(body);
        return new Response();
      },
    });
    const login = async () => await withoutSignOut(lab);
    const { accepted } = await lab.drill(login, ["logout_token.with_nonce"]);
    // It is found twice, with a control in between, and the first session ends with the drill.
    assertEquals([accepted.length, tokens.length], [1, 4]);
  });
});

/** Signs in, and leaves the session open. */
async function withoutSignOut(lab: TestLab): Promise<void> {
  const browser = lab.browser;
  lab.browser = () => ({ ...browser(), signOut: async () => undefined });
  try {
    await carelessLogin(lab);
  } finally {
    lab.browser = browser;
  }
}

/** Faults that a client needs keys to notice, and what a client that fetches none makes of them. */
const blind: FaultName[] = ["id_token.hs256_with_public_key", "id_token.foreign_signature"];

describe("A client that fetches no keys", () => {
  it("cannot notice a wrong signature, which TLS may vouch for", async () => {
    await using lab = await openHurriedLab(allRoundLab);
    const { unmet } = await lab.drill(() => carelessLogin(withoutKeys(lab)), blind);
    assertEquals(unmet, blind);
  });

  it("is not blamed for a key set of earlier, in which it finds no key", async () => {
    await using lab = await openHurriedLab(allRoundLab);
    let logins = 0;
    const login = async () => {
      await carelessLogin(withoutKeys(lab));
      return logins++ === 0;
    };
    const only: FaultName[] = ["jwks.single_without_kid"];
    assertEquals((await lab.drill(login, only)).unmet, only);
  });
});

function withoutKeys(lab: TestLab): TestLab {
  const fetch: TestLab["fetch"] = async (input, init) =>
    String(input).endsWith("/jwks") ? Response.json({}) : await lab.fetch(input, init);
  return { ...lab, fetch };
}

describe("A client that is too strict", () => {
  it("wrongly refuses valid logins, which are findings of their own", async () => {
    await using lab = await openHurriedLab(allRoundLab);
    const strict = () =>
      carelessLogin(lab, ({ token_type, expires_in }) => {
        assertEquals([token_type, expires_in], ["Bearer", 3600]);
      });
    const only: FaultName[] = [
      "token.token_type_in_other_case",
      "token.without_expires_in",
      "token.without_scope",
    ];
    const { findings, accepted, refused, wronglyRefused, tolerated } = await lab.drill(
      strict,
      only,
    );
    assertEquals([accepted, refused, tolerated], [[], [], ["token.without_scope"]]);
    assertEquals(wronglyRefused.map(({ fault }) => fault), only.slice(0, 2));
    assertEquals(findings.map(({ id, grade }) => [id, grade]), [
      [only[0], "C"],
      [only[1], "C"],
    ]);
    const xml = await lab.fetch(`${lab.issuer}/lab/drill?format=junit`);
    assertMatch(
      await xml.text(),
      /<system-out>C token\.without_expires_in: .*At flow-\d+\. Received: .*Why: RFC 6749/,
    );
  });
});
