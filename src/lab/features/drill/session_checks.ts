import { signOut as endAccess } from "../../../administration/users.ts";
import { checksOf, must, should } from "../../findings/sentences.ts";
import { tokenOf } from "../../recording/exchange.ts";
import { refusalEventOf } from "../../recording/refusal.ts";
import { readSpan } from "../../util/clock.ts";
import { ignoreProblem, withoutQuery } from "../verdicts/drill_access.ts";
import type { CheckReading } from "../verdicts/drill_check.ts";
import {
  checkSignedIn,
  checkUrlOf,
  openCheck,
  opens,
  type SignedInBrowser,
  signIn,
  startLogin,
} from "./application_login.ts";
import { callbackChecks } from "./callback_checks.ts";
import type { DrillBrowser } from "./drill_browser.ts";
import { entryChecks } from "./entry_checks.ts";
import { gateChecks } from "./gate_checks.ts";
import { refreshInTurn } from "./login_steps.ts";
import { noResponseIn } from "./no_response.ts";
import { pageChecks } from "./page_checks.ts";
import { requestChecks } from "./request_checks.ts";
import { fetchesKeysIn } from "./run_steps.ts";
import { noSignOut, type SeenSession, type SessionCheck } from "./session_check.ts";
import { userChecks, wantedUser } from "./user_checks.ts";
import { watchLab, withUser } from "./watch_lab.ts";

/** The longest wait between two attempts, in milliseconds. */
const betweenAttempts = 5000;

const mayWait = "The application refused it, perhaps because it fetched the keys a moment ago: " +
  "'keyWait' gives it time.";

/** What a drill finds out about the session of an application, without any fault. */
export const sessionChecks: readonly SessionCheck[] = checksOf<SessionCheck>({
  same_session: should("sessionFixation", {
    takes: "a planted cookie",
    title: "A sign-in should begin a new session",
    mistake: "Keeps the id of the session at a sign-in",
    gain: "An attacker who plants a cookie in a victim's browser shares the victim's session.",
    fix: "Change the session id when the user signs in: req.session.regenerate() in Express.",
    run: trySameSession,
  }),
  // A drill makes it even if it is not asked to: what refreshes twice would be blamed on a fault.
  second_refresh: must("refreshReplaced", {
    kind: "interoperability",
    title: "A refresh must send the refresh_token of the last response",
    mistake: "Refreshes with a refresh_token that was replaced",
    gain:
      "Your users are signed out when the provider replaces refresh tokens: one that comes twice " +
      "looks stolen.",
    fix: "Store the refresh_token of each response, also of a refresh, in place of the one before.",
    run: trySecondRefresh,
  }),
  ended_token: should("tokenRefused", {
    title: "A refused access token should not be sent again",
    mistake: "Goes on with an access token that was refused",
    gain: "Once the token has ended, users see errors until they sign in by hand.",
    fix: "After invalid_token, refresh the token, or send the user to sign in.",
    run: tryEndedToken,
  }),
  code_in_url: should("referrer", {
    takes: "a log",
    size: "limit",
    title: "A callback should lead away from the URL with the code, or send a Referrer-Policy",
    mistake: "The code stays in the URL of the page",
    gain: "The code and the state are in the history of the browser, and in Referer headers.",
    fix: "Redirect after the callback, or send Referrer-Policy: no-referrer.",
    run: ({ signedIn }) => tryCodeInUrl(signedIn),
  }),
  session_survives: should("sessionEnd", {
    takes: "a browser",
    title: "After the sign-out, the protected page must not open",
    mistake: "The session goes on after the sign-out",
    gain: "The next person at the browser goes on as the user who has signed out.",
    fix: "End the session of the application first, and then sign out at the server.",
    isAfterSignOut: true,
    run: trySurvival,
  }),
  server_session: should("signOutAtServer", {
    title: "A sign-out should end the session at the server, too, where it can",
    mistake: "A sign-out leaves the session at the server open",
    gain: "The next person at the browser can sign in as the same user, without a password.",
    fix: "Redirect to the end_session_endpoint with the ID token as id_token_hint.",
    isAfterSignOut: true,
    run: tryServerSession,
  }),
  old_cookie: should("sessionEnd", {
    takes: "a cookie",
    size: "limit",
    title: "After a sign-out, the cookies from before it should open nothing",
    mistake: "The cookies from before the sign-out still work",
    gain: "Who has copied the cookie goes on as its user, for as long as its session is valid.",
    fix:
      "Delete the session on the server, as req.session.destroy() of Express does. If the cookie " +
      "is the session, keep a list of those that have ended.",
    isAfterSignOut: true,
    run: tryOldCookie,
  }),
  ...callbackChecks,
  ...pageChecks,
  ...userChecks,
  ...entryChecks,
  ...requestChecks,
  ...gateChecks,
  new_key: must("newKey", {
    kind: "interoperability",
    title: "An ID token that a new key has signed should be accepted",
    mistake: "Never fetches the keys of the provider again",
    gain: "Your users cannot sign in when the provider has rotated its keys, until a restart.",
    fix: "Fetch the key set again for a kid that it does not contain, at most every 30 seconds.",
    run: tryNewKey,
  }),
});

/** The cookies from before the sign-in should not open the session that it began. */
async function trySameSession(
  { application, signedIn, openBrowser }: SeenSession,
): Promise<CheckReading> {
  const { browser, before } = signedIn;
  if ((await browser.cookies()).length === 0) {
    return { skipped: "Not checked: the application sets no cookie." };
  }
  if (!await opens(application, before.copy())) return {};
  // Before a login ends, its cookies open nothing.
  const begun = openBrowser();
  await startLogin(application, begun);
  if (await opens(application, begun)) return { skipped: "Not checked: the page is open." };
  const needed = [];
  for (const { name } of await before.cookies()) {
    if (!await opens(application, before.copy((each) => each.name === name ? undefined : each))) {
      needed.push(name);
    }
  }
  const cookies = needed.length > 0 ? `the cookie '${needed.join("', '")}'` : "a cookie";
  return { wrong: [{ received: `${cookies} from before the sign-in opens the session` }] };
}

/** The first login has shown that it fails. */
async function trySecondRefresh(
  { application, openBrowser }: SeenSession,
): Promise<CheckReading> {
  const { refresh, secondRefresh } = application;
  if (refresh === undefined) {
    return { skipped: "The drill found nothing that refreshes tokens, and was given no URL." };
  }
  if (secondRefresh === undefined) return {};
  const { browser } = await signIn(application, openBrowser());
  const problem = await refreshInTurn(application, refresh, browser);
  return problem === undefined
    ? {}
    : { wrong: [{ received: `after a refresh, ${problem.replace(/\.$/, "")}` }] };
}

/** Ends all that a user was given, and opens the page twice that sent a token of it. */
async function tryEndedToken(
  { lab, application, openBrowser, makeUser, signedIn }: SeenSession,
): Promise<CheckReading> {
  const watch = watchLab(lab);
  const sentBy = async (browser: DrillBrowser) => {
    const before = watch.exchanges().at(-1)?.id ?? 0;
    await openCheck(application, browser);
    return watch.exchanges().filter(({ id, request }) => id > before && tokenOf(request));
  };
  try {
    const usual = await sentBy(signedIn.browser.copy());
    if (usual.length === 0) return { skipped: "Not checked: the page sends no access token." };
    if (usual.some(refusalEventOf)) {
      return { skipped: "Not checked: the page sends a token that is refused from the start." };
    }
    const user = makeUser({}, wantedUser);
    return await withUser(lab, user, async () => {
      const own = { ...application, user: user.name, password: undefined };
      const { browser } = await signIn(own, openBrowser());
      await openCheck(own, browser);
      const refusedBy = async () =>
        (await sentBy(browser)).filter(refusalEventOf).map(({ request }) => tokenOf(request));
      await endAccess(lab.context, user.name);
      await lab.context.background.idle();
      const [refused, again] = [await refusedBy(), await refusedBy()];
      if (refused.length === 0) return { skipped: "Not checked: the page did not send it again." };
      if (!refused.some((token) => again.includes(token))) return {};
      return {
        wrong: [{ received: `${withoutQuery(checkUrlOf(application))} sends it each time` }],
      };
    });
  } finally {
    watch.end();
  }
}

function tryCodeInUrl({ landing }: SignedInBrowser): CheckReading {
  const { url, referrerPolicy: policy } = landing;
  if (!new URL(url).searchParams.has("code")) return {};
  const isSafe = policy !== undefined && !/unsafe-url|when-downgrade/.test(policy);
  if (isSafe) return {};
  const sent = policy === undefined ? "no Referrer-Policy" : `Referrer-Policy: ${policy}`;
  return {
    wrong: [{ received: `${withoutQuery(url)} keeps the code in its URL, and sends ${sent}` }],
  };
}

async function trySurvival(session: SeenSession): Promise<CheckReading> {
  const { application, signedIn: { browser }, signedOut } = session;
  if (!signedOut) return noSignOut(session);
  if (!await opens(application, browser)) return {};
  return { wrong: [{ received: `${withoutQuery(checkUrlOf(application))} still opens` }] };
}

async function tryOldCookie(session: SeenSession): Promise<CheckReading> {
  const { application, signedIn: { browser }, signedOut } = session;
  if (!signedOut) return noSignOut(session);
  // What the sign-out leaves open is no matter of cookies.
  if (await opens(application, browser) || !await opens(application, signedOut.kept)) return {};
  return {
    wrong: [{ received: `${withoutQuery(checkUrlOf(application))} still opens with them` }],
  };
}

function tryServerSession(session: SeenSession): CheckReading {
  const { signedOut } = session;
  if (!signedOut) return noSignOut(session);
  const { reachedLab, isOpenAtLab } = signedOut;
  if (!isOpenAtLab) return {};
  return reachedLab
    ? {
      wrong: [{ received: "the sign-out leads to the lab, and the session there is still open" }],
    }
    : { note: "It signs users out of the application alone: their session here goes on." };
}

async function tryNewKey(session: SeenSession): Promise<CheckReading> {
  const { application: { keyWait }, lab, wait } = session;
  const end = performance.now() + readSpan(keyWait ?? 0);
  const fault = lab.fault("jwks.new_key");
  try {
    while (true) {
      if (await acceptsKey(session)) return {};
      const left = end - performance.now();
      if (left > 0) await wait(Math.min(left, betweenAttempts));
      else if (keyWait !== undefined) return { wrong: [{ received: "it fetched no keys" }] };
      else return { skipped: mayWait };
    }
  } finally {
    lab.faults.remove(fault.id);
  }
}

/** Whether a login succeeds, or fails for another reason than its key. */
async function acceptsKey({ lab, application, openBrowser }: SeenSession): Promise<boolean> {
  const watch = watchLab(lab);
  try {
    const { browser } = await signIn(application, openBrowser());
    await checkSignedIn(application, browser);
    return true;
  } catch (cause) {
    if (noResponseIn(cause)) throw cause;
    ignoreProblem(cause);
    return fetchesKeysIn(watch.exchanges());
  } finally {
    watch.end();
  }
}
