import {
  assert,
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { describe, it } from "node:test";
import { drillVariants } from "../../../../src/lab/features/drill/variants/variants.ts";
import type { LabEvent } from "../../../../src/lab/recording/lab_event.ts";
import {
  type DrillResult,
  type FaultName,
  LabError,
  type TestLab,
} from "../../../../src/lab/testing/mod.ts";
import { textOf } from "../../../../src/lab/util/html_forms.ts";
import { createDeferred } from "../../../../src/server/util/time/promises.ts";
import { type Carefulness, openDrilledLab, origin } from "../../../support/drilled_application.ts";
import { service } from "../../../support/flow_kit.ts";
import { type LabTab, openTab } from "../../../support/lab_tab.ts";
import { testClient } from "../../../support/test_client.ts";

interface DrilledTab {
  lab: TestLab;
  tab: LabTab;
  /** Settles when the drill has ended. */
  ended: Promise<void>;
}

async function openDrillTab(carefulness: Carefulness): Promise<DrilledTab> {
  const { promise, resolve } = createDeferred<void>();
  const onLabEvent = (event: LabEvent) => {
    if (event.type === "drill.advanced" && event.state !== "running") resolve();
  };
  const { lab } = await openDrilledLab(carefulness, { onLabEvent });
  const tab = await openTab(lab as never, undefined, (request) => lab.fetch(request));
  return { lab, tab, ended: promise };
}

/** The application, with all that it can do after a login. */
const application = {
  start: `${origin}/`,
  refresh: `${origin}/refresh`,
  logout: `${origin}/logout`,
};

/** Some of what an application accepts that checks nothing. */
const carelesslyAccepted = [
  ...["id_token.wrong_aud", "id_token.expired", "logout_token.alg_none"],
];

/** It reads no metadata, has one redirect URI, asks for no signed responses, registers nothing. */
const unused =
  /^(register|jarm|metadata)\.|^token\.bearer_for_dpop$|^id_token\.(old_auth_time|hs256_with_secret)$|^userinfo\.(wrong_iss|wrong_aud|alg_none|foreign_signature)$|^callback\.other_redirect_uri$/;

async function resultOf(lab: TestLab): Promise<DrillResult> {
  return await (await lab.fetch(`${lab.issuer}/lab/drill`)).json();
}

describe("U6: The first screen of the drill", () => {
  it("offers the application that last signed in, and opens nothing for it", async () => {
    const { lab, visited } = await openDrilledLab("careless");
    const tab = await openTab(lab as never, undefined, (request) => lab.fetch(request));
    assertNotMatch(textOf(await tab.html("/lab/drill")), /signed in from there/);
    // A later drill of a function names no URL.
    await lab.drill({ start: `${origin}/` }, ["callback.denied"]);
    await lab.drill(() => Promise.resolve(true), ["callback.denied"]);
    visited.length = 0;
    const html = await tab.html("/lab/drill");
    assertMatch(
      textOf(html),
      /Drill http:\/\/localhost:3000 drilled signed in from there just now/,
    );
    assertMatch(html, /id="start"[^>]*value="http:\/\/localhost:3000\/"/);
    assertEquals(visited, []);
    await lab.close();
  });

  it("says truly how many logins a drill takes", async () => {
    const { lab } = await openDrilledLab("careful");
    const tab = await openTab(lab as never, undefined, (request) => lab.fetch(request));
    const [, said] = /as long as about (\d+) logins/.exec(textOf(await tab.html("/lab/drill"))) ??
      [];
    await lab.drill(application);
    const { length } = lab.flows();
    assert(Math.abs(length - Number(said)) <= 30, `${length} logins, and not about ${said}`);
    await lab.close();
  });

  it("has the progress in place of the button while a drill runs, and can stop it", async () => {
    const { promise, resolve } = createDeferred<void>();
    const { lab, visited } = await openDrilledLab("careless", {}, promise);
    const tab = await openTab(lab as never, undefined, (request) => lab.fetch(request));
    const drill = lab.drill(application);
    const html = await tab.html("/lab/drill");
    assertMatch(textOf(html), /First without a fault, then \d+ logins with one each Stop/);
    assertNotMatch(html, /drill-form/);
    const response = await tab.post("/lab/drill/stop", {});
    assertEquals(response.headers.get("Location"), "/lab/drill");
    const text = textOf(await tab.html("/lab/drill"));
    assertMatch(
      text,
      /It was stopped after 0 of \d+ logins\. The drill stopped, and proves nothing\. Run again/,
    );
    assertNotMatch(text, /What no drill sees/, "It would push the form out of sight.");
    resolve();
    await assertRejects(() => drill, LabError, "was stopped");
    // The checks of the session would sign out once more.
    assertEquals(visited.filter((url) => url === application.logout).length, 1);
    await lab.close();
  });

  it("has one finding for each mistake, the worst first, and all else in one line each", async () => {
    const { lab, tab } = await openDrillTab("careless");
    await lab.drill({ start: `${origin}/`, refresh: `${origin}/refresh` });
    const html = await tab.html("/lab/drill");
    const entries = [
      ...html.matchAll(/<details class="entry [a-z]*" id="finding-([^"]*)"( open)?/g),
    ];
    const open = entries.flatMap(([, id, isOpen]) => isOpen ? id : []);
    assertEquals(open, [
      "logout_token.not_validated",
      "logout_ignored",
      "id_token.not_validated",
      "callback.wrong_state",
      "refresh.invalid_grant",
    ]);
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    assertEquals(ids.filter((id, at) => ids.indexOf(id) !== at), []);
    assert(html.indexOf('id="drill-verdict"') < html.indexOf('id="finding-'));
    assert(html.indexOf('id="finding-') < html.indexOf('id="drill-form"'));
    assertNotMatch(html, /button-row sticky/, "The button of the form covers no result.");
    await lab.close();
  });
});

describe("U6: The list of flows", () => {
  it("has those of each drill in one row, with its verdict, and shows them on demand", async () => {
    const { lab, tab } = await openDrillTab("careless");
    const only: FaultName[] = ["callback.wrong_state", "callback.denied", "id_token.wrong_aud"];
    await lab.drill({ start: `${origin}/` }, only);
    let logins = 0;
    await lab.drill(async () => {
      await testClient().tokens(lab as never);
      return ++logins === 1;
    }, only);
    const rows = [...(await tab.html("/lab/flows")).matchAll(/<li class="row.*?<\/li>/gs)]
      .map(([row]) => row);
    const drills = rows.filter((row) => row.includes("Drill of"));
    assertEquals(drills.map((row) => textOf(row).replace(/ \d\d:\d\d:\d\d$/, "")), [
      "Drill Drill of a function, 4 flows No findings",
      // What is found is tried twice, with a control in between.
      "Drill Drill of http://localhost:3000, 8 flows Findings: 1 D, 1 C",
    ]);
    assertEquals(lab.flows().length - 12, rows.length - 2);
    const [, href = ""] = /href="(\/lab\/flows\?like=[^"]*)"/.exec(drills[1] ?? "") ?? [];
    const shown = await tab.html(href);
    assertEquals(shown.match(/id="open-flow-/g)?.length, 8);
    assertMatch(textOf(shown), /Drill of http:\/\/localhost:3000 .* 8 of \d+/);
    await lab.close();
  });
});

describe("The other requests on the page of flows", () => {
  it("are one row for each drill as well", async () => {
    const { lab, tab } = await openDrillTab("careful");
    await lab.drill(async () => {
      await (await lab.fetch(`${lab.issuer}/oauth2/jwks`)).text();
      await testClient().tokens(lab as never);
    }, ["callback.wrong_state", "callback.denied"]);
    const list = async (query: string) => {
      const html = await tab.html(`/lab/flows${query}`);
      const [, others = ""] = html.split('id="others"');
      return [...others.matchAll(/<li class="row.*?<\/li>/gs)].map(([row]) => textOf(row));
    };
    const [first = "", ...rest] = (await list("")).filter((row) => row.includes("Drill of"));
    assertMatch(first, /^Drill Drill of a function, 5 requests/);
    assertEquals(rest, []);
    const flow = lab.flows().at(-1)?.id;
    assertEquals((await list(`?like=${flow}`)).every((row) => row.includes("GET /")), true);
    await lab.close();
  });
});

describe("The flow of an attack that was accepted", () => {
  it("says so in its row and its heading, and opens at the step that the fault changed", async () => {
    const { lab, tab } = await openDrillTab("careless");
    const only: FaultName[] = ["id_token.wrong_aud", "logout_token.wrong_iss", "callback.denied"];
    const { findings, outcomes } = await lab.drill({ start: `${origin}/` }, only);
    const pages = new Map<string, string>();
    for (const { fault, flow } of outcomes) {
      pages.set(fault, textOf(await tab.html(`/lab/flows/${flow}`)));
    }
    assertEquals(findings.map(({ id }) => id), ["id_token.wrong_aud", "logout_token.wrong_iss"]);
    for (const { id, where } of findings) {
      const page = pages.get(id) ?? "";
      assertStringIncludes(page, `Attacked: ${id}, and accepted`);
      assertNotMatch(page, /correct/);
      assertMatch(
        textOf(await tab.html(`/lab/flows?q=${where.flow}&view=all`)),
        new RegExp(`Attacked: ${id}, and accepted`),
      );
    }
    assertMatch(pages.get("id_token.wrong_aud") ?? "", /Step \d+: POST \/oauth2\/token/);
    assertNotMatch(pages.get("callback.denied") ?? "", /Attacked/);
    await lab.close();
  });
});

describe("The page of the drill", () => {
  it("U5: starts a drill by a form, and shows how each hostile login ended", async () => {
    const { lab, tab, ended } = await openDrillTab("careless");
    const response = await tab.post("/lab/drill/start", { ...application, user: "bob" });
    assertEquals([response.status, response.headers.get("Location")], [303, "/lab/drill"]);
    // A page that is loaded now is loaded again once it hears of the lab.
    assertMatch(await tab.html("/lab/drill"), /id="drill" data-live[^>]* data-running/);
    await ended;
    const html = await tab.html("/lab/drill");
    assertNotMatch(html, /data-running/);
    const { accepted, verdict: { tested, total }, outcomes } = await resultOf(lab);
    assertStringIncludes(
      textOf(html),
      `D Findings: 2 D, 1 C, 2 B. ${tested} of ${total} checks.`,
    );
    assertMatch(
      textOf(html),
      /before a code is redeemed\. See it in flow-\d+ What to do: Compare the state with/,
    );
    assertMatch(html, /class="tag bad">D<.*href="\/lab\/flows\/flow-\d+#step"/s);
    assertStringIncludes(html, '<option value="bob" selected>');
    const faults: string[] = accepted.map(({ fault }) => fault);
    assertEquals(carelesslyAccepted.filter((fault) => !faults.includes(fault)), []);
    for (const { outcome, flow } of outcomes) {
      if (outcome === "accepted") assert(lab.flows().some(({ id }) => id === flow));
    }
    await lab.close();
  });

  it("starts a drill with a refresh and a sign-out, and keeps their URLs", async () => {
    const { lab, tab, ended } = await openDrillTab("careful");
    await tab.post("/lab/drill/start", application);
    await ended;
    const html = await tab.html("/lab/drill");
    for (const url of Object.values(application)) assertStringIncludes(html, `value="${url}"`);
    const shown = textOf(html);
    assertMatch(shown, /Attacks refused .*refresh\.wrong_sub .*After the login, .*status 400/);
    assertMatch(shown, /Optional checks .*callback\.doubled_state Refused\. /);
    assertMatch(shown, /logout_token\.with_nonce [^.]*\. The application .* status 400/);
    // A careful application refuses each hostile variant that it meets, and accepts each valid one.
    const { accepted, wronglyRefused, refused, tolerated, unmet } = await resultOf(lab);
    assertEquals([accepted, wronglyRefused], [[], []]);
    assertMatch(shown, /A No findings\. \d+ of \d+ checks\. /);
    const faults = drillVariants.map(({ fault }) => fault);
    assertEquals(unmet, faults.filter((fault) => unused.test(fault)));
    assertEquals(refused.length + tolerated.length, faults.length - unmet.length);
    const valid = drillVariants.filter(({ expectation }) => expectation === "accept")
      .map(({ fault }) => fault);
    assertEquals(
      valid.filter((fault) => !tolerated.includes(fault)),
      ["metadata.mtls_endpoint_aliases", "register.forgotten"],
    );
    await lab.close();
  });

  it("names a valid login that the application refuses", async () => {
    const { lab, tab } = await openDrillTab("careful");
    const only: FaultName[] = ["token.token_type_in_other_case", "id_token.aud_in_array"];
    let logins = 0;
    await lab.drill(async () => {
      const request = { grant_type: "client_credentials" };
      logins++;
      return (await testClient().token(lab, request, service)).body.token_type === "Bearer";
    }, only);
    // The one that fails is tried twice, with a control in between.
    assertEquals(logins, 5);
    const text = textOf(await tab.html("/lab/drill"));
    assertStringIncludes(text, "Findings: 1 C");
    assertMatch(text, /C Refuses [^.]* token\.token_type_in_other_case .*resolved to false/);
    await lab.close();
  });

  it("says that no signature was judged if the application fetches no keys", async () => {
    const sentence = "Signatures were not judged: the application fetched no keys in any login";
    for (const [carefulness, isUntested] of [["careless", true], ["careful", false]] as const) {
      const { lab, tab } = await openDrillTab(carefulness);
      await lab.drill({ start: `${origin}/` }, ["id_token.foreign_signature", "id_token.expired"]);
      const text = textOf(await tab.html("/lab/drill"));
      assertEquals(text.includes(sentence), isUntested, carefulness);
      await lab.close();
    }
  });

  it("shows why a drill was stopped", async () => {
    const { lab, tab, ended } = await openDrillTab("careful");
    await tab.post("/lab/drill/start", { start: "https://other.example/<script>" });
    await ended;
    const html = await tab.html("/lab/drill");
    assertEquals(
      textOf(html).split("The drill sends no request to https://other.example.").length,
      2,
    );
    assertMatch(textOf(html), /The drill stopped, and proves nothing\./);
    // The problem is next to its field, which keeps what was entered.
    assertMatch(html, /value="https:[^]*aria-invalid="true"[^>]*><p [^>]*id="problem"/);
    assert(!html.includes("<script>"), "escapes nothing");
    await lab.close();
  });

  it("shows every variant before the first drill", async () => {
    const { lab, tab } = await openDrillTab("careful");
    const html = await tab.html("/lab/drill");
    assertStringIncludes(html, "The ID token is not signed");
    assertStringIncludes(html, "Not tested yet");
    assertNotMatch(html, /JUnit XML/);
    await lab.close();
  });

  it("runs the same drill again by one button", async () => {
    const { lab, tab } = await openDrillTab("careful");
    await lab.drill({ ...application, severalIssuers: true }, ["callback.denied"]);
    const html = await tab.html("/lab/drill");
    const [form = ""] = /<form[^>]* id="drill-again".*?<\/form>/s.exec(html) ?? [];
    const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)]
      .map(([, name, value]) => [name, value]);
    const sent = Object.fromEntries(fields.filter(([name]) => name !== "form_token"));
    // It names what the drill has found, too.
    assertEquals(sent, { ...application, check: `${origin}/`, severalIssuers: "on" });
    await lab.close();
  });

  it("asks for a URL if the form has none", async () => {
    const { lab, tab, ended } = await openDrillTab("careful");
    await tab.post("/lab/drill/start", {});
    await ended;
    assertStringIncludes(textOf(await tab.html("/lab/drill")), "must be a URL of your application");
    await lab.close();
  });
});
