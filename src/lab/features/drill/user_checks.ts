import { end as endSession } from "../../../administration/sessions.ts";
import type { UserConfig } from "../../../server/config/user_config.ts";
import { decodeUtf8, encodeBase64url } from "../../../server/util/bytes/encoding.ts";
import { readBase64 } from "../../../server/util/bytes/pem.ts";
import { messageOf } from "../../../server/util/text/error_message.ts";
import { type CheckTable, must, should } from "../../findings/sentences.ts";
import { LabError } from "../../util/lab_error.ts";
import { ignoreProblem } from "../verdicts/drill_access.ts";
import type { CheckReading } from "../verdicts/drill_check.ts";
import { checkSignedIn, findLoginUrl, openCheck, signIn } from "./application_login.ts";
import type { DrillBrowser, DrillPage } from "./drill_browser.ts";
import { signOut } from "./login_steps.ts";
import { linkedPages } from "./page_controls.ts";
import { onlyIn } from "./page_marks.ts";
import { noSignOut, type SeenSession, type SessionCheck, settingOf } from "./session_check.ts";
import { type DrilledLab, watchLab, withUser } from "./watch_lab.ts";

/** The user whose account others try to get. */
export const wantedUser = "wanted";

/** How long a session may go on after a logout token, in milliseconds. */
const logoutTime = 5000;

/** What a drill finds out about the accounts of an application, with a second user. */
export const userChecks: CheckTable<SessionCheck> = {
  second_user: should("ownData", {
    takes: "nothing",
    title: "Each user must see their own page",
    mistake: "A user sees the page of another one",
    gain: "A user sees the data of another one.",
    fix: "Keep what belongs to a user in their session, and never in a variable or cache of all.",
    run: trySecondUser,
  }),
  forged_session: should("sessionToken", {
    takes: "nothing",
    title: "A session cookie must not be what anyone can write",
    mistake: "Takes a session cookie that anyone can write",
    gain: "Who writes the name of another user into the cookie is signed in as them.",
    fix: "Use a random id, or sign or encrypt the cookie.",
    run: tryForgedCookie,
  }),
  account_by_email: should("stableId", {
    takes: "a name",
    size: "limit",
    cases: [
      {
        when: ["with an unverified address"],
        takes: "nothing",
        gain: "Who writes the address of another user into their profile gets their account.",
      },
      {
        when: ["with a verified address", "several issuers"],
        takes: "an issuer",
        gain: "Who has the address of another user at another provider gets their account.",
      },
      {
        when: ["with a verified address"],
        takes: "a name",
        size: "limit",
        gain: "Who is given the address that a former user had gets that user's account.",
      },
      {
        when: ["with a user name", "free names"],
        takes: "a name",
        gain: "Who takes a name that another user has given up gets their account.",
      },
    ],
    title: "An account must belong to iss and sub, not to an e-mail or user name",
    mistake: "Takes an e-mail address or a user name for the account",
    gain: "Who is given the name that a former user had gets that user's account.",
    fix: "Find the account by iss and sub. Link one by a verified address only if its user agrees.",
    run: tryEmail,
  }),
  account_without_sub: must("idTokenSub", {
    title: "Users without a sub must not share an account",
    mistake: "Users without a sub share an account",
    gain: "All users whom a provider does not name use one account.",
    fix: "Require a sub in the ID token.",
    run: tryWithoutSub,
  }),
  other_session_ended: should("sessionEnd", {
    takes: "a browser",
    title: "A sign-out must end the session of its own browser",
    mistake: "A sign-out ends the session of another login",
    gain: "The session goes on for who has its cookie, and another login of the user is lost.",
    fix: "End the session whose cookie came with the request, and not the first one of its user.",
    isAfterSignOut: true,
    run: tryOtherSession,
  }),
  logout_ignored: must("logoutDone", {
    takes: "a browser",
    size: "limit",
    title: "After a logout token that was accepted, the session must have ended",
    mistake: "The session goes on after a logout token that was accepted",
    gain: "A session that was ended from elsewhere goes on, for example on a lost device.",
    fix: "End the sessions with the sid of the token, or all of its sub, before you respond.",
    run: tryLogoutToken,
  }),
};

type AddedFault = Parameters<DrilledLab["fault"]>;

/** What an application shows to one of its users. */
export interface SeenUser {
  browser: DrillBrowser;
  /** The check page. */
  page: DrillPage;
  /** The page that their login ended at. */
  landing?: DrillPage;
}

export const nobodyShown: CheckReading = {
  skipped: "Not checked: no page shows who is signed in.",
};

export const nothingOwn: CheckReading = {
  skipped: "Not checked: no page is for some users alone.",
};

async function trySecondUser(session: SeenSession): Promise<CheckReading> {
  const [one, other] = session.users;
  const first = await see(session, one);
  if (!shows(first, one, other)) return nobodyShown;
  const second = await see(session, other);
  const received = `${other.name} sees the page of ${one.name}`;
  if (showsOnly(second, one, other)) return { wrong: [{ received }] };
  const later = await look(session, first.browser);
  if (showsOnly(later, other, one)) {
    const received = `${one.name} sees the page of ${other.name}, who signed in later elsewhere`;
    return { wrong: [{ received }] };
  }
  const start = await findLoginUrl(session.application, session.openBrowser());
  const ofLogin = { ...session, application: { ...session.application, start } };
  const again = await see(ofLogin, other, [], first.browser.copy()).catch(ignoreProblem);
  // A login that ended elsewhere was refused, because someone else is signed in. One who may change
  // between accounts sees both, and all that their page has.
  const isPartly = again && endsLike(again, [first, second]) && shows(again, one, other) &&
    shownNames(second, other).some((name) => !shownNames(again, other).includes(name));
  return isPartly
    ? { wrong: [{ received: `after a second login in one browser, ${received}` }] }
    : {};
}

/** Whether a login ended as others did, at a page that has all that theirs have in common. */
function endsLike({ landing }: SeenUser, others: readonly SeenUser[]): boolean {
  const pages = others.flatMap((other) => other.landing ?? []);
  const [first = new Set<string>(), ...more] = pages.map((page) => page.pieces());
  const shared = [...first].filter((piece) => more.every((each) => each.has(piece)));
  if (!landing || !pages.some(({ url }) => placeOf(url) === placeOf(landing.url))) return false;
  const pieces = landing.pieces();
  return shared.every((piece) => pieces.has(piece));
}

/** Returns the path of a URL and the names in its query, without what may be new at each login. */
export function placeOf(url: string): string {
  const { pathname, searchParams } = new URL(url);
  return [pathname.replaceAll(/[^/]*\d[^/]*/g, "*"), ...searchParams.keys()].join(" ");
}

/** Writes the name of another user into the cookies of one. */
async function tryForgedCookie(session: SeenSession): Promise<CheckReading> {
  const [one, other] = session.users;
  // Whoever has not signed in yet has no account.
  await see(session, other);
  const first = await see(session, one);
  if (!shows(first, one, other)) return nobodyShown;
  for (const [at, name] of namesOf(one).entries()) {
    const to = namesOf(other)[at] ?? other.name;
    let isChanged = false;
    const forged = first.browser.copy((cookie) => {
      const value = replaceIn(cookie.value, name, to);
      isChanged ||= value !== cookie.value;
      return { ...cookie, value };
    });
    if (isChanged && shows(await look(session, forged), other, one)) {
      return { wrong: [{ received: `'${name}' in a cookie, which anyone can replace` }] };
    }
  }
  return {};
}

/** Replaces a text in a cookie, which may have it encoded for a URL, or in base64. */
function replaceIn(value: string, from: string, to: string): string {
  const plain = value.replaceAll(from, to)
    .replaceAll(encodeURIComponent(from), encodeURIComponent(to));
  return plain.replaceAll(/[\w+/-]{8,}/g, (part) => {
    const bytes = readBase64(part.replaceAll("-", "+").replaceAll("_", "/"));
    const text = bytes && decodeUtf8(bytes);
    return text?.includes(from) ? encodeBase64url(text.replaceAll(from, to)) : part;
  });
}

/**
 * Gives new users the address of a user whom the drill has made, first unverified, and then the user
 * name. No value of that user has another one in it, so any other that a page shows is theirs.
 */
async function tryEmail(session: SeenSession, before?: CheckReading): Promise<CheckReading> {
  const victim = session.makeUser({}, wantedUser);
  const { email, preferred_username } = victim.claims ?? {};
  const seeAll = async (user: UserConfig, faults?: readonly AddedFault[]) => {
    const { browser, page, landing } = await see(session, user, faults);
    const pages = [page, landing ?? [], await linkedPages(browser, page)].flat();
    return new Set(pages.flatMap((each) => [...each.pieces()]));
  };
  const seeMade = (user: UserConfig, faults?: readonly AddedFault[]) =>
    withUser(session.lab, user, () => seeAll(user, faults));
  // A refusal shows something only where someone else who is new is admitted.
  const first = await seeMade(victim).catch((cause) => {
    throw new LabError(`The application admits no new user: ${messageOf(cause)}`);
  });
  const again = await seeMade(victim);
  const others = await seeAll(session.users[1]);
  const taken = [email, String(email).split("@", 1), preferred_username].flat().map(String);
  // A link or a handle has what is taken, too, and shows no account.
  const marks = [...first].filter((mark) =>
    again.has(mark) && !others.has(mark) && isOwnMark(mark, victim) &&
    !taken.some((each) => mark.includes(each))
  );
  if (marks.length === 0) return nobodyShown;
  // Two users of the lab have two names: only a fault gives one the name of another.
  const named: AddedFault[] = [
    ["userinfo.changed", { merge: { preferred_username } }],
    ["token.claims", { claims: { preferred_username } }],
  ];
  // It is true in many languages.
  const asText = { email, email_verified: "false" };
  const attempts = [
    ["an unverified address", { email, email_verified: false }, []],
    ["a user name", {}, named],
    ["an unverified address ('false' as a text)", asText, []],
    ["a verified address", { email, email_verified: true }, []],
  ] as const;
  let isRefused = false;
  const isTaken = async ([as, claims, faults]: typeof attempts[number] | typeof all) => {
    const pieces = await seeMade(session.makeUser(claims, as), faults).catch(ignoreProblem);
    isRefused ||= pieces === undefined;
    return marks.some((mark) => pieces?.has(mark));
  };
  const all = ["all of it", { email, email_verified: true }, named] as const;
  const isAll = before !== undefined || await isTaken(all);
  // Who does not get the account with all of it does not get it with a part.
  if (!isAll && !isRefused) return {};
  for (const attempt of attempts) {
    const [what, claims] = attempt;
    const received = `a user with ${what}, that of another, gets their account`;
    // What was found is tried again, and nothing else: a drill makes few users.
    if (before?.wrong?.every((each) => each.received !== received)) continue;
    if (!isAll && claims === asText) continue;
    const isLeft = isAll && !before && attempt === attempts.at(-1);
    if (isLeft || await isTaken(attempt)) {
      return { wrong: [{ facts: [`with ${what}`], received }] };
    }
  }
  return {};
}

/** Whether a mark is of an account: it has a long number, the last name or the id of its user. */
function isOwnMark(mark: string, { sub = "", claims = {} }: UserConfig): boolean {
  const [lastName = ""] = String(claims.name).split(" ").slice(-1);
  return /\d{3}/.test(mark) || mark.includes(lastName) || mark.includes(sub);
}

/** What takes the sub of a user away, and nothing else: another claim may name the account. */
const withoutSub: readonly AddedFault[] = [
  ["id_token.without_sub"],
  ["userinfo.changed", { unset: ["sub"] }],
];

/**
 * Signs two users in without a sub. What both see then, and neither sees before and after it, is
 * shared. A word such as "undefined" is no account.
 */
async function tryWithoutSub(session: SeenSession): Promise<CheckReading> {
  const [one, other] = session.users;
  const usual = [await see(session, one), await see(session, other)] as const;
  if (!shows(usual[0], one, other)) return nobodyShown;
  const first = await see(session, one, withoutSub).catch(ignoreProblem);
  const second = first && await see(session, other, withoutSub).catch(ignoreProblem);
  if (!first || !second) return { byFailure: true };
  const others = [...usual, await see(session, one)];
  const isShared = showsOnly(second, one, other) ||
    onlyIn([first.page, second.page], others.map(({ page }) => page))
      .some((mark) => /\d/.test(mark));
  return isShared
    ? { wrong: [{ received: `${one.name} and ${other.name} have one account` }] }
    : {};
}

/** Signs a user in twice who has no other session, and out of the second one. */
async function tryOtherSession(session: SeenSession): Promise<CheckReading> {
  const { application, signedOut } = session;
  if (!signedOut) return noSignOut(session);
  const user = session.makeUser();
  const own = { ...application, user: user.name, password: undefined };
  return await withUser(session.lab, user, async () => {
    const first = await signIn(own, session.openBrowser());
    const second = await signIn(own, session.openBrowser());
    const kept = second.browser.copy();
    if (await openCheck(own, first.browser) !== undefined) return {};
    await signOut(own, second.browser);
    const isLost = await openCheck(own, first.browser) !== undefined;
    if (!isLost || await openCheck(own, kept) !== undefined) return {};
    return { wrong: [{ received: "the user's first login ended, and not the second one" }] };
  });
}

async function tryLogoutToken(session: SeenSession): Promise<CheckReading> {
  const { lab, application, client, wait } = session;
  if (settingOf(client, "backchannelLogoutUri") === undefined) {
    return { skipped: "Not checked: the client is registered for no logout tokens." };
  }
  const watch = watchLab(lab);
  try {
    const { browser } = await signIn(application, session.openBrowser());
    await checkSignedIn(application, browser);
    for (const sid of watch.sids()) await endSession(lab.context, sid);
    await lab.context.background.idle();
    if (!watch.isDelivered()) {
      return { skipped: "Not checked: the application accepted no logout token of its session." };
    }
    if (await openCheck(application, browser) !== undefined) return {};
    await wait(logoutTime);
    if (await openCheck(application, browser) !== undefined) return {};
    return { wrong: [{ received: "the page still opens after five seconds" }] };
  } finally {
    watch.end();
  }
}

/**
 * Signs a user in, in a browser of their own unless one is given, and looks at the pages. Rejects
 * if the check page does not open then: what it shows is nobody's.
 */
export async function see(
  session: SeenSession,
  { name: user }: UserConfig,
  faults: readonly AddedFault[] = [],
  browser = session.openBrowser(),
): Promise<SeenUser> {
  const { lab, application } = session;
  const added = faults.map((fault) => lab.fault(...fault));
  try {
    const own = { ...application, user, password: undefined };
    const { landing } = await signIn(own, browser);
    await checkSignedIn(application, browser.copy());
    return { ...await look(session, browser), landing };
  } finally {
    for (const { id } of added) lab.faults.remove(id);
  }
}

export async function look(
  { application: { start, check = start } }: SeenSession,
  browser: DrillBrowser,
): Promise<SeenUser> {
  return { browser, page: await browser.copy().open(check) };
}

/** Whether a page names a user, with what is not also of another one. */
export function shows(seen: SeenUser, user: UserConfig, other: UserConfig): boolean {
  const others = namesOf(other);
  return shownNames(seen, user).some((name) => !others.includes(name));
}

function showsOnly(seen: SeenUser, user: UserConfig, other: UserConfig): boolean {
  return shows(seen, user, other) && !shows(seen, other, user);
}

function shownNames({ page, landing }: SeenUser, user: UserConfig): string[] {
  return namesOf(user).filter((name) => page.shows(name) || landing?.shows(name));
}

function namesOf({ name, sub = name, claims = {} }: UserConfig): string[] {
  return [claims.name, claims.email, claims.preferred_username, sub, name]
    .filter((each): each is string => typeof each === "string" && each.length > 2);
}
