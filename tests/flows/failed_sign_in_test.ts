import { assertEquals } from "@std/assert";
import { describe } from "node:test";
import { add as addUser, disable as disableUser } from "../../src/administration/users.ts";
import type { Config } from "../../src/server/features.ts";
import { itWith } from "../support/it_with.ts";
import { openStrictKit, spa } from "../support/kit.ts";
import { needs } from "../support/where_feature.ts";

const password = "a password of someone";

async function openWithUsers(config: Partial<Config> = {}) {
  const kit = openStrictKit({ clients: [spa()], ...config });
  const { context } = kit.server;
  const claims = { email: "ada@mail.example" };
  await addUser(context, { name: "ada", password, claims });
  await addUser(context, { name: "invited" });
  await addUser(context, { name: "gone", password });
  await disableUser(context, "gone");
  /** Signs in, and returns what the log learns. */
  return async (username: string, typed: string) => {
    const browser = kit.browser();
    const page = await browser.open(kit.authorizationUrl({ scope: "openid" }));
    await browser.submit(page, "sign-in", { username, password: typed });
    return kit.events.filter(({ type }) => type.startsWith("sign_in.")).at(-1);
  };
}

const it = itWith({ inServer: openWithUsers });

const cases: Readonly<Record<string, [username: string, typed: string, learned: object]>> = {
  "a wrong password": ["ada", "wrong", { user: "ada", reason: "wrong password" }],
  "a disabled user": ["gone", password, { user: "gone", reason: "disabled" }],
  "a user who has not chosen a password": ["invited", password, {
    user: "invited",
    reason: "no password",
  }],
  "an unknown name, which may be a password": ["hunter2", "ada", { reason: "unknown user" }],
};

describe("The log of a failed sign-in", () => {
  for (const [title, [username, typed, learned]] of Object.entries(cases)) {
    it.inServer(`names its reason: ${title}`, async (signIn) => {
      assertEquals<unknown>(await signIn(username, typed), { type: "sign_in.failed", ...learned });
    });
  }

  it("names who has not verified the address", needs("sign-in by e-mail"), async () => {
    const signIn = await openWithUsers({ signInByEmail: true });
    assertEquals<unknown>(await signIn("ADA@mail.example", password), {
      type: "sign_in.failed",
      user: "ada",
      reason: "e-mail address not verified",
    });
  });

  it("has no reason where a policy of the configuration decides", async () => {
    const signIn = await openWithUsers({
      policies: { authenticate: () => Promise.resolve(undefined) },
    });
    assertEquals<unknown>(await signIn("ada", password), { type: "sign_in.failed", user: "ada" });
    assertEquals<unknown>(await signIn("stranger", password), { type: "sign_in.failed" });
  });
});
