import { demoUsers } from "../../../src/lab/demo/demo_users.ts";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import type { Tab } from "../../support/chromium.ts";
import { type ShownPage, waitUntilArmed } from "../../support/page_quality.ts";
import { encode, testClient } from "../../support/test_client.ts";
import { hasFeature } from "../../support/where_feature.ts";

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;
const rightToLeft = "مطبعة الصور";
const longName = `${rightToLeft} ${"n".repeat(180)}`;
const longScope = `https://api.example/${"scope".repeat(30)}`;
const longPath = `/callback/${"path".repeat(40)}`;

const manyScopes = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [`thing.${at}`, `Change your things of kind ${at}`]),
);

const manyUsers = Array.from({ length: 60 }, (_, at) => ({
  name: `employee-${at}`,
  claims: { name: `Firstname Lastname-${at}`, email: `firstname.lastname.${at}@mail.example.org` },
}));

const scopes = {
  openid: "Know who you are",
  profile: "See your name, picture and other parts of your profile",
  email: "See your e-mail address",
  offline_access: "Keep this access while you are away, until you take it back",
  read: { text: { en: "Read your things", de: "Ihre Dinge lesen", ar: "قراءة أشيائك" } },
  [longScope]: hostile,
  ...manyScopes,
};

/** A lab whose names are as long and as strange as names can be. */
export function strangeLab(issuer: string): Partial<LabConfig> {
  return {
    ...hasFeature("any_user") && { anyUser: true },
    scopes,
    clients: [
      {
        id: "shop",
        name: "Shop",
        secret: "s".repeat(40),
        redirectUris: [`${issuer}/callback`],
        postLogoutRedirectUris: [`${issuer}/bye`],
        clientUri: "https://shop.example",
        policyUri: "https://shop.example/privacy",
        tosUri: "https://shop.example/terms",
        logoUri: "https://shop.example/logo.png",
        responseModes: ["query", "form_post"],
      },
      {
        id: "strange",
        name: longName,
        secret: "s".repeat(40),
        redirectUris: [issuer + longPath],
        policyUri: "https://strange.example/privacy",
        tosUri: "https://strange.example/terms",
        logoUri: "https://strange.example/logo.png",
      },
      {
        id: "choosy",
        secret: "s".repeat(40),
        redirectUris: [`${issuer}/callback`],
        partialConsent: true,
      },
      { id: "tv", name: hostile, grantTypes: ["urn:ietf:params:oauth:grant-type:device_code"] },
    ],
    users: [
      ...demoUsers,
      {
        name: "u".repeat(120),
        password: "x",
        claims: { name: `${rightToLeft} ${hostile}`, email: `${"e".repeat(120)}@mail.example` },
      },
      ...manyUsers,
    ],
  };
}

/** The names of the users that sign in with one click. */
const [alice, stranger] = ["#one-click-alice", `#one-click-${"u".repeat(120)}`];

/** Returns the URL of an authorization request of the shop, with a test's changes. */
export function shopRequest(issuer: string, changes: Record<string, string> = {}): string {
  const shop = { client_id: "shop", redirect_uri: `${issuer}/callback` };
  const client = testClient({ ...shop, scope: "openid profile email read" });
  return client.authorizationUrl({ issuer }, changes);
}

/** Returns the URL of a request by a client with a long name for 40 scopes. */
export function strangeRequest(issuer: string, changes: Record<string, string> = {}): string {
  return shopRequest(issuer, {
    client_id: "strange",
    redirect_uri: issuer + longPath,
    scope: Object.keys(scopes).join(" "),
    ...changes,
  });
}

async function signIn(tab: Tab, url: string, button: string | undefined): Promise<void> {
  await tab.goto(url);
  await tab.click(button ?? "");
}

async function allow(tab: Tab, issuer: string): Promise<void> {
  await signIn(tab, shopRequest(issuer), alice);
  if (await tab.evaluate("document.querySelector('#allow') !== null")) await tab.click("#allow");
}

/** Enters the code of a device, and signs in. */
async function openDeviceConsent(tab: Tab, issuer: string): Promise<void> {
  const response = await fetch(`${issuer}/oauth2/device_authorization`, {
    method: "POST",
    body: encode({ client_id: "tv", scope: "openid read" }),
  });
  const { verification_uri_complete } = await response.json();
  await tab.goto(verification_uri_complete);
  await tab.click("#device button");
  await tab.click(alice ?? "");
}

/** The pages of the server, in the order in which a user meets them. */
export const serverPages: readonly ShownPage[] = [
  { name: "sign-in", open: (tab, issuer) => tab.goto(shopRequest(issuer)) },
  {
    name: "sign-in, with its details",
    async open(tab, issuer) {
      await tab.goto(shopRequest(issuer));
      await tab.evaluate(
        "for (const each of document.querySelectorAll('details')) each.open = true",
      );
    },
  },
  {
    name: "sign-in, failed, with a long name",
    async open(tab, issuer) {
      await tab.goto(strangeRequest(issuer));
      await tab.type("#username", "u".repeat(200));
      await tab.type("#password", "wrong");
      await tab.click("#sign-in-button");
    },
  },
  {
    name: "consent",
    open: (tab, issuer) => signIn(tab, shopRequest(issuer, { prompt: "consent" }), alice),
  },
  {
    name: "consent, with 40 scopes and long names",
    open: (tab, issuer) => signIn(tab, strangeRequest(issuer, { prompt: "consent" }), stranger),
  },
  {
    name: "consent, with boxes",
    open: (tab, issuer) =>
      signIn(tab, shopRequest(issuer, { client_id: "choosy", prompt: "consent" }), alice),
  },
  {
    name: "choice of an account",
    async open(tab, issuer) {
      await allow(tab, issuer);
      await tab.goto(strangeRequest(issuer, { prompt: "select_account" }));
    },
  },
  {
    name: "account",
    async open(tab, issuer) {
      await allow(tab, issuer);
      await tab.goto(`${issuer}/account`);
    },
  },
  {
    name: "account, with another session",
    async open(tab, issuer) {
      await allow(tab, issuer);
      await tab.send("Network.clearBrowserCookies");
      await allow(tab, issuer);
      await tab.goto(`${issuer}/account`);
    },
  },
  { name: "account, signed out", open: (tab, issuer) => tab.goto(`${issuer}/account`) },
  {
    name: "link to choose a password, void",
    open: (tab, issuer) => tab.goto(`${issuer}/reset?user=dora&link=x`),
  },
  { name: "device", open: (tab, issuer) => tab.goto(`${issuer}/device`) },
  {
    name: "device, with a code",
    open: (tab, issuer) => tab.goto(`${issuer}/device?user_code=WDJB-MJHT`),
  },
  { name: "device, consent", open: openDeviceConsent },
  {
    name: "device, finished",
    async open(tab, issuer) {
      await openDeviceConsent(tab, issuer);
      await waitUntilArmed(tab);
      await tab.click("#allow");
    },
  },
  {
    name: "sign-out",
    async open(tab, issuer) {
      await allow(tab, issuer);
      const query = encode({ client_id: "shop", post_logout_redirect_uri: `${issuer}/bye` });
      await tab.goto(`${issuer}/oauth2/logout?${query}`);
    },
  },
  { name: "signed out before", open: (tab, issuer) => tab.goto(`${issuer}/oauth2/logout`) },
  {
    name: "signed out",
    async open(tab, issuer) {
      await allow(tab, issuer);
      await tab.goto(`${issuer}/oauth2/logout`);
      await tab.click("#sign-out-button");
    },
  },
  {
    name: "error of a request",
    open: (tab, issuer) => tab.goto(shopRequest(issuer, { redirect_uri: "https://evil.example" })),
  },
  { name: "page not found", open: (tab, issuer) => tab.goto(`${issuer}/nothing`) },
  {
    name: "expired sign-in",
    open: (tab, issuer) => tab.goto(`${issuer}/oauth2/interaction/expired`),
  },
];
