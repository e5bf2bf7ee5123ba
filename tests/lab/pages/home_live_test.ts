import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import { textOf } from "../../support/browser.ts";
import { openLabKit } from "../../support/kit.ts";
import { hasFeature, needs } from "../../support/where_feature.ts";

const ofFeatures = ["faults", "report"].filter((each) => hasFeature(each));
const ids = ["flows", ...ofFeatures];

/** Returns a section of a page as text. */
function section(html: string, id: string): string {
  const found = new RegExp(`<section class="panel" id="${id}"[\\s\\S]*?</section>`).exec(html);
  return textOf(found?.[0] ?? "");
}

/** Returns the counters of the navigation. */
function countsIn(html: string): Record<string, string> {
  const found = [...html.matchAll(/class="count" id="count-(\w+)" data-live="?\w*"?>(\d*)</g)];
  return Object.fromEntries(found.flatMap(([, id = "", count]) => count ? [[id, count]] : []));
}

describe("The home page of a lab that clients use", () => {
  it("E11: shows the latest flows, and marks what was refused", async () => {
    const kit = openLabKit();
    const home = async () => await (await kit.get("/")).text();
    assertMatch(section(await home(), "latest-flows"), /No flows yet/);
    await kit.tokens();
    await kit.get("/oauth2/authorize?client_id=demo-spa&redirect_uri=https://wrong.example");
    const shown = section(await home(), "latest-flows");
    assertMatch(shown, /demo-spa, 00:00 Refused: invalid_request.* alice → demo-spa, 00:00/);
    assertMatch(shown, /alice → demo-spa, 00:00 Tokens issued/);
    for (let i = 0; i < 6; i++) await kit.get("/oauth2/authorize?client_id=demo-spa");
    assertEquals(section(await home(), "latest-flows").match(/demo-spa, 00:00/g)?.length, 5);
  });

  it("E11: counts in the navigation, which leads to each area", needs("faults"), async () => {
    const kit = openLabKit();
    kit.lab.fault("token.slow", { client: "nobody" });
    await kit.tokens();
    await kit.get("/oauth2/authorize?client_id=demo-spa&redirect_uri=https://wrong.example");
    for (const path of ["/", "/lab/flows", "/lab/faults"]) {
      const html = await (await kit.get(path, { Accept: "text/html" })).text();
      const { report, ...counts } = countsIn(html);
      assertEquals(counts, { flows: "2", faults: "1" });
      if (hasFeature("report")) assert(Number(report) >= 1, report);
      assertMatch(html, /href="\/lab\/flows"/);
    }
  });

  it("shows neither flows nor counters without the token of the lab", async () => {
    const labToken = "a-token-of-the-lab-with-36-characters";
    const kit = openLabKit({ labToken });
    await kit.tokens();
    const stranger = await (await kit.get("/")).text();
    assertEquals([section(stranger, "latest-flows"), countsIn(stranger)], ["", {}]);
    assertNotMatch(stranger, /flow-1/);
    const owner = await kit.get("/", { Authorization: `Bearer ${labToken}` });
    assertMatch(section(await owner.text(), "latest-flows"), /alice → demo-spa/);
  });

  it("shows neither secrets nor passwords without the token of the lab", async () => {
    const labToken = "a-token-of-the-lab-with-36-characters";
    const kit = openLabKit({
      labToken,
      clients: [{ id: "app", secret: "a-secret-of-an-application" }],
      users: [{ name: "zoe", password: "a-password-of-zoe" }],
    });
    const secret = /a-secret-of-an-application|a-password-of-zoe/;
    assertNotMatch(await (await kit.get("/")).text(), secret);
    const owner = await kit.get("/", { Authorization: `Bearer ${labToken}` });
    assertMatch(await owner.text(), secret);
  });

  it("shows neither where the pages of the lab have a port of their own", async () => {
    const kit = openLabKit({ controlApart: true });
    await kit.tokens();
    const html = await (await kit.get("/")).text();
    assertEquals([section(html, "latest-flows"), countsIn(html)], ["", {}]);
  });

  it("has each counter on every page of the lab", async () => {
    const html = await (await openLabKit().get("/")).text();
    for (const id of ids) assert(html.includes(`id="count-${id}"`), id);
  });
});
