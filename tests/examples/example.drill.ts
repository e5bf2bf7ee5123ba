// For a report in CI: node --test --test-reporter=junit --test-reporter-destination=drill.xml
import { hallpass } from "hallpass/testing";
import assert from "node:assert/strict";
import { it } from "node:test";
import { beginLogin, redirectUri } from "./app.ts";

it("rejects every hostile variant of a login", async (test) => {
  await using lab = await hallpass({ clients: [{ id: "web", redirectUris: [redirectUri] }] });
  const { accepted, refused, unmet } = await lab.drill(async () => {
    const login = await beginLogin(lab.issuer, lab.fetch);
    const { callback } = await lab.authorize(login.url, { user: "alice" });
    await (await login.finish(callback)).profile();
  });
  for (const fault of refused) await test.test(fault, () => {});
  for (const fault of unmet) await test.test(fault, { skip: "did not happen" }, () => {});
  for (const { fault, see } of accepted) {
    await test.test(fault, () => assert.fail(`The application accepted it, against ${see}.`));
  }
});
