import {
  assert,
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertStringIncludes,
} from "@std/assert";
import { describe } from "node:test";
import { hallpass, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { textOf } from "../../../../src/lab/util/html_forms.ts";
import { itWith } from "../../../support/it_with.ts";
import { authorizationUrl, login } from "../../../support/login.ts";
import { needs } from "../../../support/where_feature.ts";

const it = itWith({ inLab: () => hallpass() });

async function page(lab: TestLab, path = "/report"): Promise<string> {
  const headers = { Accept: "text/html" };
  const response = await lab.fetch(`${lab.issuer}/lab${path}`, { headers });
  assertEquals(response.status, 200);
  return await response.text();
}

function redeem(lab: TestLab, code: string): Promise<Response> {
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    client_id: "demo-spa",
    code,
  });
  return lab.fetch(`${lab.issuer}/oauth2/token`, { method: "POST", body });
}

describe("The page of the report", () => {
  it.inLab("says that no request reached the lab", async (lab) => {
    assertStringIncludes(await page(lab), "No request reached this lab.");
    await lab.fetch(`${lab.issuer}/oauth2/jwks`);
    assertStringIncludes(await page(lab), "No request has named a client yet");
  });

  it.inLab("shows what each client sent, without a grade: no drill has seen what it accepts", async (lab) => {
    await login(lab);
    await lab.fetch(authorizationUrl(lab, { client_id: "nobody" }));
    const html = await page(lab);
    const [subjects = "", key] = html.split('<details class="grade-key"');
    assertNotMatch(subjects, /class="grade|Grade [A-F]|No grade/);
    assertMatch(key ?? "", /Only a drill gives a grade/);
    // The worst first, and nothing folded that needs work.
    const verdict = /Client: the requests it sent Is refused .* Sent nothing wrong · not drilled/;
    assertMatch(textOf(subjects), verdict);
    const rows = [...html.matchAll(/<details class="panel group subject" id="[^"]*"( open)?/g)];
    assertEquals(rows.map(([, open]) => open), [" open", undefined]);
    assertMatch(textOf(html), /1 of 2 clients needs work: \d finding/);
    assertNotMatch(textOf(html), /No complete login yet/);
    assertStringIncludes(textOf(html), "No findings, and the lab refused no request.");
  });

  it.inLab("counts no client for requests that name none", async (lab) => {
    await (await lab.fetch(`${lab.issuer}/oauth2/userinfo`, {
      headers: { Authorization: "Bearer nothing" },
    })).text();
    assertMatch(textOf(await page(lab)), /Requests that name no client were refused: 1 finding/);
    await lab.fetch(authorizationUrl(lab, { client_id: "nobody" }));
    assertMatch(textOf(await page(lab)), /nobody needs work: 2 findings/);
  });

  it.inLab("says that nothing needs work where all findings are settled", async (lab) => {
    await lab.fetch(authorizationUrl(lab, { redirect_uri: "http://localhost:3000/cb" }));
    await login(lab);
    const text = textOf(await page(lab));
    assertMatch(text, /No client needs work: 1 finding, advice or settled since/);
  });

  it.inLab("counts neither what is settled nor what other clients did where one needs work", async (lab) => {
    await lab.fetch(authorizationUrl(lab, { redirect_uri: "http://localhost:3000/cb" }));
    await login(lab);
    const own = { state: "another-state", code_challenge: "c".repeat(43) };
    await lab.fetch(authorizationUrl(lab, { client_id: "nobody", ...own }));
    assertMatch(textOf(await page(lab)), /1 of 2 clients needs work: 1 finding /);
  });

  it.inLab("says in text that a refused request has worked since", async (lab) => {
    await lab.fetch(authorizationUrl(lab, { redirect_uri: "http://localhost:3000/cb" }));
    const text = async () => await (await lab.fetch(`${lab.issuer}/lab/report?format=text`)).text();
    assertNotMatch(await text(), /accepted since/);
    await login(lab);
    assertMatch(
      await text(),
      /^refused redirect_uri\.registered \(client demo-spa\): .*\n {2}Refused at first, accepted since\.\n/m,
    );
  });

  it.inLab("calls no client ready that has only asked for a code", async (lab) => {
    await lab.fetch(authorizationUrl(lab));
    const html = await page(lab);
    assertMatch(textOf(html), /No complete login yet/);
    assertNotMatch(textOf(html), /Ready|No client needs work/);
    assertMatch(textOf(html), /No login has finished yet, so nothing has been examined\. Sign in/);
  });

  it.inLab("has as many findings as the counter of every page says, until something happens", async (lab) => {
    const entriesIn = (html: string) => String(html.match(/<details class="entry /g)?.length);
    const counterIn = (html: string) => /id="count-report"[^>]*>(\d*)</.exec(html)?.[1];
    const before = await lab.fetch(authorizationUrl(lab, { client_id: "nobody" }));
    assertEquals(before.status, 400);
    assertEquals(counterIn(await page(lab, "/flows")), entriesIn(await page(lab)));
    for (const code of ["one", "two", "three"]) await redeem(lab, code);
    const html = await page(lab);
    assertStringIncludes(textOf(html), ` ${entriesIn(html)} findings`);
    const expected = [entriesIn(html), entriesIn(html)];
    assertEquals([counterIn(html), counterIn(await page(lab, "/flows"))], expected);
    await lab.fetch(`${lab.issuer}/lab/requests`, { method: "DELETE" });
    assertEquals(counterIn(await page(lab, "/flows")), "");
  });

  it.inLab("shows how many of the findings a filter leaves", async (lab) => {
    await lab.fetch(authorizationUrl(lab, { client_id: "nobody" }));
    await lab.fetch(authorizationUrl(lab, { redirect_uri: "https://evil.example" }));
    assertMatch(textOf(await page(lab, "/report?client=nobody")), / \d of \d findings /);
  });

  const filters: Array<[query: string, shown: RegExp[], hidden: RegExp[]]> = [
    ["", [/redirect_uri must be/, /client_id must be that of a known client/], []],
    ["client=nobody", [/client_id must be that of a known client/], [/redirect_uri must be/]],
    ["q=redirect_uri", [/redirect_uri must be/], [/client_id must be that of a known client/]],
    ["kind=refused&q=REDIRECT", [/redirect_uri must be/], [
      /client_id must be that of a known client/,
    ]],
    ["kind=C", [/is not S256/], [/redirect_uri must be/]],
    ["client=who", [/Nothing matches the filter/], [/redirect_uri must be/]],
  ];
  for (const [query, shown, hidden] of filters) {
    it.inLab(`has one line for each finding, and is filtered by '${query}'`, async (lab) => {
      await lab.fetch(authorizationUrl(lab, {
        redirect_uri: "https://app.example/wrong",
        code_challenge_method: "plain",
      }));
      await lab.fetch(authorizationUrl(lab, { client_id: "nobody" }));
      const html = await page(lab, `/report?${query}`);
      const findings = textOf(html.slice(html.indexOf('id="report"')));
      for (const text of shown) assertMatch(findings, text);
      for (const text of hidden) assertNotMatch(findings, text);
      const entries = html.match(/<details class="entry[^>]*>/g) ?? [];
      const open = entries.filter((entry) => entry.includes(" open"));
      // Three of each client are shown whole.
      assertEquals(open.length, entries.length);
    });
  }

  it.inLab("links a refused request, and marks the parameter at fault", async (lab) => {
    await lab.fetch(authorizationUrl(lab, { redirect_uri: "https://app.example/wrong" }));
    const html = await page(lab);
    assertMatch(html, /<mark><code class="parameter">redirect_uri=https:\/\/app.example\/wrong</);
    assertStringIncludes(html, 'href="/lab/flows/request-1?exchange=1"');
    assertStringIncludes(textOf(html), "What to do: Send a redirect_uri of the client");
    assertStringIncludes(html, "https://datatracker.ietf.org/doc/html/draft-ietf-oauth-v2-1-16");
  });

  it.inLab("shows what came with each refused request, and apart what was refused by another rule", async (lab) => {
    for (const path of ["one", "two"]) {
      await lab.fetch(authorizationUrl(lab, { redirect_uri: `https://app.example/${path}` }));
    }
    const { code } = await lab.authorize(authorizationUrl(lab), { user: "alice" });
    lab.clock.advance("6m");
    await redeem(lab, code!);
    await redeem(lab, "unknown");
    const text = textOf(await page(lab));
    assertMatch(
      text,
      /Received \S+\/one Expected .* Request 1 .*Received \S+\/two Expected .* Request 2 /s,
    );
    assertMatch(text, /Use the code before it expires.*Received an unknown one/s);
    assertMatch(text, /Refused at first, accepted since/);
  });

  it.inLab("marks a parameter that is missing", async (lab) => {
    await lab.fetch(authorizationUrl(lab, { code_challenge: "", code_challenge_method: "" }));
    assertStringIncludes(await page(lab), "code_challenge is missing");
  });

  it.inLab("shows what a fault caused apart, and no secret", needs("faults"), async (lab) => {
    lab.fault("callback.foreign_code");
    const { code } = await lab.authorize(authorizationUrl(lab), { user: "alice" });
    await redeem(lab, code!);
    const html = await page(lab);
    assertStringIncludes(html, "Refused because of a fault");
    assert(!html.includes(code!), "shows the code");
  });

  it.inLab("downloads as JUnit XML and in SARIF, for a browser too", async (lab) => {
    assertMatch(await page(lab, "/report?format=junit"), /^<\?xml/);
    assertMatch(await page(lab, "/report?format=sarif"), /^\{/);
  });

  it.inLab("U6: counts one mistake once: a violation, and not the refusal that follows from it", async (lab) => {
    const { code } = await lab.authorize(authorizationUrl(lab), { user: "alice" });
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      client_id: "demo-spa",
      redirect_uri: `${lab.issuer}/authorized`,
      code_verifier: "short",
      code: code!,
    });
    await lab.fetch(`${lab.issuer}/oauth2/token`, { method: "POST", body });
    lab.clock.advance("6m");
    const text = textOf(await page(lab));
    assertMatch(text, /demo-spa needs work: 1 finding .* 1 violation · 2 requests in all/);
    assertMatch(text, /short-verifier/);
    assertNotMatch(text, /verifier\.form|code-not-redeemed/);
  });

  it.inLab("U6: holds a mistyped URL in the address bar against no client", async (lab) => {
    await lab.fetch(`${lab.issuer}/authorise?client_id=nobody`);
    const text = textOf(await page(lab));
    assertNotMatch(text, /nobody Client:/);
    assertMatch(text, /Requests that name no client 1 request refused/);
  });

  it.inLab("U6: says how much was found earlier, next to the number of findings", async (lab) => {
    await lab.fetch(authorizationUrl(lab, { redirect_uri: "https://app.example/wrong" }));
    await lab.reset();
    await lab.fetch(authorizationUrl(lab, { code_challenge: "", code_challenge_method: "" }));
    const text = textOf(await page(lab));
    assertMatch(text, /demo-spa needs work: \d+ findings?, and 1 found earlier/);
    assertMatch(text, /Found earlier Found before a reset, .* They may be fixed; until you start/);
  });
});
