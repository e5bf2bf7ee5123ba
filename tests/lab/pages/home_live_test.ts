import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import { textOf } from "../../support/browser.ts";
import { openLabKit } from "../../support/kit.ts";
import { hasFeature, needs } from "../../support/where_feature.ts";

const ofFeatures = ["faults", "report"].filter((each) => hasFeature(each));
const ids = ["flows", ...ofFeatures];

/** Returns a section of a page as text. */
function section(html: string, id: string): string {
  const found = new RegExp(`<section class="[^"]*" id="${id}"[\\s\\S]*?</section>`).exec(html);
  return textOf(found?.[0] ?? "");
}

/** Returns the counters of the navigation. */
function countsIn(html: string): Record<string, string> {
  const found = [...html.matchAll(/class="count" id="count-(\w+)" data-live="?\w*"?>(\d*)</g)];
  return Object.fromEntries(found.flatMap(([, id = "", count]) => count ? [[id, count]] : []));
}

describe("The home page of a lab that clients use", () => {
  it("E11: shows what became of the latest flow, and leads to all", async () => {
    const kit = openLabKit();
    const home = async () => section(await (await kit.get("/")).text(), "listener");
    assertMatch(await home(), /Waiting for the first request/);
    await kit.tokens();
    assertMatch(await home(), /alice → demo-spa, 00:00: Tokens issued/);
    await kit.get("/oauth2/authorize?client_id=demo-spa&redirect_uri=https://wrong.example");
    assertMatch(await home(), /A request was refused demo-spa, 00:00 : invalid_request/);
    assertMatch(await home(), /See what happened All flows/);
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
    assertEquals([section(stranger, "listener"), countsIn(stranger)], ["", {}]);
    assertNotMatch(stranger, /flow-1/);
    const owner = await kit.get("/", { Authorization: `Bearer ${labToken}` });
    assertMatch(section(await owner.text(), "listener"), /alice → demo-spa/);
  });

  it("shows neither secrets nor passwords without the token of the lab", async () => {
    const labToken = "a-token-of-the-lab-with-36-characters";
    const kit = openLabKit({
      labToken,
      clients: [{
        id: "app",
        secret: "a-secret-of-an-application",
        redirectUris: ["https://app.example/callback"],
      }],
      users: [{ name: "zoe", password: "a-password-of-zoe" }],
    });
    const secret = /a-secret-of-an-application|a-password-of-zoe/;
    const pages = ["/", "/lab/setup", "/lab/clients/app"];
    const shown = async (path: string, headers: Record<string, string>) =>
      await (await kit.get(path, { Accept: "text/html", ...headers })).text();
    for (const path of pages) assertNotMatch(await shown(path, {}), secret);
    const owner = { Authorization: `Bearer ${labToken}` };
    if (hasFeature("connect")) assertMatch(await shown("/", owner), /a-secret-of-an-application/);
    assertMatch(await shown("/lab/setup", owner), /a-password-of-zoe/);
  });

  it("shows neither where the pages of the lab have a port of their own", async () => {
    const kit = openLabKit({ controlApart: true });
    await kit.tokens();
    const html = await (await kit.get("/")).text();
    assertEquals([section(html, "listener"), countsIn(html)], ["", {}]);
  });

  it("has each counter on every page of the lab", async () => {
    const html = await (await openLabKit().get("/")).text();
    for (const id of ids) assert(html.includes(`id="count-${id}"`), id);
  });
});
