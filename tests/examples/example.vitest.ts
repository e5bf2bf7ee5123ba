import { expect, test as base } from "hallpass/vitest";
import { afterEach, vi } from "vitest";
import { beginLogin, redirectUri } from "./app.ts";

const test = base.extend({ hallpass: { clients: [{ id: "web", redirectUris: [redirectUri] }] } });

afterEach(() => void vi.useRealTimers());

test("signs Alice in and breaks no rule", async ({ lab }) => {
  const login = await beginLogin(lab.issuer, lab.fetch);
  const { callback } = await lab.authorize(login.url, { user: "alice" });
  expect((await login.finish(callback)).sub).toBe("alice");
});

test("gets an error after the token has expired, with fake timers and the global fetch", async ({ lab }) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  using _ = lab.intercept();
  lab.expect("token.active");
  const login = await beginLogin(lab.issuer);
  const { callback } = await lab.authorize(login.url, { user: "alice" });
  const { profile } = await login.finish(callback);
  vi.advanceTimersByTime(61 * 60_000);
  await expect(profile()).rejects.toThrow();
});
