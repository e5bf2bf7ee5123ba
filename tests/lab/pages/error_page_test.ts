import { assert } from "@std/assert";
import { describe, it } from "node:test";
import { openKit, openLabKit } from "../../support/kit.ts";

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
