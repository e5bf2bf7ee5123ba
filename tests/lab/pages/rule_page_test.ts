import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { openLab } from "../../../src/lab/open_lab.ts";
import { ruleCatalogue } from "../../../src/lab/util/rule_catalogue.ts";
import { flowIssuer, redeemIn } from "../../support/lab_flow.ts";
import { openTab } from "../../support/lab_tab.ts";

describe("The page of the rules", () => {
  it("has each rule once, by its id", async () => {
    await using lab = openLab({ issuer: flowIssuer });
    const html = await (await openTab(lab)).html("/lab/rules");
    const { rules } = ruleCatalogue;
    const shown = [...html.matchAll(/<li id="([^"]+)">/g)].map(([, id]) => id);
    assertEquals(shown.sort(), rules.map(({ id }) => id).sort());
  });

  it("is searched by words, and unfolds what it finds", async () => {
    await using lab = openLab({ issuer: flowIssuer });
    const tab = await openTab(lab);
    const found = await tab.html("/lab/rules?q=dpop+nonce");
    const shown = [...found.matchAll(/<li id="([^"]+)">/g)].map(([, id]) => id);
    assert(shown.length > 0 && shown.length < 10);
    assertMatch(found, /<details class="panel group" id="group-dpop" open/);
    assertEquals((await tab.html("/lab/rules")).includes('id="group-dpop" open'), false);
    assertStringIncludes(await tab.html("/lab/rules?q=no+such"), "No entry matches");
  });

  it("names where each rule is applied, and no file of the tests", async () => {
    await using lab = openLab({ issuer: flowIssuer });
    const html = await (await openTab(lab)).html("/lab/rules");
    const [, entry = ""] = /<li id="code\.known">(.*?)<\/li>/s.exec(html) ?? [];
    assertStringIncludes(entry, "Applied at: <code>POST /oauth2/token, authorization_code</code>");
    assertEquals(html.includes("_rows.ts"), false);
  });

  it("counts the recorded requests that passed a rule and that broke it", async () => {
    await using lab = openLab({ issuer: flowIssuer });
    for (const code of ["unknown", "also unknown"]) await redeemIn(lab, code);
    const html = await (await openTab(lab)).html("/lab/rules");
    const [, entry = ""] = /<li id="code\.known">(.*?)<\/li>/s.exec(html) ?? [];
    assertStringIncludes(entry, "2 failed");
    assertMatch(html, /<li id="code\.present">.*?2 passed/s);
  });
});
