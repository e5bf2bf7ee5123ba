import * as runner from "bun:test";
import { collectTests } from "hallpass/vet";
import assert from "node:assert/strict";
import { beginLogin, redirectUri } from "./app.ts";

// The tests are registered with Bun as ever, and can be repeated.
const { hallpass, test, vet } = collectTests(runner);
const clients = [{ id: "web", redirectUris: [redirectUri] }];

test("signs Alice in", async () => {
  await using lab = await hallpass({ clients });
  const login = await beginLogin(lab.issuer, lab.fetch);
  const { callback } = await lab.authorize(login.url, { user: "alice" });
  const { sub } = await login.finish(callback);
  assert.equal(sub, "alice");
});

// Fails if the application accepts an attack, or if less than 90 % make a test fail.
vet({ failUnder: 90, onResult: ({ text }) => console.log(text) });
