import { hallpass } from "hallpass/testing";
import { afterEach, expect, test, vi } from "vitest";
import { beginLogin, redirectUri } from "./app.ts";

const clients = [{ id: "web", redirectUris: [redirectUri] }];

afterEach(() => void vi.useRealTimers());

test("signs Alice in and breaks no rule", async () => {
  await using lab = await hallpass({ clients });
  const login = await beginLogin(lab.issuer, lab.fetch);
  const { callback } = await lab.authorize(login.url, { user: "alice" });
  expect((await login.finish(callback)).sub).toBe("alice");
  lab.assertClean({ refused: true });
});

test("gets an error after the token has expired, with fake timers and the global fetch", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  await using lab = await hallpass({ clients });
  using _ = lab.intercept();
  const login = await beginLogin(lab.issuer);
  const { callback } = await lab.authorize(login.url, { user: "alice" });
  const { profile } = await login.finish(callback);
  vi.advanceTimersByTime(61 * 60_000);
  await expect(profile()).rejects.toThrow();
});
