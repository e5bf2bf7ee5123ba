import { type CheckTable, must, should } from "../../findings/sentences.ts";
import { readJwt } from "../../recording/credentials.ts";
import { jsonOf } from "../../recording/exchange.ts";
import { ignoreProblem, withoutQuery } from "../verdicts/drill_access.ts";
import type { CheckReading } from "../verdicts/drill_check.ts";
import { openCheck, startLogin } from "./application_login.ts";
import type { SeenSession, SessionCheck } from "./session_check.ts";
import { look, nobodyShown, see, shows } from "./user_checks.ts";
import { watchLab } from "./watch_lab.ts";

/** What a drill finds out about requests and responses that are changed on their way. */
export const callbackChecks: CheckTable<SessionCheck> = {
  "callback.unsolicited": must("csrf", {
    title: "A response must sign no one in, in a browser that did not begin this login",
    mistake: "Signs a browser in that did not begin this login",
    takes: "nothing",
    gain: "A victim who follows a link is signed in as an attacker, whose account gets what they " +
      "enter.",
    fix:
      "Refuse a response without the state of a login that this browser began, and one with it " +
      "if the code or the ID token is not from this login: PKCE or a nonce.",
    run: tryUnsolicited,
  }),
  "request.stripped": should("authTime", {
    title: "What a request demands of the sign-in should be compared with the ID token",
    mistake: "Does not notice that the browser has removed what its request demands of the sign-in",
    takes: "a browser",
    gain: "A page that demands a recent or a stronger sign-in opens without one.",
    fix: "Compare auth_time with max_age, and acr with acr_values; or push the request (PAR).",
    run: tryStripped,
  }),
};

/** How a link can change the state of a response. */
const changes: Readonly<Record<string, (parameters: URLSearchParams) => void>> = {
  "of another browser": () => {},
  "without a state": (parameters) => parameters.delete("state"),
  // Equal to none where there is none to compare it with.
  "with an empty state": (parameters) => parameters.set("state", ""),
};

/** Opens responses to an attacker's login in the browser of a victim, who began none, or another. */
async function tryUnsolicited(session: SeenSession): Promise<CheckReading> {
  const { application, openBrowser, users: [victim, attacker], signedIn } = session;
  if (!shows(await look(session, signedIn.browser), victim, attacker)) return nobodyShown;
  for (const [before, count] of [["no login", 3], ["a login of its own", 2]] as const) {
    for (const [what, change] of Object.entries(changes).slice(0, count)) {
      const browser = openBrowser();
      if (before !== "no login") await startLogin(application, browser);
      const own = { ...application, user: attacker.name, password: undefined };
      const { url, parameters, isPosted } = await startLogin(own, openBrowser());
      const sent = new URLSearchParams(parameters);
      change(sent);
      if (isPosted) await browser.send(url, [...sent], url);
      else await browser.open(`${withoutQuery(url)}?${sent}`);
      if (!shows(await look(session, browser), attacker, victim)) continue;
      const received = `a response ${what} signs ${attacker.name} in, after ${before}`;
      return { wrong: [{ received }] };
    }
    // A login that succeeds keeps an application from locking out what fails too often.
    if (before === "no login") await see(session, victim).catch(ignoreProblem);
  }
  return { byFailure: true };
}

/** What a request can demand of a sign-in. */
const demands = ["acr_values", "max_age", "prompt", "claims", "login_hint", "hd"];

/** Signs in as long ago as an old session, without what the request demands. */
async function tryStripped({ lab, application, openBrowser }: SeenSession): Promise<CheckReading> {
  const browser = openBrowser();
  let demanded = new URLSearchParams();
  const watch = watchLab(lab);
  const { open } = await startLogin(application, browser, { authTime: "-1d" }, (request) => {
    const url = new URL(request);
    demanded = new URLSearchParams(url.search);
    for (const name of demands) url.searchParams.delete(name);
    return url.href;
  });
  await open();
  watch.end();
  const [token] = watch.exchanges().flatMap(({ response }) =>
    response && jsonOf(response)?.id_token || []
  );
  const { acr } = readJwt(String(token))?.claims ?? {};
  const isWeak = demanded.get("acr_values")?.split(" ").includes(String(acr)) === false;
  if (!isWeak && !demanded.has("max_age")) {
    return { skipped: "Not checked: no URL demands a recent or a stronger sign-in." };
  }
  if (await openCheck(application, browser) !== undefined) return { byFailure: true };
  const names = demands.filter((name) => demanded.has(name)).join(" and ");
  return { wrong: [{ received: `the page opens after a login without ${names}` }] };
}
