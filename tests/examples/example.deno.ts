import { hallpass } from "hallpass/testing";
import { deepStrictEqual, rejects, strictEqual } from "node:assert";
import { beginLogin, redirectUri } from "./app.ts";

const clients = [{ id: "web", redirectUris: [redirectUri] }];

Deno.test("signs Alice in and breaks no rule", async () => {
  await using lab = await hallpass({ clients });
  const login = await beginLogin(lab.issuer, lab.fetch);
  const { callback } = await lab.authorize(login.url, { user: "alice" });
  const { sub, profile } = await login.finish(callback);
  deepStrictEqual([sub, (await profile()).name], ["alice", "Alice Adler"]);
  lab.assertClean({ refused: true });
});

Deno.test("gets an error after the token has expired", async () => {
  await using lab = await hallpass({ clients });
  const login = await beginLogin(lab.issuer, lab.fetch);
  const { callback } = await lab.authorize(login.url, { user: "alice" });
  const { profile } = await login.finish(callback);
  lab.clock.advance("61m");
  await rejects(profile);
  strictEqual((await lab.waitForRequest({ path: "/oauth2/userinfo" })).response?.status, 401);
});
