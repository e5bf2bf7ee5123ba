import { type CheckTable, should } from "../../findings/sentences.ts";
import { ignoreProblem, withoutQuery } from "../verdicts/drill_access.ts";
import type { CheckReading } from "../verdicts/drill_check.ts";
import { spellingsOf } from "../verdicts/path_spellings.ts";
import { opens, signIn, startLogin } from "./application_login.ts";
import type { DrillBrowser, DrillPage } from "./drill_browser.ts";
import { linkedPages } from "./page_controls.ts";
import { onlyIn } from "./page_marks.ts";
import type { SeenSession, SessionCheck } from "./session_check.ts";
import { look, nobodyShown, see } from "./user_checks.ts";

/** What a page must show as text, in the name of a user. */
const markup = "<hallpass-name>";

/** So few characters that change from one session to the next are tried out. */
const fewCharacters = 6;

/** A protected page that opens without a user shows nearly all that the pages of two users share. */
const mostShown = 0.8;

/** Why nothing is found out where no login is needed. */
export const openPage: CheckReading = { skipped: "Not checked: the page is open." };

/** What a drill finds out about other ways into an application than a login. */
export const entryChecks: CheckTable<SessionCheck> = {
  guessable_session: should("sessionToken", {
    takes: "nothing",
    title: "The cookie of a session must not be guessable",
    mistake: "The cookie of a session can be guessed",
    gain: "Who tries the next values is signed in as other users.",
    fix: "Use a random id of at least 128 bits, such as crypto.randomUUID(), or seal the cookie.",
    run: tryGuess,
  }),
  unfinished_login: should("ownData", {
    takes: "nothing",
    title: "The cookies of a login that has not ended must open nothing",
    mistake: "Takes the cookie of a login that has not ended for a session",
    gain: "Who begins a login, and does not end it, opens pages that need one.",
    fix: "Keep logins and sessions apart, and look for a user in the session, not for a session.",
    run: tryUnfinished,
  }),
  path_spelling: should("ownData", {
    takes: "nothing",
    title: "Other spellings of a protected page must be protected, too",
    mistake: "Opens a protected page without a login if its URL is spelled in another way",
    gain: "Pages that need a login open without one.",
    fix: "Protect all pages, and name those that are open; compare paths as the router reads them.",
    run: trySpellings,
  }),
  claim_markup: should("markup", {
    takes: "nothing",
    cases: [{
      when: ["with a policy that stops scripts"],
      takes: "nothing",
      size: "small",
      gain: "A user changes what your pages show to others. Their policy stops scripts.",
    }],
    title: "The name of a user must be shown as text",
    mistake: "Shows the name of a user as markup",
    gain: "A user who chooses such a name at the provider runs a script in your pages.",
    fix: "Escape all that comes from claims, as the templates of most frameworks do by default.",
    run: tryName,
  }),
};

/** Compares the cookies of three logins that the page needs. */
async function tryGuess(
  { application, openBrowser, signedIn }: SeenSession,
): Promise<CheckReading> {
  const { browser } = signedIn;
  const others = [
    await signIn(application, openBrowser()),
    await signIn(application, openBrowser()),
  ];
  for (const { name, value } of await browser.cookies()) {
    if (await opens(application, browser.copy((each) => each.name === name ? undefined : each))) {
      continue;
    }
    const values = [value];
    for (const other of others) {
      values.push(
        ...(await other.browser.cookies()).flatMap((each) => each.name === name ? each.value : []),
      );
    }
    // A cookie that contains the user, and no session, is the same after each login.
    if (new Set(values).size < 3) continue;
    const changing = Math.max(...values.map((each) => each.length)) - sharedBeginning(values);
    if (changing <= fewCharacters) {
      return { wrong: [{ received: `'${name}' was ${values.join(", ")} in three logins` }] };
    }
  }
  return {};
}

/** Returns how many characters all texts begin with alike. */
function sharedBeginning([first = "", ...others]: readonly string[]): number {
  const at = [...first].findIndex((each, index) => others.some((other) => other[index] !== each));
  return at < 0 ? first.length : at;
}

/** Several checks need it, and another user signs in for it. */
export function protectedIn(session: SeenSession): NonNullable<SeenSession["isProtected"]> {
  return session.isProtected ??= readProtected(session);
}

/**
 * Returns what tells whether a page shows what it shows to any user, and what no page shows to those
 * who are not signed in: the first one, the one that begins a login, or one that does not exist.
 */
async function readProtected(session: SeenSession) {
  const { application: { start, check = start }, openBrowser, signedIn, users } = session;
  const { page: one } = await look(session, signedIn.browser);
  const { page: other } = await see(session, users[1]);
  const missing = `${withoutQuery(check)}-hallpass-drill`;
  // What asks for a login has the same frame around it.
  const open = [...new Set([check, start, `${new URL(check).origin}/`, missing])];
  const shown = await Promise.all(
    open.map((url) => openBrowser().open(url).catch(ignoreProblem)),
  );
  const isElsewhere = (page: DrillPage) => (page.labUrl ?? page.outsideUrl) !== undefined;
  // What leads elsewhere may have the page in its body.
  const own = onlyIn([one, other], shown.flatMap((page) => page && !isElsewhere(page) ? page : []));
  return (page: DrillPage, mayLeadElsewhere = false) => {
    const pieces = page.pieces();
    const found = own.filter((piece) => pieces.has(piece)).length;
    const isWhole = found >= 2 && found >= own.length * mostShown;
    return isWhole && (mayLeadElsewhere || !isElsewhere(page));
  };
}

/** Opens the page in a browser whose login has not ended, also under the names of the session. */
async function tryUnfinished(session: SeenSession): Promise<CheckReading> {
  const { application, openBrowser, signedIn } = session;
  if (await opens(application, openBrowser())) return openPage;
  const isProtected = await protectedIn(session);
  const { start, check = start } = application;
  const shows = async (browser: DrillBrowser) => isProtected(await browser.open(check));
  const begun = openBrowser();
  await startLogin(application, begun);
  const received = "the page opens before the login has ended";
  if (await shows(begun.copy())) return { wrong: [{ received }] };
  const known = (await begun.cookies()).map(({ name }) => name);
  for (const { name } of await signedIn.browser.cookies()) {
    if (known.includes(name)) continue;
    for (const of of known) {
      const renamed = begun.copy((each) => each.name === of ? { ...each, name } : each);
      if (!await shows(renamed)) continue;
      return { wrong: [{ received: `the cookie '${of}' of a login opens it as '${name}'` }] };
    }
  }
  return {};
}

async function trySpellings(session: SeenSession): Promise<CheckReading> {
  const { application: { start, check = start }, openBrowser } = session;
  if (await opens(session.application, openBrowser())) return openPage;
  const isProtected = await protectedIn(session);
  const { origin } = new URL(check);
  for (const [what, path] of spellingsOf(new URL(check))) {
    const page = await openBrowser().open(origin + path).catch(ignoreProblem);
    if (page && isProtected(page)) {
      return { wrong: [{ received: `it opens with ${what}: ${origin}${path}` }] };
    }
  }
  return {};
}

/** Signs a user in whose names are markup, and opens the pages to which theirs links. */
async function tryName(session: SeenSession): Promise<CheckReading> {
  const [, other] = session.users;
  const name = `Nova hallpass-${markup}`;
  const claims = { name, given_name: name, family_name: name, nickname: name };
  const { page, landing, browser } = await see(session, other, [
    ["userinfo.changed", { merge: claims }],
    ["token.claims", { claims }],
  ]);
  const pages = [page, ...landing ? [landing] : [], ...await linkedPages(browser, page)];
  const wrong = pages.find((each) => each.hasMarkup(markup));
  if (wrong) {
    const facts = wrong.stopsScripts ? ["with a policy that stops scripts"] as const : [];
    return { wrong: [{ facts, received: `${withoutQuery(wrong.url)} shows it as an element` }] };
  }
  return pages.some((each) => each.shows(markup) || each.words().includes("hallpass-name"))
    ? {}
    : nobodyShown;
}
