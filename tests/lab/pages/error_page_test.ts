import { assert, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { openKit, openLabKit } from "../../support/kit.ts";
import { needs } from "../../support/where_feature.ts";

describe("The page of an error", () => {
  it("U6: begins with what a developer can mend in a lab, and with a user's way out elsewhere", async () => {
    for (const [kit, isFirst] of [[openLabKit(), true], [openKit(), false]] as const) {
      const { html } = await kit.browser().open(kit.authorizationUrl({ client_id: "who" }));
      const [details, advice] = ['class="developer"', 'class="lead"'].map((each) =>
        html.indexOf(each)
      );
      assert(Number(details) > 0 && Number(advice) > 0);
      assert(Number(details) < Number(advice) === isFirst);
    }
  });
});

describe("The notice of a lab", () => {
  const pages = [
    ["/account", / Users of a real server manage their account here\./, needs("account pages")],
    ["/oauth2/authorize", /anyone\.$/, {}],
  ] as const;
  for (const [path, expected, options] of pages) {
    it(`U6: says what ${path} is`, options, async () => {
      const kit = openLabKit();
      const { html } = await kit.browser().open(kit.issuer + path);
      assertMatch(/id="notice"[^>]*>([^<]*)</.exec(html)?.[1] ?? "", expected);
    });
  }
});
