import {
  assert,
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertStringIncludes,
} from "@std/assert";
import { describe, it } from "node:test";
import { drillVariants } from "../../../../src/lab/features/drill/variants/variants.ts";
import type { LabEvent } from "../../../../src/lab/recording/lab_event.ts";
import type { DrillResult, FaultName, TestLab } from "../../../../src/lab/testing/mod.ts";
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
  ...["callback.fixated_session", "callback.wrong_state", "callback.wrong_iss"],
  ...["id_token.alg_none", "refresh.wrong_sub", "logout_token.alg_none"],
];

/** The application reads no metadata, has one redirect URI, and asks for no signed responses. */
const unused =
  /^(jarm|metadata)\.|^userinfo\.(wrong_iss|wrong_aud|alg_none|foreign_signature)$|^callback\.other_redirect_uri$/;

async function resultOf(lab: TestLab): Promise<DrillResult> {
  return await (await lab.fetch(`${lab.issuer}/lab/drill`)).json();
}

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
    const { accepted, refused, tolerated, unmet, outcomes } = await resultOf(lab);
    const handled = refused.length + tolerated.length;
    assertStringIncludes(
      textOf(html),
      `The application accepted ${accepted.length} hostile logins. It handled ${handled} as it should: ` +
        `it refused ${refused.length}, and accepted ${tolerated.length} that it need not refuse. ` +
        `It did not meet ${unmet.length}.`,
    );
    assertMatch(textOf(html), /Signed authorization responses 8 variants, 0 tested, 8 not met/);
    assertMatch(textOf(html), /who then uses their account\. What to do: Compare the state with/);
    assertMatch(html, /class="tag bad">Accepted<.*href="\/lab\/flows\/flow-4"/s);
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
    assertMatch(textOf(html), /refresh\.wrong_sub Refuse it Refused After the login, .*status 400/);
    const shown = textOf(html);
    assertMatch(shown, /logout_token\.with_nonce Refuse it Refused The application .* status 400/);
    // A careful application refuses each hostile variant that it meets, and accepts each valid one.
    const { accepted, wronglyRefused, refused, tolerated, unmet } = await resultOf(lab);
    assertEquals([accepted, wronglyRefused], [[], []]);
    const faults = drillVariants.map(({ fault }) => fault);
    assertEquals(unmet, faults.filter((fault) => unused.test(fault)));
    assertEquals(refused.length + tolerated.length, faults.length - unmet.length);
    const valid = drillVariants.filter(({ expectation }) => expectation === "accept")
      .map(({ fault }) => fault);
    assertEquals(
      valid.filter((fault) => !tolerated.includes(fault)),
      ["metadata.mtls_endpoint_aliases"],
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
    assertEquals(logins, 3);
    const text = textOf(await tab.html("/lab/drill"));
    assertStringIncludes(text, "accepted no hostile login. It refused 1 valid login. It handled 0");
    assertMatch(text, /token_type_in_other_case Accept it Wrongly refused The login resolved to/);
    await lab.close();
  });

  it("says that no signature was tested if the application fetched no keys", async () => {
    const sentence = "Signatures were not tested: the application fetched no keys.";
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
    assertStringIncludes(textOf(html), "The drill sends no request to https://other.example.");
    assertMatch(textOf(html), /\. The drill proves nothing, and was stopped\./);
    assertMatch(html, /JUnit XML/);
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

  it("asks for a URL if the form has none", async () => {
    const { lab, tab, ended } = await openDrillTab("careful");
    await tab.post("/lab/drill/start", {});
    await ended;
    assertStringIncludes(textOf(await tab.html("/lab/drill")), "must be a URL of your application");
    await lab.close();
  });
});
