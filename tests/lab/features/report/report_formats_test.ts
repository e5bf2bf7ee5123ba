import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { reportChecks } from "../../../../src/lab/features/report/report.ts";
import { hallpass, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { escapeXml } from "../../../../src/lab/util/xml.ts";
import { itWith } from "../../../support/it_with.ts";
import { authorizationUrl, login } from "../../../support/login.ts";
import { testClient } from "../../../support/test_client.ts";

const it = itWith({ inLab: () => hallpass() });

const hostileId = `"><script>alert(1)</script>&'\u0000\ud800]]>`;

async function report(lab: TestLab, query: string): Promise<string> {
  const response = await lab.fetch(`${lab.issuer}/lab/report?${query}`);
  assertEquals(response.status, 200);
  return await response.text();
}

/** What tests read of a log in SARIF. */
interface SarifLog {
  version: string;
  runs: [{
    tool: { driver: { rules: Array<{ id: string }> } };
    results: Array<{
      ruleId: string;
      ruleIndex: number;
      level: string;
      message: { text: string };
      locations: unknown[];
      webRequest?: { method: string };
    }>;
  }];
}

async function sarif(lab: TestLab): Promise<SarifLog> {
  return JSON.parse(await report(lab, "format=sarif"));
}

function plainChallenge(lab: TestLab): Promise<Response> {
  return lab.fetch(authorizationUrl(lab, { code_challenge_method: "plain" }));
}

/** Leaves PKCE out, as a confidential client may. */
async function nonceAlone(lab: TestLab): Promise<void> {
  const changes = { code_challenge: undefined, code_challenge_method: undefined };
  const web = { client_id: "demo-web", nonce: "a-nonce-that-nobody-guesses" };
  await lab.fetch(authorizationUrl(lab, { ...web, ...changes }));
}

describe("Text in XML", () => {
  const cases: Array<[what: string, text: string, escaped: string]> = [
    ["markup", `<a b="c">&'`, "&lt;a b=&quot;c&quot;&gt;&amp;&apos;"],
    ["the end of a CDATA section", "]]>", "]]&gt;"],
    ["what XML cannot contain", "a\u0000\u001b\ud800\uffffb", "a\ufffd\ufffd\ufffd\ufffdb"],
    ["lines and tabs", "a\n\tb\r", "a&#10;&#9;b&#13;"],
    ["characters of every plane", "ä😀", "ä😀"],
  ];
  for (const [what, text, escaped] of cases) {
    it(`escapes ${what}`, () => assertEquals(escapeXml(text), escaped));
  }
});

describe("The report as JUnit XML", () => {
  it.inLab("has a suite for each client, with a case for each rule and one for refused requests", async (lab) => {
    await login(lab);
    await lab.fetch(authorizationUrl(lab, { client_id: "nobody" }));
    const xml = await report(lab, "format=junit");
    const suites = [...xml.matchAll(/<testsuite name="([^"]*)" tests="(\d+)" failures="(\d+)"/g)];
    const count = String(reportChecks.length + 1);
    assertEquals(suites.map(([, ...rest]) => rest), [
      ["demo-spa", count, "0"],
      ["nobody", count, "0"],
    ]);
    assertMatch(xml, /^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites name="hallpass" /);
  });

  it.inLab("fails the case of a broken rule, with what to do", async (lab) => {
    await plainChallenge(lab);
    const xml = await report(lab, "format=junit");
    const [failure] = /<failure .*/.exec(xml) ?? [];
    assertStringIncludes(failure ?? "", 'type="plain-challenge"');
    assertStringIncludes(
      failure ?? "",
      "request 1. Received: code_challenge_method=plain.&#10;  No gain was shown.&#10;  Send code_",
    );
    assertMatch(
      xml,
      /<testsuites name="hallpass" tests="\d+" failures="1" errors="0" skipped="0">/,
    );
  });

  it.inLab("fails because of refused requests only if they count", async (lab) => {
    await lab.fetch(authorizationUrl(lab, { redirect_uri: "https://app.example/wrong" }));
    assert(!(await report(lab, "format=junit")).includes("<failure"));
    const xml = await report(lab, "format=junit&refused=true");
    assertStringIncludes(xml, 'type="redirect_uri.registered"');
    assertStringIncludes(xml, "Received: &apos;https://app.example/wrong&apos;. ");
  });

  it.inLab("lists advice without a failure", async (lab) => {
    await nonceAlone(lab);
    const xml = await report(lab, "format=junit");
    assert(!xml.includes("<failure"));
    assertStringIncludes(
      xml,
      "<system-out>B nonce-instead-of-challenge (client demo-web): There is no PKCE",
    );
  });

  it.inLab("U6: is text as hallpass report prints it, without what moves a cursor", async (lab) => {
    await lab.fetch(authorizationUrl(lab, { client_id: "no\u001b[2Jbody" }));
    const text = await report(lab, "format=text");
    assertStringIncludes(
      text,
      "The report of 1 request to the lab:\nClient no\\u001b[2Jbody: Is refused\n",
    );
  });

  it.inLab("Z3: fails if no request reached the lab", async (lab) => {
    const xml = await report(lab, "format=junit");
    assertStringIncludes(xml, 'tests="1" failures="1" errors="0" skipped="0"');
    assertStringIncludes(xml, '<failure message="No request reached this lab."');
  });

  it.inLab("escapes what clients send", async (lab) => {
    await lab.fetch(
      authorizationUrl(lab, { client_id: hostileId, code_challenge_method: hostileId }),
    );
    const xml = await report(lab, "format=junit&refused=true");
    assertStringIncludes(xml, "&quot;&gt;&lt;script&gt;alert(1)");
    assert(!xml.includes("<script"));
    // deno-lint-ignore no-control-regex
    assert(!/[\u0000\ud800]/.test(xml));
  });
});

describe("The report in SARIF", () => {
  it.inLab("has a rule for each result, with its level", async (lab) => {
    await plainChallenge(lab);
    await nonceAlone(lab);
    const { version, runs: [{ tool, results }] } = await sarif(lab);
    assertEquals(version, "2.1.0");
    assertEquals(results.map(({ ruleId, level }) => [ruleId, level]), [
      ["plain-challenge", "warning"],
      ["nonce-instead-of-challenge", "note"],
      ["refused-request", "warning"],
    ]);
    for (const { ruleId, ruleIndex } of results) {
      assertEquals(tool.driver.rules[ruleIndex]?.id, ruleId);
    }
  });

  it.inLab("has the client and the request of a result, without secrets", async (lab) => {
    await testClient({ client_id: "demo-service", client_secret: "hidden-secret" }).token(lab, {});
    const { runs: [{ results: [result] }] } = await sarif(lab);
    assertEquals(result?.locations, [{
      physicalLocation: { artifactLocation: { uri: `${lab.issuer}/oauth2/token` } },
      logicalLocations: [{ name: "demo-service", kind: "client" }],
    }]);
    assertEquals(result?.webRequest?.method, "POST");
    assert(!JSON.stringify(result).includes("hidden-secret"));
  });

  it.inLab("Z3: is an error if no request reached the lab", async (lab) => {
    const { runs: [{ results }] } = await sarif(lab);
    assertEquals(results.map(({ level, message }) => [level, message.text]), [
      [
        "error",
        "No request reached this lab. Configure the application with the issuer of the lab, " +
        "and run its tests.",
      ],
    ]);
  });

  it.inLab("is a file of its own media type", async (lab) => {
    await lab.fetch(`${lab.issuer}/oauth2/jwks`);
    const response = await lab.fetch(`${lab.issuer}/lab/report?format=sarif`);
    assertEquals(response.headers.get("Content-Type"), "application/sarif+json");
    assertEquals((await response.json()).runs[0].results, []);
  });
});

describe("The format of the report", () => {
  it.inLab("must be one that exists", async (lab) => {
    const response = await lab.fetch(`${lab.issuer}/lab/report?format=pdf`);
    assertEquals(response.status, 400);
    assertStringIncludes((await response.json()).error_description, "json, text, junit, sarif");
  });

  it.inLab("is JSON for a program that names none", async (lab) => {
    assertEquals(JSON.parse(await report(lab, "")), lab.report());
  });
});
