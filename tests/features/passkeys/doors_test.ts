import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { PasskeyConfig } from "../../../src/server/features.ts";
import {
  changeStored,
  placeOfUser,
} from "../../../src/server/issuer/directory/directory_entries.ts";
import { findActiveToken } from "../../../src/server/issuer/tokens/active_tokens.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { type Browser, type Page, textOf } from "../../support/browser.ts";
import { agent, beginCiba, cibaGrant } from "../../support/ciba.ts";
import { beginDevice, deviceGrant, typeCode } from "../../support/device.ts";
import { type Kit, openStrictKit, spa } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { needs } from "../../support/where_feature.ts";
import {
  enrol,
  openPasskeyKit,
  password,
  signInByPasskey,
  signInByPassword,
} from "./passkey_kit.ts";

/** What dora's browser and clients had before the policy changed, at a server with it. */
interface Before {
  kit: Kit;
  browser: Browser;
  tokens: { access_token: string; refresh_token: string };
  code: string;
  /** The account page, with a request that waits. */
  account: Page;
  /** A consent page. */
  consent: Page;
}

/** Whether a door is open for who signed in by password, and what the others see. */
const doors: Readonly<Record<string, (before: Before) => Promise<string>>> = {
  async "the authorization endpoint"({ kit, browser }) {
    return seenOn(await browser.open(kit.authorizationUrl({ scope: "openid" })));
  },
  async "a consent page that was open"({ browser, consent }) {
    const page = await browser.submit(consent, "consent", { decision: "allow" });
    return new URL(page.url, consent.url).searchParams.has("code") ? "open" : "sign-in";
  },
  async "prompt=none"({ kit, browser }) {
    const { url } = await browser.open(kit.authorizationUrl({ scope: "openid", prompt: "none" }));
    return new URL(url).searchParams.get("error") ?? "open";
  },
  async "the account page"({ kit, browser }) {
    return seenOn(await browser.open(`${kit.issuer}/account`));
  },
  async "the password page"({ kit, browser }) {
    return seenOn(await browser.open(`${kit.issuer}/account/password`));
  },
  async "the page of a user code"({ kit, browser }) {
    const { user_code } = (await beginDevice(kit, { scope: "openid" })).body;
    return seenOn(await typeCode(kit, browser, user_code));
  },
  async "a request over the back channel"({ kit, browser, account }) {
    const request = present(/name="request" value="([^"]+)"/.exec(account.html)?.[1]);
    const page = await browser.submit(account, "request-demo-agent", { request });
    return seenOn(await browser.open(new URL(page.url, kit.issuer).href));
  },
  async "a code"({ kit, code }) {
    return (await kit.redeem(code)).body.error ?? "open";
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

function seenOn({ html }: Page): string {
  return html.includes('id="sign-in"') ? "sign-in" : "open";
}

const closed: Readonly<Record<string, string>> = {
  "the authorization endpoint": "sign-in",
  "a consent page that was open": "sign-in",
  "prompt=none": "interaction_required",
  "the account page": "sign-in",
  "the password page": "sign-in",
  "the page of a user code": "sign-in",
  "a request over the back channel": "sign-in",
  "a code": "invalid_grant",
  "a refresh": "invalid_grant",
  "an access token": "inactive",
  "a sign-in by password": "needs a passkey",
};

/** The policies, and whether they demand a passkey of dora, who is in the group `staff`. */
const policies: Readonly<
  Record<
    string,
    { passkeys: NonNullable<PasskeyConfig["passkeys"]>; only?: boolean; isDemanded: boolean }
  >
> = {
  "offered": { passkeys: "offered", isDemanded: false },
  "required of another group": { passkeys: { required: ["others"] }, isDemanded: false },
  "required of a group of hers": {
    passkeys: { required: ["others", "staff"] },
    isDemanded: true,
  },
  "required of all": { passkeys: { required: "all" }, isDemanded: true },
  "her own switch": { passkeys: "offered", only: true, isDemanded: true },
};

const grantTypes = ["authorization_code", "refresh_token", deviceGrant, cibaGrant];

const clients = [
  spa(),
  { id: "demo-cli", native: true, grantTypes: [deviceGrant] },
  agent(),
];

/** Signs dora in, gives her clients what they have before, and then sets the policy. */
async function openBefore(
  { passkeys, only = false }: { passkeys: NonNullable<PasskeyConfig["passkeys"]>; only?: boolean },
  by: "password" | "passkey",
): Promise<Before> {
  const config = { store: memoryStore(), clients, grantTypes };
  const earlier = await openPasskeyKit(config);
  const first = earlier.browser();
  await signInByPassword(earlier, first);
  if (by === "passkey") {
    const { authenticator } = await enrol(earlier, first);
    const other = earlier.browser();
    const page = await other.open(`${earlier.issuer}/account`);
    await signInByPasskey(earlier, other, page, authenticator);
    first.cookies.clear();
    other.cookies.forEach((value, name) => first.cookies.set(name, value));
  }
  const authorize = async () => {
    const url = earlier.authorizationUrl({ scope: "openid" });
    const { searchParams } = new URL(await first.authorize(url, { user: "dora", password }));
    return present(searchParams.get("code"));
  };
  const { body: tokens } = await earlier.redeem(await authorize());
  const code = await authorize();
  await beginCiba(earlier, { login_hint: "dora", scope: "openid" });
  const asking = earlier.authorizationUrl({ scope: "openid", prompt: "consent" });
  const consent = await first.open(asking);
  const account = await first.open(`${earlier.issuer}/account`);
  if (only) {
    const { context } = earlier.server;
    const place = placeOfUser(context, "dora");
    await changeStored(context, place, (user) => ({ ...user, passkeyOnly: true }));
  }
  const kit = openStrictKit({ ...config, users: [], passkeys });
  const browser = kit.browser();
  first.cookies.forEach((value, name) => browser.cookies.set(name, value));
  return { kit, browser, tokens, code, account, consent };
}

describe("A demand for passkeys, at every door", () => {
  const all = needs("device", "ciba");
  for (const [policy, { isDemanded, ...set }] of Object.entries(policies)) {
    for (const [door, open] of Object.entries(doors)) {
      const expected = isDemanded ? present(closed[door]) : "open";
      it(`${policy}: after a sign-in by password, ${door} is ${expected}`, all, async () => {
        assertEquals(await open(await openBefore(set, "password")), expected);
      });
      if (door === "a sign-in by password") continue;
      it(`${policy}: after a sign-in by passkey, ${door} is open`, all, async () => {
        assertEquals(await open(await openBefore(set, "passkey")), "open");
      });
    }
  }
});
