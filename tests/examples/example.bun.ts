import { expect, test } from "bun:test";
import { hallpass } from "hallpass/testing";
import { beginLogin, redirectUri } from "./app.ts";

const clients = [{ id: "web", redirectUris: [redirectUri] }];

test("signs Alice in and breaks no rule", async () => {
  await using lab = await hallpass({ clients });
  const login = await beginLogin(lab.issuer, lab.fetch);
  const { callback } = await lab.authorize(login.url, { user: "alice" });
  expect((await login.finish(callback)).sub).toBe("alice");
  lab.assertClean({ refused: true });
});

test("rejects the login if Alice denies it", async () => {
  await using lab = await hallpass({ clients });
  const login = await beginLogin(lab.issuer, lab.fetch);
  const { callback, error } = await lab.authorize(login.url, { user: "alice", decision: "deny" });
  expect(error).toBe("access_denied");
  await expect(login.finish(callback)).rejects.toThrow();
});
