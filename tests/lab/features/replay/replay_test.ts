import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { describe } from "node:test";
import type { ReplayChanges } from "../../../../src/lab/features/replay/replay_changes.ts";
import type { Lab } from "../../../../src/lab/lab.ts";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { LabError } from "../../../../src/lab/util/lab_error.ts";
import { basic } from "../../../support/flow_kit.ts";
import { itWith } from "../../../support/it_with.ts";
import { verifier } from "../../../support/kit.ts";
import {
  authorizationUrlIn,
  flowCode,
  redeemIn,
  revokeIn,
  userinfoIn,
} from "../../../support/lab_flow.ts";
import { present } from "../../../support/present.ts";
import { registerAt } from "../../../support/registration.ts";
import { assertClean, assertReport } from "../../../support/reported.ts";
import { needs } from "../../../support/where_feature.ts";

const it = itWith({ inUsedLab: () => openUsed(), inLab: () => openLab({ issuer }) });

const issuer = "http://localhost:9000";

/** Opens a lab in which demo-spa has redeemed a code. */
async function openUsed(): Promise<Lab> {
  const lab = openLab({ issuer });
  await redeemIn(lab, await flowCode(lab));
  return lab;
}

function lastId(lab: Lab): number {
  return present(lab.exchanges().at(-1)).id;
}

/** Sends a form to an endpoint, and returns the number of its exchange. */
async function post(
  lab: Lab,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<number> {
  const body = new URLSearchParams(fields);
  await lab.fetch(new Request(issuer + path, { method: "POST", headers, body }));
  return lastId(lab);
}

describe("lab.replay", () => {
  it.inUsedLab("sends a request as it was to the lab as it is, which refuses a second use", async (lab) => {
    const id = lastId(lab);
    const { replay, summary, differences, rules } = await lab.replay(id, { spent: true });
    assertEquals([replay.id, replay.replayOf, differences], [id + 1, id, []]);
    assertEquals(rules[0]?.rule, "code.unused");
    assertEquals([rules[0]?.original, rules[0]?.replay], ["passed", "broken"]);
    assertMatch(summary, /^The original was accepted: it passed \d+ rules\. The replay broke the /);
    assertStringIncludes((await lab.replay(id, { spent: true })).summary, "the rule code.active");
  });

  const changes: Array<[ReplayChanges["parameters"], rule: string]> = [
    [{ redirect_uri: "http://localhost:3000/other" }, "code.redirect_uri"],
    [{ code_verifier: "w".repeat(43) }, "verifier.matches"],
    [{ code_verifier: null }, "verifier.present"],
    [{ client_id: "demo-cli" }, "code.client"],
    [{ grant_type: ["authorization_code", "authorization_code"] }, "form.unique"],
  ];
  for (const [parameters, rule] of changes) {
    it.inUsedLab(`names the rule that differs: ${JSON.stringify(parameters)}`, async (lab) => {
      const result = await lab.replay(lastId(lab), { parameters });
      assertEquals(result.replay.refusal?.rule, rule, result.summary);
      assertEquals(result.rules[0]?.rule, rule);
      const names = result.differences.map(({ name }) => name).sort();
      assertEquals(names, ["code", ...Object.keys(parameters ?? {})].sort());
      assertEquals(result.rules[0]?.replay, "broken");
      assert(present(result.rules[0]?.title).length > 10);
    });
  }

  it("passes the rule that the original broke, and says which one came after it", async () => {
    await using lab = openLab({ issuer });
    await redeemIn(lab, await flowCode(lab), { redirect_uri: "http://localhost:3000/other" });
    const redirect_uri = `${issuer}/authorized`;
    const { summary, rules } = await lab.replay(lastId(lab), {
      parameters: { redirect_uri, code_verifier: "w".repeat(43) },
    });
    assertStringIncludes(summary, "The original broke the rule code.redirect_uri (invalid_grant).");
    assertStringIncludes(summary, "It passed code.redirect_uri.");
    assertEquals(rules.slice(0, 2).map(({ rule }) => rule), [
      "code.redirect_uri",
      "verifier.matches",
    ]);
  });

  it.inLab("sends another body in place of JSON, and never one with a form or a GET request", async (lab) => {
    const metadata = { redirect_uris: ["https://app.example/#fragment"] };
    await registerAt(lab, metadata);
    const body = JSON.stringify({ redirect_uris: ["https://app.example/callback"] });
    const { replay, differences } = await lab.replay(lastId(lab), { body });
    assertEquals([replay.response?.status, replay.body], [201, body]);
    assertEquals(differences.map(({ place, name }) => [place, name]), [["body", "body"]]);
    await redeemIn(lab, "a-code", {});
    await assertRejects(() => lab.replay(lastId(lab), { body }), LabError, "sends a form");
    const sent = replay.id;
    await assertRejects(() => lab.replay(sent, { method: "GET" }), LabError, "is not a form");
    const changed = { method: "PUT", headers: { "Content-Type": "application/json" }, body };
    await lab.fetch(new Request(`${issuer}/oauth2/register/a-client`, changed));
    const put = lastId(lab);
    await assertRejects(() => lab.replay(put, { method: "POST" }), LabError, "is not a form");
    await lab.fetch(new Request(`${issuer}/oauth2/jwks`));
    await assertRejects(() => lab.replay(lastId(lab), { body }), LabError, "has no body");
  });

  it.inLab("sends the parameters in the form of a POST, or in the query of a GET", async (lab) => {
    await lab.fetch(new Request(authorizationUrlIn(lab)));
    const id = lastId(lab);
    const posted = await lab.replay(id, { method: "POST", parameters: { scope: "openid" } });
    assertEquals(posted.replay.response?.status, 303, posted.summary);
    assertEquals(posted.differences.map(({ place, name }) => [place, name]), [
      ["method", "method"],
      ["parameter", "scope"],
      ["header", "content-type"],
    ]);
    assertEquals(posted.replay.url, `${issuer}/oauth2/authorize`);
    const { replay, differences } = await lab.replay(posted.replay.id, { method: "GET" });
    const expected = [303, "", undefined];
    assertEquals([replay.response?.status, replay.body, replay.headers["content-type"]], expected);
    assertEquals(differences[0], {
      place: "method",
      name: "method",
      original: ["POST"],
      replay: ["GET"],
    });
    assertEquals(replay.parameters, posted.replay.parameters);
  });

  it.inLab("sends another method where the endpoint knows both, and shows how others refuse it", async (lab) => {
    const { access_token } = await redeemIn(lab, await flowCode(lab));
    const token = lastId(lab);
    await userinfoIn(lab, access_token);
    const userinfo = await lab.replay(lastId(lab), { method: "POST" });
    assertEquals([userinfo.replay.method, userinfo.replay.response?.status], ["POST", 200]);
    assertEquals((await lab.replay(token, { method: "GET" })).replay.response?.status, 405);
    const same = await lab.replay(token, { method: "POST", spent: true });
    assertEquals(same.differences, []);
  });

  it("hides secrets, and shows that they differ, unless it is asked for them", async () => {
    await using lab = await openUsed();
    const id = lastId(lab);
    const code = present(lab.requests({ secrets: true }).at(-1)).parameters.code;
    const hidden = await lab.replay(id, { parameters: { code: "another-code" } });
    assertEquals(hidden.differences, [
      { place: "parameter", name: "code", original: ["[redacted]"], replay: ["[redacted]"] },
    ]);
    const whole = JSON.stringify(hidden);
    assert(!whole.includes(present(code)) && !whole.includes("another-code"));
    const { differences } = await lab.replay(id, {
      parameters: { code: "another-code" },
      secrets: true,
    });
    assertEquals(differences[0]?.replay, ["another-code"]);
  });

  it.inLab("keeps the spelling of what it does not change", async (lab) => {
    const body = "grant_type=client%5Fcredentials&scope=read&x=a+b";
    const headers = {
      "Content-Type": "application/x-www-form-urlencoded",
      ...basic("demo-service", "demo-service-secret"),
    };
    await lab.fetch(new Request(`${issuer}/oauth2/token`, { method: "POST", body, headers }));
    const { replay } = await lab.replay(lastId(lab), { secrets: true });
    assertEquals([replay.body, replay.response?.status], [body, 200]);
  });

  it.inUsedLab("sends a parameter without a value", async (lab) => {
    const parameters = { code_verifier: "" };
    const { replay, differences } = await lab.replay(lastId(lab), { parameters, secrets: true });
    assertEquals(replay.refusal?.rule, "verifier.present");
    assertEquals(differences.find(({ name }) => name === "code_verifier")?.replay, [""]);
  });

  it.inLab("changes and leaves out headers", async (lab) => {
    const service = basic("demo-service", "demo-service-secret");
    const id = await post(lab, "/oauth2/token", { grant_type: "client_credentials" }, service);
    const wrong = await lab.replay(id, { headers: basic("demo-service", "wrong") });
    assertEquals(wrong.replay.refusal?.rule, "client.authenticated");
    assertEquals(wrong.differences, [{
      place: "header",
      name: "authorization",
      original: ["Basic [redacted]"],
      replay: ["Basic [redacted]"],
    }]);
    const without = await lab.replay(id, { headers: { Authorization: null } });
    assertEquals(without.differences[0]?.replay, []);
    assertEquals(without.replay.response?.status, 401);
  });

  it.inLab("authenticates another client of the lab, or none", async (lab) => {
    const service = basic("demo-service", "demo-service-secret");
    const id = await post(lab, "/oauth2/token", { grant_type: "client_credentials" }, service);
    const jwt = await lab.replay(id, { client: "demo-jwt" });
    assertEquals([jwt.replay.client, jwt.replay.response?.status], ["demo-jwt", 200]);
    const none = await lab.replay(id, { client: null });
    assertEquals([none.replay.client, none.replay.response?.status], ["demo-service", 401]);
    assertEquals(none.rules[0]?.rule, "client.authenticated");
  });

  it("is no request of a client: the report and assertClean do not count it", async () => {
    await using lab = await openUsed();
    await lab.replay(lastId(lab), { parameters: { redirect_uri: "http://localhost:3000/x" } });
    assertReport(lab, { refused: [] });
    assertClean(lab, { refused: true });
  });
});

describe("The report on a flow with a replay", () => {
  it(
    "does not take the tokens of the replay for those of the client",
    needs("report"),
    async () => {
      await using lab = openLab({ issuer });
      await redeemIn(lab, await flowCode(lab));
      const code_verifier = "w".repeat(43);
      await redeemIn(lab, await flowCode(lab), { code_verifier });
      const before = lab.report();
      const { replay } = await lab.replay(lastId(lab), { parameters: { code_verifier: verifier } });
      assertEquals([replay.response?.status, lab.report()], [200, before]);
    },
  );
});

describe("A replay with one change works at each endpoint", () => {
  it.inLab("authorization: the browser's request gets another answer", async (lab) => {
    await lab.fetch(new Request(authorizationUrlIn(lab)));
    const { replay, rules } = await lab.replay(lastId(lab), {
      parameters: { redirect_uri: "https://evil.example/" },
    });
    assertEquals([replay.refusal?.rule, rules[0]?.original], ["redirect_uri.registered", "passed"]);
    const repeated = await lab.replay(present(lab.exchanges()[0]).id, {
      parameters: { scope: ["openid", "read"] },
    });
    assertEquals(repeated.replay.refusal?.rule, "form.unique");
  });

  it.inLab(
    "userinfo, introspection, revocation, PAR and device authorization",
    needs("introspection"),
    async (lab) => {
      const { access_token, refresh_token } = await redeemIn(lab, await flowCode(lab));
      await userinfoIn(lab, access_token);
      const userinfo = await lab.replay(lastId(lab), { headers: { authorization: "Bearer x" } });
      assertEquals(userinfo.replay.refusal?.rule, "token.active");

      const service = basic("demo-service", "demo-service-secret");
      const introspection = await post(lab, "/oauth2/introspect", { token: access_token }, service);
      const inactive = await lab.replay(introspection, { parameters: { token: "unknown" } });
      assertStringIncludes(present(inactive.replay.response).body, '"active":false');
      assertEquals(inactive.rules[0]?.rule, "introspection.active");

      await revokeIn(lab, refresh_token);
      const other = await lab.replay(lastId(lab), { client: "demo-service" });
      assertEquals(other.replay.client, "demo-service");

      const { searchParams } = new URL(authorizationUrlIn(lab));
      const par = await post(lab, "/oauth2/par", Object.fromEntries(searchParams));
      const refused = await lab.replay(par, { parameters: { code_challenge: null } });
      assertEquals(refused.replay.refusal?.rule, "challenge.with_method");

      const device = await post(lab, "/oauth2/device_authorization", { client_id: "demo-cli" });
      const wrongClient = await lab.replay(device, { client: "demo-spa" });
      assert((wrongClient.replay.response?.status ?? 0) >= 400);
    },
  );
});

describe("What a replay cannot do", () => {
  const refused: Array<[what: string, changes: unknown, message: RegExp]> = [
    ["a misspelled change", { parameter: {} }, /did you mean .parameters/],
    ["a method that no form has", { method: "PUT" }, /'method' must be/],
    ["a value that is no text", { parameters: { scope: 1 } }, /'parameters\.scope' must be/],
    ["a list with something else", { parameters: { a: ["b", 1] } }, /'parameters\.a' must be text/],
    ["a header that is no text", { headers: { a: 1 } }, /'headers\.a' must be text, or null/],
    ["what is neither true nor false", { secrets: "yes" }, /'secrets' must be/],
    ["a header of the connection", { headers: { Host: "x" } }, /belongs to the connection/],
    ["a header with a line break", { headers: { a: "b\nc" } }, /no header can have/],
    ["a header without a name", { headers: { "": "b" } }, /is not the name of a header/],
    ["an unknown client", { client: "who" }, /There is no client 'who'\. Choose one of: demo-spa/],
  ];
  for (const [what, changes, message] of refused) {
    it.inUsedLab(`is refused before it is sent: ${what}`, async (lab) => {
      const id = lastId(lab);
      const attempt = () => lab.replay(id, changes as ReplayChanges);
      const error = await assertRejects(attempt, LabError);
      assertMatch(error.message, message);
      assertEquals(lastId(lab), id);
    });
  }

  it.inUsedLab("is a request that is not recorded", async (lab) => {
    await assertRejects(() => lab.replay(999), LabError, "There is no request 999");
  });

  it.inLab("is to authenticate a client where none does", async (lab) => {
    await lab.fetch(new Request(authorizationUrlIn(lab)));
    const replay = lab.replay(lastId(lab), { client: "demo-web" });
    await assertRejects(() => replay, LabError, "No client authenticates at /oauth2/authorize");
  });
});
