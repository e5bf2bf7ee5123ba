import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import * as users from "../../../src/administration/users.ts";
import { createPasswordLink } from "../../../src/server/features/account/password_links.ts";
import {
  createPasskeyLink,
  removePasskey,
} from "../../../src/server/features/passkeys/administer_passkeys.ts";
import { findOwner } from "../../../src/server/features/passkeys/passkeys.ts";
import { findUser } from "../../../src/server/issuer/users/users.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import type { Store } from "../../../src/server/store/store.ts";
import { type Browser, textOf } from "../../support/browser.ts";
import type { Kit } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import {
  enrol,
  newPasskeyOf,
  openEnrolled,
  openPasskeyKit,
  password,
  signInByPasskey,
  signInByPassword,
} from "./passkey_kit.ts";
import { createAuthenticator, flag } from "./software_authenticator.ts";

async function passkeysOf(kit: Kit): Promise<string[]> {
  const { context } = kit.server;
  const owner = await findOwner(context, present(await findUser(context, "dora")));
  return present(owner).passkeys.map(({ id }) => id);
}

async function open(kit: Kit, browser: Browser) {
  return await browser.open(`${kit.issuer}/account/passkeys`);
}

function formsToRemove(html: string): string[] {
  return [...html.matchAll(/id="(remove-[^"]+)"/g)].map(([, id]) => present(id));
}

describe("An attacker of passkeys", () => {
  it("who knows the password adds none next to the owner's first, sent at the same moment", async () => {
    const kit = await openPasskeyKit();
    const browsers = [kit.browser(), kit.browser()];
    const send = await Promise.all(browsers.map(async (browser, at) => {
      await signInByPassword(kit, browser);
      const page = await open(kit, browser);
      const authenticator = await createAuthenticator({ id: at === 0 ? "b3duZXI" : "dGhpZWY" });
      const passkey = await newPasskeyOf(kit, browser, authenticator);
      return () => browser.submit(page, "add-passkey", { passkey });
    }));
    const statuses = (await Promise.all(send.map((each) => each()))).map(({ status }) => status);
    assertEquals(statuses.toSorted(), [303, 422]);
    assertEquals((await passkeysOf(kit)).length, 1);
  });

  it("who knows the password, and opened the form before, adds none after the owner's first", async () => {
    const kit = await openPasskeyKit();
    const thief = kit.browser();
    await signInByPassword(kit, thief);
    const page = await open(kit, thief);
    const authenticator = await createAuthenticator({ id: "dGhpZWY" });
    const passkey = await newPasskeyOf(kit, thief, authenticator);
    const owner = kit.browser();
    await signInByPassword(kit, owner);
    await enrol(kit, owner);
    assertEquals((await thief.submit(page, "add-passkey", { passkey })).status, 303);
    assertEquals((await passkeysOf(kit)).includes("dGhpZWY"), false);
    // The owner's change also signed them out.
    assertMatch((await thief.open(`${kit.issuer}/account`)).html, /id="sign-in"/);
  });

  it("who knows the password changes nothing of who has a passkey", async () => {
    const { kit } = await openEnrolled();
    const thief = kit.browser();
    await signInByPassword(kit, thief);
    for (const change of ["add", "rename", "remove", "only", "also"]) {
      const body = new URLSearchParams({ change });
      const response = await thief.request(`${kit.issuer}/account/passkeys`, {
        ...{ method: "POST", body },
      });
      assertEquals([response.status, response.headers.get("Location")], [
        303,
        "/account/passkeys",
      ]);
    }
  });

  it("who stole a session of a sign-in by passkey changes nothing ten minutes later", async () => {
    const { kit, signIn } = await openEnrolled();
    const { browser } = await signIn();
    const page = await open(kit, browser);
    kit.clock.advance(600);
    const [form] = formsToRemove(page.html);
    assertEquals((await browser.submit(page, present(form))).status, 303);
    assertEquals((await passkeysOf(kit)).length, 1);
  });

  it("who stole a session cannot renew it by the password, which proves less", async () => {
    const { kit, signIn } = await openEnrolled();
    const { browser } = await signIn();
    kit.clock.advance(601);
    const page = await browser.open(`${kit.issuer}/account/passkeys`);
    await browser.submit(page, "sign-in", { username: "dora", password });
    assertNotMatch((await open(kit, browser)).html, /add-passkey/);
  });

  it("who has a used challenge does not raise the counter", async () => {
    const { kit, signIn } = await openEnrolled();
    const alone = flag.present | flag.verified | flag.eligible;
    const { browser } = await signIn({ counter: 1, flags: alone });
    const challenge = await (await browser.request(`${kit.issuer}/passkeys/challenge`)).json();
    const statuses: number[] = [];
    for (const counter of [5, 9]) {
      const { page } = await signIn({ counter, flags: alone, ...challenge }, browser);
      statuses.push(page.status);
    }
    statuses.push((await signIn({ counter: 6, flags: alone })).page.status);
    assertEquals(statuses, [200, 422, 200]);
  });

  it("who got the link for a password gets no passkey, and no session under a demand", async () => {
    const { kit, signIn } = await openEnrolled();
    const { browser } = await signIn();
    await browser.submit(await open(kit, browser), "only-passkeys");
    const { url } = await createPasswordLink(kit.server.context, "dora", "reset");
    const thief = kit.browser();
    const { url: next } = await thief.open(url);
    const next_password = "another password of dora";
    const form = await thief.open(new URL(next, kit.issuer).href);
    await thief.submit(form, "choose-password", {
      ...{ new_password: next_password, repeated_password: next_password },
    });
    assertMatch((await thief.open(`${kit.issuer}/account`)).html, /id="sign-in"/);
    const page = await signInByPassword(kit, thief, next_password);
    assertMatch(textOf(page.html), /This account needs a passkey/);
    assertMatch((await open(kit, thief)).html, /id="sign-in"/);
  });

  it("with two tabs does not remove the last two passkeys at once, where one is needed", async () => {
    const { kit, signIn } = await openEnrolled();
    const { browser } = await signIn();
    await enrol(kit, browser, await createAuthenticator({ id: "c2Vjb25k" }));
    await browser.submit(await open(kit, browser), "only-passkeys");
    const page = await open(kit, browser);
    const sent = formsToRemove(page.html).map((form) => browser.submit(page, form));
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    assertEquals(statuses.toSorted(), [303, 422]);
    assertEquals((await passkeysOf(kit)).length, 1);
  });

  it("who reads a link after it was used, or sends its form twice, adds nothing", async () => {
    const { kit } = await openEnrolled();
    const { url } = await createPasskeyLink(kit.server.context, "dora", false);
    const browsers = [kit.browser(), kit.browser()];
    const send = await Promise.all(browsers.map(async (browser, at) => {
      const { url: next } = await browser.open(url);
      const page = await browser.open(new URL(next, kit.issuer).href);
      const authenticator = await createAuthenticator({ id: at === 0 ? "b3duZXI" : "dGhpZWY" });
      const passkey = await newPasskeyOf(kit, browser, authenticator);
      return () => browser.submit(page, "add-passkey", { passkey });
    }));
    const statuses = (await Promise.all(send.map((each) => each()))).map(({ status }) => status);
    assertEquals(statuses.toSorted(), [200, 403]);
    assertEquals((await passkeysOf(kit)).length, 1);
  });

  for (const isLost of [true, false]) {
    const what = isLost ? "replaces lost passkeys" : "removes a passkey";
    it(`who has a session adds no passkey while an administrator ${what}`, async () => {
      const { batch: _, ...memory } = memoryStore();
      let meanwhile: (() => Promise<unknown>) | undefined;
      const run = async () => {
        const act = meanwhile;
        meanwhile = undefined;
        await act?.();
      };
      const store: Store = {
        ...memory,
        // Between the look at the session and that at the passkeys.
        async get(kind, id) {
          if (kind === "passkeys") await run();
          return await memory.get(kind, id);
        },
      };
      const { kit, signIn } = await openEnrolled({ store });
      const { context } = kit.server;
      const { browser } = await signIn();
      const page = await open(kit, browser);
      const passkey = await newPasskeyOf(
        kit,
        browser,
        await createAuthenticator({ id: "dGhpZWY" }),
      );
      const [, key = ""] = /id="remove-([^"]+)"/.exec(page.html) ?? [];
      meanwhile = () =>
        isLost ? createPasskeyLink(context, "dora", true) : removePasskey(context, "dora", key);
      await browser.submit(page, "add-passkey", { passkey });
      assertEquals(await passkeysOf(kit), []);
    });
  }

  it("who knows the password gains nothing from a lost passkey, only from a removed last one", async () => {
    for (const isLost of [true, false]) {
      const { kit, signIn } = await openEnrolled();
      const { context } = kit.server;
      const { browser } = await signIn();
      const page = await open(kit, browser);
      await browser.submit(page, "only-passkeys");
      const [, key = ""] = /id="remove-([^"]+)"/.exec(page.html) ?? [];
      if (isLost) await createPasskeyLink(context, "dora", true);
      else await removePasskey(context, "dora", key);
      const { html } = await signInByPassword(kit, kit.browser());
      assertEquals(textOf(html).includes("This account needs a passkey"), isLost);
    }
  });

  it("who has a link cannot use it after the user was disabled, or has a new password", async () => {
    const { kit } = await openEnrolled();
    const { context } = kit.server;
    const browser = kit.browser();
    const statusOf = async (url: string) => {
      const { url: next } = await browser.open(url);
      return (await browser.open(new URL(next, kit.issuer).href)).status;
    };
    const { url } = await createPasskeyLink(context, "dora", false);
    const before = await statusOf(url);
    await users.disable(context, "dora");
    await users.enable(context, "dora");
    const { url: newer } = await createPasskeyLink(context, "dora", true);
    const statuses = [before, await statusOf(url), await statusOf(newer)];
    await users.setPassword(context, "dora", "another password of dora");
    assertEquals([...statuses, await statusOf(newer)], [200, 403, 200, 403]);
  });

  it("who has a passkey signs in to no account whose user was removed, or added again", async () => {
    const { kit, signIn } = await openEnrolled();
    const { context } = kit.server;
    const page = await kit.browser().open(`${kit.issuer}/account`);
    assertMatch(page.html, /passkey-sign-in/);
    await users.disable(context, "dora");
    assertEquals((await signIn()).page.status, 422);
    await users.remove(context, "dora");
    await users.add(context, { name: "dora", password });
    assertEquals(await passkeysOf(kit), []);
    assertNotMatch((await kit.browser().open(`${kit.issuer}/account`)).html, /passkey/);
  });

  it("who changed the handle in a response signs nobody in", async () => {
    const { kit, authenticator } = await openEnrolled();
    const browser = kit.browser();
    const page = await browser.open(`${kit.issuer}/account`);
    const other = { ...authenticator, userHandle: "b3RoZXI" };
    const changed: typeof authenticator = {
      ...other,
      assert: (stated) => authenticator.assert(stated, { userHandle: "b3RoZXI" }),
    };
    assertEquals((await signInByPasskey(kit, browser, page, changed)).status, 422);
  });
});
