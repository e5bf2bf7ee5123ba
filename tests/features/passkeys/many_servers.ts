import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { findOwner } from "../../../src/server/features/passkeys/passkeys.ts";
import { findUser } from "../../../src/server/issuer/users/users.ts";
import type { Store } from "../../../src/server/store/store.ts";
import type { Browser } from "../../support/browser.ts";
import { type Kit, openStrictKit, spa } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import {
  enrol,
  newPasskeyOf,
  openPasskeyKit,
  signInByPasskey,
  signInByPassword,
} from "./passkey_kit.ts";
import { createAuthenticator, flag } from "./software_authenticator.ts";

async function openServers(openStore: () => Store | Promise<Store>) {
  const store = await openStore();
  const one = await openPasskeyKit({ store });
  const other = openStrictKit({ users: [], clients: [spa()], passkeys: "offered", store });
  return { kits: [one, other], one, other, store };
}

/** Returns a browser of another server with what this one got. */
function browserAt(kit: Kit, { cookies }: Browser): Browser {
  const browser = kit.browser();
  cookies.forEach((value, name) => browser.cookies.set(name, value));
  return browser;
}

async function passkeysOf({ server: { context } }: Kit) {
  return present(await findOwner(context, present(await findUser(context, "dora")))).passkeys;
}

/** Adds a test of two servers on a store, which is empty. */
export function itSignsInOnMany(
  name: string,
  openStore: () => Store | Promise<Store>,
  skip: string | false = false,
): void {
  describe(`Passkeys on two servers with ${name}`, () => {
    it("are added once, and sign in once with a challenge and a counter", { skip }, async () => {
      const { kits, one, other, store } = await openServers(openStore);
      const adding = await Promise.all(kits.map(async (kit, at) => {
        const browser = kit.browser();
        await signInByPassword(kit, browser);
        const page = await browser.open(`${kit.issuer}/account/passkeys`);
        const authenticator = await createAuthenticator({ id: at === 0 ? "Zmlyc3Q" : "c2Vjb25k" });
        const passkey = await newPasskeyOf(kit, browser, authenticator);
        return () => browser.submit(page, "add-passkey", { passkey });
      }));
      const added = await Promise.all(adding.map((add) => add()));
      assertEquals(added.map(({ status }) => status).toSorted(), [303, 422]);
      assertEquals((await passkeysOf(other)).length, 1);

      const { context } = one.server;
      await context.records.users.delete("dora");
      const again = await openPasskeyKit({ store });
      const browser = again.browser();
      await signInByPassword(again, browser);
      const alone = flag.present | flag.verified | flag.eligible;
      const { authenticator } = await enrol(again, browser);
      const first = one.browser();
      const page = await first.open(`${one.issuer}/account`);
      const challenge = await (await first.request(`${one.issuer}/passkeys/challenge`)).json();
      const stated = { flags: alone, counter: 4, ...challenge };
      const signedIn = await Promise.all(
        kits.map((kit) => signInByPasskey(kit, browserAt(kit, first), page, authenticator, stated)),
      );
      assertEquals(signedIn.map(({ status }) => status).toSorted(), [303, 422]);
      const repeated = await signInByPasskey(other, browserAt(other, first), page, authenticator, {
        ...{ flags: alone, counter: 4 },
      });
      assertEquals(repeated.status, 422);
      assertEquals((await passkeysOf(other))[0]?.counter, 4);
      await store.close?.();
    });
  });
}
