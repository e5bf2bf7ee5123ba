import { add as addUser } from "../../../src/administration/users.ts";
import type { Config } from "../../../src/server/features.ts";
import { rpIdOf } from "../../../src/server/features/passkeys/config.ts";
import type { Browser, Page } from "../../support/browser.ts";
import { type Kit, openStrictKit, spa } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import {
  createAuthenticator,
  flag,
  type SoftwareAuthenticator,
  type Stated,
} from "./software_authenticator.ts";

export const password = "a password of dora";

/** Opens a server with a user of the store, and passkeys as they are set. */
export async function openPasskeyKit(
  { groups = ["staff"], ...config }: Partial<Config> & { groups?: string[] } = {},
): Promise<Kit> {
  const kit = openStrictKit({ users: [], clients: [spa()], passkeys: "offered", ...config });
  await addUser(kit.server.context, { name: "dora", password, claims: { groups } });
  return kit;
}

async function stated(kit: Kit, browser: Browser, changes: Partial<Stated>): Promise<Stated> {
  const response = await browser.request(`${kit.issuer}/passkeys/challenge`);
  return {
    type: "webauthn.get",
    challenge: (await response.json()).challenge,
    origin: kit.issuer,
    crossOrigin: false,
    rpId: present(rpIdOf(kit.server.context.settings)),
    flags: flag.present | flag.verified | flag.eligible | flag.backedUp,
    counter: 0,
    ...changes,
  };
}

/** Signs in to the account page by password. */
export async function signInByPassword(
  kit: Kit,
  browser: Browser,
  typed = password,
): Promise<Page> {
  const page = await browser.open(`${kit.issuer}/account`);
  return await browser.submit(page, "sign-in", { username: "dora", password: typed });
}

/** Opens a server, and a browser in which dora has added a passkey after a sign-in by password. */
export async function openEnrolled(config: Parameters<typeof openPasskeyKit>[0] = {}) {
  const kit = await openPasskeyKit(config);
  const browser = kit.browser();
  await signInByPassword(kit, browser);
  const { authenticator } = await enrol(kit, browser);
  /** Signs in by passkey in a new browser. */
  const signIn = async (changes: Partial<Stated> = {}, other = kit.browser()) => {
    const page = await other.open(kit.authorizationUrl({ scope: "openid", prompt: "login" }));
    return {
      page: await signInByPasskey(kit, other, page, authenticator, changes),
      browser: other,
    };
  };
  return { kit, browser, authenticator, signIn };
}

/** Returns what a browser sends about a new passkey. */
export async function newPasskeyOf(
  kit: Kit,
  browser: Browser,
  authenticator: SoftwareAuthenticator,
  changes: Partial<Stated> = {},
): Promise<string> {
  const flags = flag.present | flag.verified | flag.eligible | flag.backedUp | flag.attested;
  const creation = await stated(kit, browser, { type: "webauthn.create", flags, ...changes });
  return await authenticator.register(creation);
}

/** Adds a passkey of a user who is signed in. */
export async function enrol(
  kit: Kit,
  browser: Browser,
  authenticator?: SoftwareAuthenticator,
  changes: Partial<Stated> = {},
): Promise<{ page: Page; authenticator: SoftwareAuthenticator }> {
  const page = await browser.open(`${kit.issuer}/account/passkeys`);
  const user = await kit.server.context.records.users.find("dora");
  const made = authenticator ??
    await createAuthenticator({ userHandle: present(user?.instance) });
  const passkey = await newPasskeyOf(kit, browser, made, changes);
  const after = await browser.submit(page, "add-passkey", { passkey });
  return { page: after, authenticator: made };
}

/** Submits the form of passkeys on a page for sign-in. */
export async function signInByPasskey(
  kit: Kit,
  browser: Browser,
  page: Page,
  authenticator: SoftwareAuthenticator,
  changes: Partial<Stated> = {},
): Promise<Page> {
  const passkey = await authenticator.assert(await stated(kit, browser, changes));
  return await browser.submit(page, "passkey-sign-in", { passkey });
}

/** Adds a passkey on the page of a link. */
export async function addByLink(
  kit: Kit,
  browser: Browser,
  page: Page,
  userHandle: string,
): Promise<{ page: Page; authenticator: SoftwareAuthenticator }> {
  const authenticator = await createAuthenticator({ id: "bmV3ZXI", userHandle });
  const passkey = await newPasskeyOf(kit, browser, authenticator);
  const after = await browser.submit(page, "add-passkey", { passkey });
  return { page: after, authenticator };
}
