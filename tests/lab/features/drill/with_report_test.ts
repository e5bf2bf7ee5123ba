import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "node:test";
import {
  idTokenVariants,
  responseVariants,
} from "../../../../src/lab/features/drill/variants/login_variants.ts";
import { hallpass, LabError, type TestLab } from "../../../../src/lab/testing/mod.ts";
import {
  type Application,
  createApplication,
  drilledClient,
  openDrilledLab,
  origin,
  type Weakness,
} from "../../../support/drilled_application.ts";
import { callLab } from "../../../support/lab_call.ts";
import { freshTokens, freshUrl } from "../../../support/login.ts";
import { challenge, testClient } from "../../../support/test_client.ts";

const client = testClient();
const signingOut = { start: `${origin}/`, logout: `${origin}/logout` };
const application = { start: `${origin}/`, refresh: `${origin}/refresh` };

describe("What a drill provokes", () => {
  it("is found by the drill alone: its client breaks no rule, and is not refused", async () => {
    const { lab } = await openDrilledLab("careless");
    await lab.drill(application, [
      "logout_token.wrong_aud",
      "callback.foreign_code",
      "refresh.held",
    ]);
    const { clean, clients, findings, refused, refusedByFault, applications } = lab.report();
    assertEquals([findings, refused, refusedByFault], [[], [], []]);
    assertEquals(clients.map(({ client, violations, refused }) => [client, violations, refused]), [
      ["drilled", 0, 0],
    ]);
    const found = applications.flatMap((each) => each.findings.map(({ id }) => id));
    assertEquals([clean, found], [false, ["logout_token.wrong_aud"]]);
    await lab.reset();
    assertEquals(lab.report().earlier.map(({ id }) => id), found);
    await lab.close();
  });

  it("is linked with its client, which the report calls no ready one, and with its flows", async () => {
    const { lab } = await openDrilledLab("careless");
    const page = async () => {
      const headers = { Accept: "text/html" };
      return await (await lab.fetch(`${lab.issuer}/lab/report`, { headers })).text();
    };
    const limit = "What it accepts, only a drill shows.";
    const text = async () => await (await lab.fetch(`${lab.issuer}/lab/report?format=text`)).text();
    await lab.drill(application, ["callback.wrong_state"]);
    const [html, flow] = [await page(), lab.report().applications[0]?.findings[0]?.where.flow];
    assertStringIncludes(html, `<a href="/lab/flows/${flow}#step">See it in ${flow}</a>`);
    assertStringIncludes(html, `<a href="#application-1">What a drill of ${origin}/ found</a>`);
    assertStringIncludes(html, '<a href="#client-1">It signs users in as drilled</a>');
    assertEquals([html.includes("Ready"), html.includes("not drilled")], [false, false]);
    assertEquals((await text()).includes(limit), false);
    assertMatch(html, /: what it accepted in the drill<.*>Client: the requests it sent</s);
    assertStringIncludes(html, ">Last drill</a>");
    await lab.close();
  });

  it("has a grade, which its client has not, and which the text and JSON name", async () => {
    const { lab } = await openDrilledLab("careless");
    await lab.drill({ start: `${origin}/` });
    const [{ client } = {}] = lab.report().applications;
    const texts = await Promise.all(
      ["", "&client=drilled"].map(async (about) =>
        await (await lab.fetch(`${lab.issuer}/lab/report?format=text${about}`)).text()
      ),
    );
    const ofDrill = "grade D for what it accepted in the drill";
    for (const text of texts) {
      assertStringIncludes(
        text,
        `Client drilled: Sent nothing wrong; ${ofDrill} of ${origin}/\n`,
      );
      assertStringIncludes(
        text,
        `Application ${origin}/ (client drilled): ${ofDrill}. Findings: 2 D, 1 C, 2 B. `,
      );
    }
    const headers = { Accept: "text/html" };
    const html = await (await lab.fetch(`${lab.issuer}/lab/report`, { headers })).text();
    const [subjects = ""] = html.split('<details class="grade-key"');
    assertEquals(subjects.match(/aria-label="Grade .?"/g), ['aria-label="Grade D"']);
    assertEquals([client, (await callLab(lab, "GET /report?client=drilled")).json.clean], [
      "drilled",
      false,
    ]);
    await lab.close();
  });

  it("is unknown before the first drill, as the report says next to the client", async () => {
    await using lab = await hallpass();
    await freshTokens(lab);
    const read = async (format: string) => {
      const headers = { Accept: "text/html" };
      return await (await lab.fetch(`${lab.issuer}/lab/report${format}`, { headers })).text();
    };
    assertStringIncludes(await read(""), "Sent nothing wrong · not drilled");
    assertStringIncludes(await read("?format=text"), "What it accepts, only a drill shows.");
  });

  it("includes what follows in its flows later, and nothing else", async () => {
    await using lab = await hallpass();
    let code = "";
    const login = async () => {
      const url = freshUrl(lab, { code_challenge: challenge });
      code = (await lab.authorize(url, { user: "alice" })).code ?? "";
    };
    const statusOf = async () => (await client.redeem(lab, code)).status;
    await lab.drill(login, ["callback.foreign_code"]);
    assertEquals(await statusOf(), 400);
    assertEquals(lab.report().refused, []);
    await login();
    assertEquals([await statusOf(), await statusOf()], [200, 400]);
    // The first login, which no fault changed, is one of the client.
    const found = lab.report().findings.map(({ id, where }) => [id, where.exchanges?.length]);
    assertEquals(found, [["challenge-reused", 2], ["code-redeemed-twice", 2]]);
  });

  const other = testClient({ client_id: "demo-web", client_secret: "demo-web-secret" });

  async function redeemTwice(lab: TestLab, application = client): Promise<void> {
    const code = await application.code(lab, { state: crypto.randomUUID() });
    await application.redeem(lab, code);
    await application.redeem(lab, code);
  }

  const clientsRedeemingTwice = (lab: TestLab) =>
    lab.report().findings.filter(({ id }) => id === "code-redeemed-twice").map(({ where }) =>
      where.client
    );

  it("ends with a reset, even if a login of the drill never ends", async () => {
    await using lab = await hallpass();
    const hanging = Promise.withResolvers<void>();
    const met = Promise.withResolvers<void>();
    let logins = 0;
    const drill = lab.drill(async () => {
      await freshTokens(lab);
      if (++logins === 1) return;
      met.resolve();
      await hanging.promise;
    }, ["callback.foreign_code"]);
    await met.promise;
    await lab.reset();
    await redeemTwice(lab);
    assertEquals(clientsRedeemingTwice(lab), ["demo-spa"]);
    hanging.resolve();
    await assertRejects(() => drill);
    await redeemTwice(lab, other);
    assertEquals(clientsRedeemingTwice(lab), ["demo-spa", "demo-web"]);
  });

  it("is nothing of another client, whose users sign in meanwhile", async () => {
    await using lab = await hallpass();
    let logins = 0;
    await lab.drill(async () => {
      await freshTokens(lab);
      if (++logins === 2) await redeemTwice(lab, other);
    }, ["id_token.wrong_nonce"]);
    assertEquals(clientsRedeemingTwice(lab), ["demo-web"]);
  });

  it("is nothing of a tenant, whose tests go on meanwhile", async () => {
    await using lab = await hallpass();
    await using tenant = await lab.tenant({ id: "acme" });
    const login = async () => {
      await client.tokens(lab, { state: crypto.randomUUID() });
      await client.tokens(tenant, { state: "same" });
    };
    await lab.drill(login, ["callback.foreign_code"]);
    const found = lab.report().findings.map(({ id, where }) => [id, where.tenant]);
    assertEquals(found, [["challenge-reused", "acme"], ["state-reused", "acme"]]);
  });
});

describe("What a drill finds", () => {
  it("is found in the report, with the same number, until a reset, and fails assertClean", async () => {
    const { lab } = await openDrilledLab("careful", {}, undefined, [
      "session_survives",
      "same_session",
    ]);
    const { findings } = await lab.drill(signingOut);
    const [graded] = lab.report().applications;
    assertEquals([graded?.start, graded?.grade, graded?.findings.length], [
      `${origin}/`,
      "D",
      2,
    ]);
    assertEquals(graded?.findings, findings);
    const { json } = await callLab(lab, "POST /assert-clean", {});
    assertStringIncludes(
      json.error_description,
      "D session_survives: The session goes on after the sign-out",
    );
    await lab.drill({ start: signingOut.start }, ["code_in_url"]);
    assertEquals(lab.report().applications.map(({ grade, findings }) => [grade, findings.length]), [
      ["D", 2],
    ]);
    await lab.reset();
    assertEquals(lab.report().applications, []);
    await (await lab.fetch(`${lab.issuer}/oauth2/jwks`)).body?.cancel();
    assert(lab.report().earlier.some(({ id }) => id === "session_survives"));
    await lab.close();
  });

  it("is replaced by what a later drill tests again, even of a part, and by nothing else", async () => {
    const weaknesses: Weakness[] = ["session_survives", "keeps_dead_refresh_token"];
    const { lab } = await openDrilledLab("careful", {}, undefined, weaknesses);
    const whole = { ...application, ...signingOut };
    const found = () =>
      lab.report().applications.map(({ start, findings }) => [
        start,
        ...findings.map(({ id, where }) => `${id} ${where.application}`),
      ]);
    await lab.drill(whole, ["session_survives", "refresh.lost"]);
    assertEquals(found(), [[
      whole.start,
      `session_survives ${whole.start}`,
      `refresh.lost ${whole.start}`,
    ]]);
    weaknesses.splice(0, 2, "no_sign_out");
    // Where nothing signs out, the sign-out is not tested.
    await lab.drill(application, ["session_survives"]);
    weaknesses.length = 0;
    await lab.drill(whole, ["refresh.lost"]);
    assertEquals(found(), [[whole.start, `session_survives ${whole.start}`]]);
    const start = `${origin}/login`;
    await lab.drill({ ...application, start }, ["callback.denied"]);
    assertEquals(found(), [[start, `session_survives ${start}`]]);
    assertThrows(() => lab.assertClean(), LabError, "session_survives");
    await lab.drill({ ...whole, start }, ["session_survives"]);
    assertEquals(found(), [[start]]);
    await lab.close();
  });

  it("at a tenant is linked with the flow of the tenant, from the report of the lab as well", async () => {
    const parts: { application?: Application } = {};
    await using lab = await hallpass({ alg: "EdDSA" });
    const tenant = await lab.tenant({
      id: "acme",
      fetch: async (url, { method, headers, body }) =>
        await parts.application?.(new Request(url, { method, headers, body: body ?? null })) ??
          new Response(null, { status: 500 }),
    });
    tenant.clients.put(drilledClient());
    parts.application = createApplication(tenant, "careless");
    const { findings } = await tenant.drill({ start: `${origin}/` }, ["callback.wrong_state"]);
    const page = await lab.fetch(`${lab.issuer}/lab/report`, { headers: { Accept: "text/html" } });
    const links = (await page.text()).match(/[^"]*lab\/flows\/flow-\d+/g);
    assertEquals(links, [`/t/acme/lab/flows/${findings[0]?.where.flow}`]);
  });

  it("leaves no advice about the flow that an attacker began", async () => {
    const { lab } = await openDrilledLab("careful");
    const fault = "callback.fixated_session";
    const { refused } = await lab.drill({ start: `${origin}/` }, [fault]);
    lab.clock.advance("6m");
    const found = lab.report().findings.map(({ id }) => id);
    assertEquals([refused, found.includes("flow-ends-at-callback")], [[fault], false]);
    await lab.close();
  });
});

describe("What the report calls a violation after a fault", () => {
  /** The variants that a rule of the report is about. That of `wrong_sub` takes userinfo. */
  const variants = [...responseVariants, ...idTokenVariants].filter(({ fault }) =>
    /^callback\.(.*state|.*iss.*|error_and_code)$|^id_token\.(?!wrong_sub|with_|foreign_azp|old_auth_time|hs256_with_secret)/
      .test(fault)
  );

  /** Signs in without any check, perhaps after a look at the keys. */
  async function trustAll(lab: TestLab, readsKeys: boolean): Promise<void> {
    const { access_token } = await freshTokens(lab);
    if (readsKeys) await (await lab.fetch(`${lab.issuer}/oauth2/jwks`)).text();
    await client.userinfo(lab, access_token);
  }

  /** Only a drill finds out whether a client verifies signatures, or whether PKCE replaces a state. */
  const leftToDrills = /state$|alg_none|foreign_signature|hs256/;

  for (const readsKeys of [false, true]) {
    it(`is what a drill calls one, ${readsKeys ? "with" : "without"} keys`, async () => {
      await using lab = await hallpass();
      const { outcomes, accepted } = await lab.drill(
        () => trustAll(lab, readsKeys),
        variants.map(({ fault }) => fault),
      );
      for (const { fault } of outcomes) {
        await using tenant = await lab.tenant();
        tenant.fault(fault);
        await trustAll(tenant, readsKeys);
        const found = tenant.report().findings.some(({ grade }) =>
          grade !== undefined && grade !== "B"
        );
        const isViolation = accepted.some((each) => each.fault === fault);
        assertEquals([fault, found], [fault, isViolation && !leftToDrills.test(fault)]);
      }
    });
  }
});
