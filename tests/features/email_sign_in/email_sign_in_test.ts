import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { add as addUser, disable as disableUser } from "../../../src/administration/users.ts";
import type { Config } from "../../../src/server/features.ts";
import { textOf } from "../../support/browser.ts";
import { itWith } from "../../support/it_with.ts";
import { type Kit, openStrictKit, spa } from "../../support/kit.ts";
import { countedStore } from "../../support/stores.ts";

const password = "a password of someone";
const verified = (email: string) => ({ email, email_verified: true });

/** The users of the store, by what is special about their addresses. */
const users = {
  ada: verified("Ada@Mail.example"),
  unverified: { email: "unverified@mail.example" },
  pretended: { email: "pretended@mail.example", email_verified: "true" },
  one: verified("shared@mail.example"),
  other: { email: "SHARED@mail.example" },
  kelvin: verified("\u212aelvin@mail.example"),
  "taken@mail.example": verified("own@mail.example"),
  wants: verified("taken@mail.example"),
  gone: verified("gone@mail.example"),
};

async function openByEmail(config: Partial<Config> = {}) {
  const store = countedStore({ batches: false });
  const kit = openStrictKit({ clients: [spa()], signInByEmail: true, store, ...config });
  const { context } = kit.server;
  for (const [name, claims] of Object.entries(users)) {
    await addUser(context, { name, password, claims });
  }
  await disableUser(context, "gone");
  return { kit, store };
}

/** Signs in, and returns the name of the user, or the page that says why not. */
async function signIn(kit: Kit, username: string, typed = password): Promise<string> {
  const browser = kit.browser();
  const page = await browser.open(kit.authorizationUrl({ scope: "openid" }));
  const before = kit.events.length;
  const after = await browser.submit(page, "sign-in", { username, password: typed });
  const event = kit.events.slice(before).find(({ type }) => type === "sign_in.succeeded");
  return event?.type === "sign_in.succeeded" ? event.user : `${after.status} ${textOf(after.html)}`;
}

const it = itWith({ byEmail: openByEmail });

describe("A sign-in with an e-mail address", () => {
  it.byEmail("works with a verified one, in any case", async ({ kit }) => {
    for (const typed of ["ada", "Ada@Mail.example", "ada@mail.example", "ADA@MAIL.EXAMPLE"]) {
      assertEquals(await signIn(kit, typed), "ada");
    }
  });

  it.byEmail("works for users of the configuration", async () => {
    const { kit } = await openByEmail({
      users: [{ name: "root", password, claims: verified("root@mail.example") }],
    });
    assertEquals(await signIn(kit, "root@mail.example"), "root");
  });

  it("is off by default, and the page says what can be typed", async () => {
    const { kit } = await openByEmail({ signInByEmail: false });
    assertStringIncludes(await signIn(kit, "ada@mail.example"), "422 ");
    const labels: Array<[Kit, string]> = [
      [kit, "User name Password"],
      [(await openByEmail()).kit, "User name or e-mail address Password"],
    ];
    for (const [kit, label] of labels) {
      const page = await kit.browser().open(kit.authorizationUrl());
      assertStringIncludes(textOf(page.html), label);
    }
  });

  it.byEmail("leads to the user of that name, not to one with that address", async ({ kit }) => {
    assertEquals(await signIn(kit, "taken@mail.example"), "taken@mail.example");
  });

  const refused: Readonly<Record<string, string>> = {
    "an unknown address": "nobody@mail.example",
    "an address that is not verified": "unverified@mail.example",
    "an address whose verification is a text": "pretended@mail.example",
    "an address of two users": "shared@mail.example",
    "another spelling of somebody's name": "Taken@mail.example",
    "a letter whose lower case is another one": "kelvin@mail.example",
    "an address with such a letter": "\u212aelvin@mail.example",
    "an address with spaces around it": " ada@mail.example ",
    "the address of a disabled user": "gone@mail.example",
    "an address without a host": "ada@",
  };

  for (const [what, typed] of Object.entries(refused)) {
    it.byEmail(`is refused with the words of a wrong password: ${what}`, async ({ kit }) => {
      const [wrong, refusal] = [await signIn(kit, "ada", "wrong"), await signIn(kit, typed)];
      assertEquals(refusal, wrong);
    });
  }

  it.byEmail("takes as long where it leads to nobody: the same calls in the same order", async ({ kit, store }) => {
    const waitsOf = async (typed: string) => {
      const browser = kit.browser();
      const page = await browser.open(kit.authorizationUrl({ scope: "openid" }));
      store.waits.length = 0;
      await browser.submit(page, "sign-in", { username: typed, password: "wrong" });
      return store.waits.join("\n");
    };
    await waitsOf("first@mail.example");
    const [known, unknown, unverified] = [
      await waitsOf("ada@mail.example"),
      await waitsOf("nobody@mail.example"),
      await waitsOf("unverified@mail.example"),
    ];
    assertEquals([unknown, unverified], [known, known]);
  });

  it("shares the budget of its user's name", async () => {
    const { kit } = await openByEmail({ guessesPerMinute: 1 });
    const typed = ["ada", "ada@mail.example", "ADA@mail.example"];
    const statuses: string[] = [];
    for (let at = 0; at < 21; at++) {
      statuses.push((await signIn(kit, typed[at % 3] ?? "", "wrong")).slice(0, 3));
    }
    assertEquals(statuses.indexOf("429"), 20);
  });
});
