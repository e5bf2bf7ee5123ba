// For a report in CI: node --test --test-reporter=junit --test-reporter-destination=drill.xml
import { hallpass } from "hallpass/testing";
import assert from "node:assert/strict";
import { it } from "node:test";
import { beginLogin, redirectUri } from "./app.ts";

it("handles every variant of a login as it must", async (test) => {
  await using lab = await hallpass({ clients: [{ id: "web", redirectUris: [redirectUri] }] });
  const { outcomes } = await lab.drill(async () => {
    const login = await beginLogin(lab.issuer, lab.fetch);
    const { callback } = await lab.authorize(login.url, { user: "alice" });
    await (await login.finish(callback)).profile();
  });
  for (const { fault, expectation, outcome, reason, see } of outcomes) {
    const isWrong = outcome === "accepted" || outcome === "wrongly_refused";
    await test.test(fault, { skip: outcome === "unmet" && "did not happen" }, () => {
      assert(!isWrong, `It must ${expectation} this, by ${see}. ${reason ?? ""}`);
    });
  }
});
