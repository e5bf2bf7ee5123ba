import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  changeStored,
  placeOfUser,
} from "../../../src/server/issuer/directory/directory_entries.ts";
import { findActiveToken } from "../../../src/server/issuer/tokens/active_tokens.ts";
import type { User } from "../../../src/server/model/user.ts";
import { type Browser, textOf } from "../../support/browser.ts";
import type { Kit } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import {
  enrol,
  openPasskeyKit,
  password,
  signInByPasskey,
  signInByPassword,
} from "./passkey_kit.ts";

/** What dora's browser and client had before the policy changed. */
interface Before {
  kit: Kit;
  browser: Browser;
  tokens: { access_token: string; refresh_token: string };
}

/** Whether a door is open for who signed in by password, and what the others see. */
const doors: Readonly<Record<string, (before: Before) => Promise<string>>> = {
  async "the authorization endpoint"({ kit, browser }) {
    const { html } = await browser.open(kit.authorizationUrl({ scope: "openid" }));
    return html.includes('id="sign-in"') ? "sign-in" : "open";
  },
  async "prompt=none"({ kit, browser }) {
    const { url } = await browser.open(kit.authorizationUrl({ scope: "openid", prompt: "none" }));
    return new URL(url).searchParams.get("error") ?? "open";
  },
  async "the account page"({ kit, browser }) {
    const { html } = await browser.open(`${kit.issuer}/account`);
    return html.includes('id="sign-in"') ? "sign-in" : "open";
  },
  async "the password page"({ kit, browser }) {
    const { html } = await browser.open(`${kit.issuer}/account/password`);
    return html.includes('id="sign-in"') ? "sign-in" : "open";
  },
  async "a refresh"({ kit, tokens }) {
    const { body } = await kit.refresh(tokens.refresh_token);
    return body.error ?? "open";
  },
  async "an access token"({ kit, tokens }) {
    return await findActiveToken(kit.server.context, tokens.access_token) ? "open" : "inactive";
  },
  async "a sign-in by password"({ kit }) {
    const page = await signInByPassword(kit, kit.browser());
    const text = textOf(page.html);
    return text.includes("This account needs a passkey.") ? "needs a passkey" : "open";
  },
};

const closed: Readonly<Record<string, string>> = {
  "the authorization endpoint": "sign-in",
  "prompt=none": "interaction_required",
  "the account page": "sign-in",
  "the password page": "sign-in",
  "a refresh": "invalid_grant",
  "an access token": "inactive",
  "a sign-in by password": "needs a passkey",
};

/** The policies, and whether they demand a passkey of dora, who joins the group `staff`. */
const policies: Readonly<
  Record<string, {
    passkeys: "offered" | { required: string[] };
    change: (user: User) => User;
    isDemanded: boolean;
  }>
> = {
  "offered": { passkeys: "offered", change: (user) => user, isDemanded: false },
  "required of another group": {
    passkeys: { required: ["others"] },
    change: joining("staff"),
    isDemanded: false,
  },
  "required of a group of hers": {
    passkeys: { required: ["staff"] },
    change: joining("staff"),
    isDemanded: true,
  },
  "her own switch": {
    passkeys: "offered",
    change: (user) => ({ ...user, passkeyOnly: true }),
    isDemanded: true,
  },
};

function joining(group: string) {
  return (user: User): User => ({ ...user, claims: { ...user.claims, groups: [group] } });
}

async function openBefore(
  passkeys: "offered" | { required: string[] },
  by: "password" | "passkey",
): Promise<Before> {
  const kit = await openPasskeyKit({ passkeys, groups: [] });
  const browser = kit.browser();
  await signInByPassword(kit, browser);
  if (by === "passkey") {
    const { authenticator } = await enrol(kit, browser);
    const other = kit.browser();
    await signInByPasskey(kit, other, await other.open(`${kit.issuer}/account`), authenticator);
    browser.cookies.clear();
    other.cookies.forEach((value, name) => browser.cookies.set(name, value));
  }
  const url = await browser.authorize(kit.authorizationUrl({ scope: "openid" }), {
    user: "dora",
    password,
  });
  const { body: tokens } = await kit.redeem(present(new URL(url).searchParams.get("code")));
  return { kit, browser, tokens };
}

describe("A demand for passkeys, at every door", () => {
  for (const [policy, { passkeys, change, isDemanded }] of Object.entries(policies)) {
    for (const [door, open] of Object.entries(doors)) {
      const expected = isDemanded ? present(closed[door]) : "open";
      it(`${policy}: after a sign-in by password, ${door} is ${expected}`, async () => {
        const before = await openBefore(passkeys, "password");
        const { context } = before.kit.server;
        await changeStored(context, placeOfUser(context, "dora"), change);
        assertEquals(await open(before), expected);
      });
      if (door === "a sign-in by password") continue;
      it(`${policy}: after a sign-in by passkey, ${door} is open`, async () => {
        const before = await openBefore(passkeys, "passkey");
        const { context } = before.kit.server;
        await changeStored(context, placeOfUser(context, "dora"), change);
        assertEquals(await open(before), "open");
      });
    }
  }
});
