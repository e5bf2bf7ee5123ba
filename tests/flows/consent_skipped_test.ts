import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { findLeniencies } from "../../src/program/operate/leniencies.ts";
import type { ClientConfig, Config } from "../../src/server/features.ts";
import { listClients } from "../../src/server/issuer/directory/directory_entries.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { textOf } from "../support/browser.ts";
import { problemsOf } from "../support/config_problems.ts";
import { itWith } from "../support/it_with.ts";
import { basic, type Fields, type Kit, openStrictKit, spa } from "../support/kit.ts";
import { needs } from "../support/where_feature.ts";

const redirectUri = "https://wiki.example/cb";
const wiki: ClientConfig = {
  id: "wiki",
  name: "Wiki",
  secret: "a-secret-of-more-than-22-characters",
  redirectUris: [redirectUri],
  scopes: ["openid", "email", "offline_access"],
  consent: "skip",
};
const ofWiki = { client_id: "wiki", redirect_uri: redirectUri, scope: "openid email" };

function openUnasked(changes: Partial<ClientConfig> = {}, config: Partial<Config> = {}) {
  const scopes = { openid: "Know you", email: "See your address", offline_access: "Stay" };
  const kit = openStrictKit({ clients: [{ ...wiki, ...changes }, spa()], scopes, ...config });
  /** Signs alice in, and returns the page or the code after that. */
  const signIn = async (fields: Fields = {}, browser = kit.browser()) => {
    const page = await browser.open(kit.authorizationUrl({ ...ofWiki, ...fields }));
    const after = page.html.includes('id="sign-in"') ? await browser.signIn(page) : page;
    return { browser, page: after, code: codeIn(after.url) };
  };
  return { kit, signIn };
}

const codeIn = (url: string) => new URL(url, redirectUri).searchParams.get("code") ?? undefined;
const it = itWith({
  unasked: () => openUnasked(),
  unaskedWithAccountPages: { ...needs("account pages"), open: () => openUnasked() },
});

const refresh = async (kit: Kit, code: string) =>
  (await kit.redeem(
    code,
    { client_id: undefined, redirect_uri: redirectUri },
    basic("wiki", wiki.secret ?? ""),
  )).body;

describe("A client with consent: skip", () => {
  it.unasked("gets a code after the sign-in, and the event says that nobody was asked", async ({ kit, signIn }) => {
    const { code } = await signIn();
    assertMatch(code ?? "", /^[\w-]{43}$/);
    const given = kit.events.find(({ type }) => type === "consent.given");
    assertEquals(given, {
      type: "consent.given",
      user: "alice",
      client: "wiki",
      scope: ["openid", "email"],
      unasked: true,
    });
  });

  it.unasked("gets one with prompt=none in the same session", async ({ signIn }) => {
    const { browser } = await signIn();
    assertMatch((await signIn({ prompt: "none" }, browser)).code ?? "", /./);
  });

  it.unasked("gets offline access by its name alone (OpenID Connect Core, section 11)", async ({ kit, signIn }) => {
    const { code = "" } = await signIn({ scope: "openid offline_access" });
    assertEquals((await refresh(kit, code)).scope, "openid offline_access");
  });

  it.unasked("leaves no consent that counts later, and still asks with prompt=consent", async ({ signIn }) => {
    const { browser } = await signIn();
    const { page } = await signIn({ prompt: "consent" }, browser);
    assertStringIncludes(page.html, 'id="consent"');
  });

  it("asks again once it is no longer skipped", async () => {
    const store = memoryStore();
    await openUnasked({}, { store }).signIn();
    const { page } = await openUnasked({ consent: "ask" }, { store }).signIn();
    assertStringIncludes(page.html, 'id="consent"');
  });

  it("asks about authorization details each time", async () => {
    const type = "payment";
    const { signIn } = openUnasked({}, {
      authorizationDetails: { [type]: { meaning: "Pay", members: {} } },
    });
    const { page } = await signIn({ authorization_details: JSON.stringify([{ type }]) });
    assertStringIncludes(page.html, 'id="consent"');
  });

  it.unaskedWithAccountPages("is shown on the account page as allowed by the administrator", async ({ kit, signIn }) => {
    const { browser } = await signIn({ scope: "openid offline_access" });
    const account = await browser.open(`${kit.issuer}/account`);
    assertStringIncludes(textOf(account.html), "Allowed by your administrator");
  });

  it("is a leniency that is listed", async () => {
    const { server: { context } } = openUnasked().kit;
    const clients = (await listClients(context)).map(({ value }) => value);
    const listed = findLeniencies(context.settings, clients);
    assertEquals(listed.map(({ setting }) => setting), ["client wiki: consent"]);
  });
});

describe("The setting consent: skip is refused", () => {
  const { secret: _, ...open } = wiki;
  const problem = "can be skip only if every redirect URI is https, and the client not native";
  const cases: Readonly<Record<string, [client: ClientConfig, problems: string[]]>> = {
    "for a native client": [{ ...open, native: true }, [problem]],
    "for a loopback address": [{ ...wiki, redirectUris: ["http://localhost:3000/cb"] }, [problem]],
    "for a private-use scheme": [{ ...open, redirectUris: ["com.example.app:/cb"] }, [problem]],
    "without scopes by name": [
      { id: "wiki", redirectUris: [redirectUri], consent: "skip" },
      ["is skip, but 'scopes' does not name what users are not asked for"],
    ],
  };
  for (const [what, [client, problems]] of Object.entries(cases)) {
    it(what, () => {
      const found = problemsOf({ issuer: "https://id.example", clients: [client] });
      assertEquals(found, problems.map((each) => `clients[0].consent ${each}`));
    });
  }

  it("but not for a public client on the web", () => {
    assertEquals(problemsOf({ issuer: "https://id.example", clients: [open] }), []);
  });
});
