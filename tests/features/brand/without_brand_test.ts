import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { firstMatch } from "../../support/present.ts";
import { openWithAndWithout } from "../../support/without_feature.ts";

const brand = { name: "Acme", stylesheet: ".card { border-radius: 0 }" };

describe("A server without brands, beside one that has a brand", () => {
  it("shows its own name and logo, and serves none of the other's files", async () => {
    const { whole, without } = openWithAndWithout("brand", {}, { brand });
    const branded = await whole.browser().open(`${whole.issuer}/`);
    const { html } = await without.browser().open(`${without.issuer}/`);
    assertStringIncludes(html, "<bdi>Hallpass</bdi>");
    const stylesheet = firstMatch(branded.html, /href="(\/static\/brand[^"]*)"/);
    const statuses = [await whole.get(stylesheet), await without.get(stylesheet)];
    assertEquals(statuses.map(({ status }) => status), [200, 404]);
    const logo = firstMatch(html, /<img src="([^"]*)"/);
    assertEquals((await without.get(logo)).status, 200);
  });
});
