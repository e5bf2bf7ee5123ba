import { hallpass } from "hallpass/testing";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { beginLogin, redirectUri } from "./app.ts";

const clients = [{ id: "web", redirectUris: [redirectUri] }];

describe("Our login", () => {
  it("signs Alice in and breaks no rule", async () => {
    await using lab = await hallpass({ clients });
    const login = await beginLogin(lab.issuer, lab.fetch);
    const { callback } = await lab.authorize(login.url, { user: "alice" });
    assert.equal((await login.finish(callback)).sub, "alice");
    lab.assertClean({ refused: true });
  });

  it("rejects every hostile variant of a login", async () => {
    await using lab = await hallpass({ clients });
    const { findings } = await lab.drill(async () => {
      const login = await beginLogin(lab.issuer, lab.fetch);
      const { callback } = await lab.authorize(login.url, { user: "alice" });
      await login.finish(callback);
    });
    assert.deepEqual(findings, []);
  });
});
