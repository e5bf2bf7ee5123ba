import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { openLab } from "../../../src/lab/open_lab.ts";
import { openTab } from "../../support/lab_tab.ts";
import { needs } from "../../support/where_feature.ts";

const confined = { reason: "This lab has no network.", command: "deno task start" };

describe("A lab that reaches nothing outside of it", () => {
  for (
    const [path, feature] of [["/lab/drill", "drill"], ["/lab/drill/api", "api_drill"]] as const
  ) {
    it(
      `says so in place of the form, with the command that runs one: ${path}`,
      needs(feature),
      async () => {
        for (const given of [undefined, confined]) {
          const lab = openLab({ issuer: "http://localhost:9000", confined: given });
          const html = await (await openTab(lab)).html(path);
          await lab.close();
          assert(/type="submit"[^>]*>(?:Run the drill|Drill the API)/.test(html) === !given, html);
          if (given) assertMatch(html, /This lab has no network\..*deno task start/s);
        }
      },
    );
  }

  it("says so on its first page, where an application is connected", needs("connect"), async () => {
    for (const given of [undefined, confined]) {
      const lab = openLab({ issuer: "http://localhost:9000", confined: given });
      const html = await (await openTab(lab)).html("/");
      await lab.close();
      assertEquals(/This lab has no network\..*deno task start/s.test(html), given !== undefined);
    }
  });

  it("waits for no request of an application there, which it cannot have", async () => {
    const lab = openLab({ issuer: "http://localhost:9000", confined });
    const html = await (await openTab(lab)).html("/");
    await lab.close();
    assertMatch(html, /Nothing has happened yet: start a flow below/);
    assertEquals(html.includes("Waiting for the first request"), false);
  });
});
