import { assertEquals } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { add as addUser } from "../src/administration/users.ts";
import type { Browser, Page } from "./support/browser.ts";
import { agent, answerCiba, beginCiba, reviewRequest } from "./support/ciba.ts";
import { answerDevice, beginDevice, typeCode } from "./support/device.ts";
import { everyPage } from "./support/every_page.ts";
import { encode, type Kit, openKit, openLabKit, openStrictKit } from "./support/kit.ts";
import { present } from "./support/present.ts";
import { register } from "./support/registration.ts";

const reference = ".github/HTTP_INTERFACE.md";
const chapter = "## Ids on the pages";

/** The parts of ids that depend on who is shown. */
const names: ReadonlyArray<[pattern: RegExp, id: string]> = [
  [/^one-click-.+/, "one-click-NAME"],
  [/^(app|remove|request)-.+/, "$1-CLIENT"],
  [/^(session|end-session)-[\w-]{22}$/, "$1-SID"],
];

/** What a page is called in the document, with the pages that show all of its ids. */
type Pages = Record<string, Page[]>;

/** Ids to which only `aria-labelledby` refers. */
const isLabel = (id: string) => /^(app|session)-name-/.test(id);

function idsOf(pages: readonly Page[]): string[] {
  const found = pages.flatMap(({ html }) => [...html.matchAll(/ id="([^"]+)"/g)])
    .map(([, id = ""]) => id).filter((id) => !isLabel(id));
  const named = found.map((id) =>
    names.reduce((result, [pattern, name]) => result.replace(pattern, name), id)
  );
  return [...new Set(named)].sort();
}

const bye = "https://app.example/bye";

async function openPages(): Promise<Pages> {
  const kit = openKit({
    clients: [
      ...[{ id: "demo-spa", redirectUris: ["https://hallpass.test/authorized"] }],
      agent(),
      { id: "demo-cli", grantTypes: ["urn:ietf:params:oauth:grant-type:device_code"] },
      {
        id: "shop",
        redirectUris: ["https://app.example/cb"],
        postLogoutRedirectUris: [bye],
        partialConsent: true,
        policyUri: "https://app.example/privacy",
      },
    ],
  });
  const every = await everyPage("en", kit);
  const { signIn, signInFailed, selectAccount, consent, formPost, device, deviceConsent } = every;
  const { deviceDone, backchannelDone, account, signOut, signedOut, error } = every;
  const code = (await beginDevice(kit)).body.user_code;
  const alice = kit.browser();
  await beginCiba(kit);
  const backchannelConsent = await reviewRequest(kit, {}, alice);
  const accountWithRequest = await alice.open(`${kit.issuer}/account`);
  return {
    "sign-in": [signIn, signInFailed, await openAsStranger(kit), await signInOfMany()],
    "choice of an account": [selectAccount],
    "consent": [
      consent,
      present(deviceConsent),
      backchannelConsent,
      await consentToStranger(kit),
      await consentToPart(kit),
    ],
    "form_post": [formPost],
    "device": [present(device), await typeCode(kit, kit.browser(), "BBBB-BBBB")],
    "device, done": [present(deviceDone), await answerDevice(kit, code, { decision: "deny" })],
    "request over the back channel, done": [
      present(backchannelDone),
      await answerCiba(kit, { decision: "deny" }),
    ],
    "account": [
      accountWithRequest,
      present(account),
      await accountWithApps(kit),
      (await openAsStoredUser("/account"))[1],
    ],
    "change of the password": await passwordPages(),
    "sign-out": [present(signOut), await signOutWithHint(kit)],
    "signed out": [present(signedOut), await signedOutOf(kit), await signedOutWithHint(kit)],
    "error": [error, await errorForApplication(kit), await errorOfLab()],
  };
}

async function signInOfMany(): Promise<Page> {
  const users = Array.from({ length: 11 }, (_, at) => ({ name: `user-${at}` }));
  const kit = openLabKit({ users });
  return await kit.browser().open(kit.authorizationUrl());
}

async function errorOfLab(): Promise<Page> {
  const kit = openLabKit();
  return await kit.browser().open(kit.authorizationUrl({ client_id: "nobody" }));
}

async function openAsStranger(kit: Kit): Promise<Page> {
  return await kit.browser().open(await strangerUrl(kit));
}

async function strangerUrl(kit: Kit, changes = {}): Promise<string> {
  const { client_id } = (await register(kit)).body;
  return kit.authorizationUrl({ client_id, redirect_uri: "https://app.example/cb", ...changes });
}

async function consentToStranger(kit: Kit): Promise<Page> {
  const browser = kit.browser();
  const page = await browser.open(await strangerUrl(kit));
  return await browser.submit(page, "sign-in", { username: "alice", password: "alice" });
}

async function consentToPart(kit: Kit): Promise<Page> {
  const browser = kit.browser();
  const url = kit.authorizationUrl({
    client_id: "shop",
    redirect_uri: "https://app.example/cb",
    scope: "openid profile email read",
  });
  const page = await browser.open(url);
  return await browser.submit(page, "sign-in", { username: "alice", password: "alice" });
}

async function accountWithApps(kit: Kit): Promise<Page> {
  const browser = kit.browser();
  for (let at = 0; at < 60; at++) await browser.authorize(await strangerUrl(kit));
  await kit.browser().authorize(kit.authorizationUrl());
  return await browser.open(`${kit.issuer}/account`);
}

/** Only users of the store change their passwords. */
async function openAsStoredUser(path: string): Promise<[browser: Browser, page: Page]> {
  const redirectUris = ["https://hallpass.test/authorized"];
  const kit = openStrictKit({
    clients: [{ id: "demo-spa", redirectUris }],
    scopes: { openid: "Know who you are", profile: "See your name", read: "Read" },
  });
  const dora = { user: "dora", password: "the first password" };
  await addUser(kit.server.context, { name: "dora", password: dora.password });
  const browser = kit.browser();
  await browser.authorize(kit.authorizationUrl(), dora);
  return [browser, await browser.open(`${kit.issuer}${path}`)];
}

async function passwordPages(): Promise<Page[]> {
  const [browser, page] = await openAsStoredUser("/account/password");
  const fields = { current_password: "x", new_password: "y", repeated_password: "z" };
  return [page, await browser.submit(page, "change-password", fields)];
}

const wrongAddress = encode({
  client_id: "shop",
  post_logout_redirect_uri: "https://evil.example",
});

async function signOutWithHint(kit: Kit): Promise<Page> {
  const browser = kit.browser();
  await browser.authorize(kit.authorizationUrl());
  return await browser.open(`${kit.issuer}/oauth2/logout?${wrongAddress}`);
}

async function signedOutWithHint(kit: Kit): Promise<Page> {
  return await kit.browser().open(`${kit.issuer}/oauth2/logout?${wrongAddress}`);
}

async function signedOutOf(kit: Kit): Promise<Page> {
  const browser = kit.browser();
  const query = encode({ client_id: "shop", post_logout_redirect_uri: bye });
  return await browser.open(`${kit.issuer}/oauth2/logout?${query}`);
}

async function errorForApplication(kit: Kit): Promise<Page> {
  return await kit.browser().open(await strangerUrl(kit, { scope: "nothing" }));
}

/** Returns the table of the document: the ids of each page, which can have several rows. */
function documentedIds(): Record<string, string[]> {
  const [, text = ""] = readFileSync(reference, "utf8").split(`\n${chapter}\n`);
  const [section = ""] = text.split(/\n##/);
  const rows = [...section.matchAll(/^\| ([^|]+) \| (.*`#.*) \|$/gm)];
  const documented: Record<string, string[]> = {};
  for (const [, title = "", cell = ""] of rows) {
    const page = title.replace(/ \(.*\)$/, "");
    const ids = [...cell.matchAll(/`#([\w-]+)`/g)].map(([, id = ""]) => id);
    documented[page] = [...new Set([...documented[page] ?? [], ...ids])].sort();
  }
  return documented;
}

const pages = await openPages();

describe("The ids of the pages, in the reference", () => {
  const documented = documentedIds();
  const shared = documented["every page of a lab"] ?? [];

  it("are listed for each page", () => {
    assertEquals(
      Object.keys(documented).sort(),
      ["every page of a lab", ...Object.keys(pages)].sort(),
    );
    assertEquals(shared, ["notice"]);
  });

  it("are all that the sources have", () => {
    const folder = "src/server/pages";
    const isListed = (file: string) => !["home.tsx", "authorized.tsx"].includes(file);
    const sources = readdirSync(folder).filter((file) => file.endsWith(".tsx") && isListed(file))
      .map((file) => readFileSync(`${folder}/${file}`, "utf8"));
    const ids = sources.flatMap((text) => [...text.matchAll(/ id="([^"]+)"/g)])
      .map(([, id = ""]) => id);
    const known = Object.values(documented).flat();
    assertEquals(ids.filter((id) => !known.includes(id)), []);
  });

  for (const [name, shown] of Object.entries(pages)) {
    it(`are on the page, and no others: ${name}`, () => {
      assertEquals(documented[name], idsOf(shown).filter((id) => !shared.includes(id)));
    });
  }
});
