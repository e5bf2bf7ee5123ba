import { type CheckTable, must, should } from "../../findings/sentences.ts";
import { ignoreProblem, withoutQuery } from "../verdicts/drill_access.ts";
import type { CheckReading } from "../verdicts/drill_check.ts";
import { namingHeaders, proxyHeaders, type SentHeaders } from "../verdicts/proxy_headers.ts";
import { checkUrlOf, findLoginUrl, opens } from "./application_login.ts";
import { openPage, protectedIn } from "./entry_checks.ts";
import { linkedPages, linksOf } from "./page_controls.ts";
import { type SeenSession, type SessionCheck, settingOf } from "./session_check.ts";
import {
  look,
  nobodyShown,
  nothingOwn,
  placeOf,
  see,
  type SeenUser,
  shows,
} from "./user_checks.ts";
import { watchLab } from "./watch_lab.ts";

/** An origin that no application may share the pages of its users with. */
const attackerOrigin = "https://attacker.example";

/** So many pages of one user are opened as another one. */
const mostObjects = 6;

/** What a drill finds out by single requests: with other headers, or as another user. */
export const requestChecks: CheckTable<SessionCheck> = {
  redirect_body: should("ownData", {
    takes: "nothing",
    title: "A response that leads to the login must not contain the protected page",
    mistake: "Sends the protected page along with the redirect to the login",
    gain: "The content of pages that need a login is read without one: a redirect has a body.",
    fix: "End the request once you have redirected: return, exit, or do not call the next handler.",
    run: tryRedirectBody,
  }),
  trusted_headers: must("proxyHeaders", {
    takes: "nothing",
    title: "A protected page must need a login, also with the headers of a proxy",
    mistake: "Takes headers that anyone can send for the word of a proxy",
    gain: "Pages that need a login open without one. A proxy that removes the header prevents it.",
    fix:
      "Take the user from the session alone; or listen where only your proxy can connect, and let " +
      "it remove these headers from what it receives.",
    run: tryHeaders,
  }),
  redirect_uri_from_header: should("proxyHeaders", {
    takes: "nothing",
    size: "limit",
    title: "The redirect URI should not follow a header that anyone can send",
    mistake: "Makes the redirect URI from a header that anyone can send",
    gain: "Where a provider does not compare redirect URIs exactly, codes go to an attacker.",
    fix: "Configure the origin of the application, and make the redirect URI from it.",
    run: tryRedirectUri,
  }),
  initiate_login_iss: must("openRedirect", {
    takes: "nothing",
    size: "small",
    title: "A login must go to an issuer that the application knows",
    mistake: "Begins a login at any issuer that a link names",
    gain: "A link makes your server ask an attacker's, and leads its users there to sign in.",
    fix: "Compare iss with the issuers of your configuration before you use it.",
    run: tryIssuer,
  }),
  cacheable_page: should("serverCache", {
    takes: "nothing",
    size: "small",
    title: "The page of a user must not be stored by shared caches",
    mistake: "Lets shared caches store the page of a user",
    gain: "A proxy or a CDN in front of the application shows the page of one user to others.",
    fix: "Send Cache-Control: no-store or private with all that depends on the session.",
    run: tryCaching,
  }),
  app_cors: should("originAllowed", {
    takes: "nothing",
    size: "small",
    cases: [{
      when: ["with SameSite=None"],
      takes: "nothing",
      gain: "Each site that a user opens reads what the application shows to them.",
    }],
    title: "Other origins must not read what the application shows to its user",
    mistake: "Lets any origin read what the application shows to its user",
    gain:
      "Scripts of other origins read it with the cookies of the user, where their browser sends " +
      "these: to pages of the same site, at least.",
    fix: "Compare the Origin with a list of your own, and send no CORS headers to all others.",
    run: tryOrigins,
  }),
  other_users_page: should("ownData", {
    takes: "nothing",
    title: "What belongs to one user must not open for another",
    mistake: "Opens what belongs to one user for another",
    gain: "A user who changes the id in a URL reads the data of others.",
    fix: "Look for the record by its id and by the user of the session, not by its id alone.",
    run: tryObjects,
  }),
};

async function tryRedirectBody(session: SeenSession): Promise<CheckReading> {
  if (await opens(session.application, session.openBrowser())) return openPage;
  const isProtected = await protectedIn(session);
  const page = await session.openBrowser().request(checkUrlOf(session.application));
  if (!isProtected(page, true)) return {};
  const received = `${withoutQuery(page.url)} responds with status ${page.status} and the page`;
  return { wrong: [{ received }] };
}

/** Opens the page without a login, with headers of one kind at once, and names the one that works. */
async function tryHeaders(session: SeenSession): Promise<CheckReading> {
  const { application, openBrowser, users: [{ name, sub = name, claims = {} }] } = session;
  if (await opens(application, openBrowser())) return openPage;
  const check = checkUrlOf(application);
  const isProtected = await protectedIn(session);
  const shown = async (headers: SentHeaders, url = check) => {
    const page = await openBrowser().request(url, headers).catch(ignoreProblem);
    return page !== undefined && isProtected(page);
  };
  const email = String(claims.email ?? `${name}@${new URL(check).hostname}`);
  const login = new URL(await findLoginUrl(application, openBrowser()));
  const { origin, pathname, search } = new URL(check);
  const rewritten = proxyHeaders(pathname + search)[1] ?? {};
  const tries: Array<[headers: SentHeaders, url?: string]> = [
    ...[name, email, sub].map((each): [SentHeaders] => [namingHeaders(each, email)]),
    ...proxyHeaders(login.pathname).map((headers): [SentHeaders] => [headers]),
    [rewritten, `${origin}/`],
  ];
  for (const [headers, url] of tries) {
    if (!await shown(headers, url)) continue;
    // Where any header opens it, it is not the header.
    if (await shown({ "X-Hallpass-Drill": email }, url)) return openPage;
    for (const [header, value] of Object.entries(headers)) {
      if (!await shown({ [header]: value }, url)) continue;
      return { wrong: [{ received: `the page opens with '${header}: ${value}'` }] };
    }
    return { wrong: [{ received: `the page opens with ${Object.keys(headers).join(", ")}` }] };
  }
  return {};
}

async function tryRedirectUri(session: SeenSession): Promise<CheckReading> {
  const { application, openBrowser } = session;
  const login = await findLoginUrl(application, openBrowser());
  const begin = async (headers: SentHeaders) => {
    const { labUrl } = await openBrowser().request(login, headers);
    return labUrl === undefined ? undefined : new URL(labUrl).searchParams.get("redirect_uri");
  };
  if (!await begin({})) return { skipped: "Not checked: no URL alone begins a login." };
  const { host } = new URL(attackerOrigin);
  const headers = { "X-Forwarded-Host": host, "X-Host": host, Forwarded: `host=${host}` };
  for (const [name, value] of Object.entries(headers)) {
    const uri = await begin({ [name]: value }).catch(ignoreProblem);
    if (uri && new URL(uri).host === host) {
      return { wrong: [{ received: `redirect_uri=${uri} with '${name}: ${value}'` }] };
    }
  }
  return {};
}

/** Begins a login at an issuer below the address of the lab, where none is (OIDC Core, section 4). */
async function tryIssuer(
  { lab, client, application, openBrowser }: SeenSession,
): Promise<CheckReading> {
  const issuer = `${lab.context.settings.issuer}/hallpass-drill`;
  const registered = settingOf(client, "initiateLoginUri");
  const login = new URL(String(registered ?? await findLoginUrl(application, openBrowser())));
  login.searchParams.set("iss", issuer);
  const watch = watchLab(lab);
  const page = await openBrowser().request(login.href).catch(ignoreProblem);
  watch.end();
  const isAsked = watch.exchanges().some(({ request }) => request.url.startsWith(issuer));
  return isAsked || page?.labUrl?.startsWith(issuer)
    ? { wrong: [{ received: `${withoutQuery(login.href)} goes to iss=${issuer}` }] }
    : {};
}

async function tryCaching(session: SeenSession): Promise<CheckReading> {
  const { signedIn: { browser }, users: [one, other] } = session;
  const page = await browser.copy().request(checkUrlOf(session.application));
  if (!shows({ browser, page }, one, other)) return nobodyShown;
  const control = page.headers.get("Cache-Control")?.toLowerCase() ?? "";
  const isShared = /\bpublic\b|\bs-maxage=[1-9]/.test(control);
  const isKept = /no-store|no-cache|private/.test(control) || /max-age=0\b/.test(control);
  // A cache that sees different cookies keeps different pages.
  const isApart = /\*|cookie/i.test(page.headers.get("Vary") ?? "");
  if (!isShared || isKept || isApart) return {};
  return { wrong: [{ received: `${withoutQuery(page.url)} has Cache-Control: ${control}` }] };
}

/** Asks as scripts of other origins do for the page and the data of its scripts. */
async function tryOrigins(session: SeenSession): Promise<CheckReading> {
  const { application: { data = [] }, signedIn: { browser }, users: [one, other] } = session;
  const { origin } = new URL(checkUrlOf(session.application));
  const strangers = [attackerOrigin, "null", `${origin}.attacker.example`];
  let isShown = false;
  for (const url of [checkUrlOf(session.application), ...data]) {
    for (const Origin of strangers) {
      const headers = { Origin, "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty" };
      const page = await browser.copy().request(url, headers).catch(ignoreProblem);
      if (!page || !shows({ browser, page }, one, other)) break;
      isShown = true;
      const allowed = page.headers.get("Access-Control-Allow-Origin");
      const isAllowed = page.headers.get("Access-Control-Allow-Credentials") === "true";
      if (allowed !== Origin || !isAllowed) continue;
      const isSent = (await browser.cookies()).some(({ sameSite }) => sameSite === "none");
      const facts = isSent ? ["with SameSite=None"] as const : [];
      return { wrong: [{ facts, received: `${withoutQuery(url)} allows the origin ${Origin}` }] };
    }
  }
  return isShown ? {} : nobodyShown;
}

/**
 * Opens as another user what only the pages of one link to. It counts where each has several such
 * links, as to orders, and what opens shows more of the first user than a name: a page about a user,
 * to which each has one link, may be for all.
 */
async function tryObjects(session: SeenSession): Promise<CheckReading> {
  const [one, other] = session.users;
  const first = await look(session, session.signedIn.browser);
  const second = await see(session, other);
  const near = async ({ browser, page }: SeenUser) => [page, ...await linkedPages(browser, page)];
  const ofOther = await near(second);
  const [own, others] = [linksOf(await near(first)), linksOf(ofOther)];
  const shapes = others.map(placeOf);
  const objects = own.filter((url) => !others.includes(url) && shapes.includes(placeOf(url)));
  if (objects.length === 0) return nothingOwn;
  let isOwned = false;
  for (const url of objects.slice(0, mostObjects)) {
    const marks = [one.claims?.email, one.sub].filter((each) =>
      typeof each === "string" && each !== one.name && !url.includes(each) &&
      !url.includes(encodeURIComponent(each)) && !ofOther.some((page) => page.shows(each))
    ) as string[];
    const shown = async ({ browser }: SeenUser) => {
      const page = await browser.copy().open(url).catch(ignoreProblem);
      return marks.filter((mark) => page?.shows(mark));
    };
    const [mark] = await shown(first);
    if (mark === undefined) continue;
    isOwned = true;
    if (!(await shown(second)).includes(mark)) continue;
    const received = `${other.name} opens ${url}, which shows ${mark}`;
    return objects.filter((each) => placeOf(each) === placeOf(url)).length > 1
      ? { wrong: [{ received }] }
      : { unjudged: `If it is for one user alone: ${received}.` };
  }
  return isOwned ? {} : { skipped: "Not checked: what a user has does not show whose it is." };
}
