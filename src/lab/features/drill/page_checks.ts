import type { SeenFact } from "../../findings/grade.ts";
import { type CheckTable, must, should } from "../../findings/sentences.ts";
import { ignoreProblem, withoutQuery } from "../verdicts/drill_access.ts";
import type { CheckReading, Deviation } from "../verdicts/drill_check.ts";
import { findLoginUrl, openCheck, signIn, startLogin } from "./application_login.ts";
import type { DrillBrowser } from "./drill_browser.ts";
import { findButton, isAuthorizationRequest } from "./login_steps.ts";
import type { SeenSession, SessionCheck } from "./session_check.ts";

/** A host that no application may send its users to. */
const attackerHost = "attacker.example";

/** What a page must show as text. */
const markup = "<hallpass-markup>";

/** The parameters that name where a login ends, in many frameworks. */
const returnParameters = [
  [
    ...["returnTo", "return_to", "returnUrl", "next", "redirect", "redirect_to", "redirect_url"],
    ...["back", "continue", "callbackUrl", "destination", "target", "url", "goto", "rd", "from"],
    ...["redirectTo", "redirectUrl", "ReturnUrl", "dest", "nextUrl"],
  ],
  // A login that checks these may refuse them, and with them all others.
  ["redirect_uri", "origin"],
];

/** What a drill finds out about the pages and cookies of an application. */
export const pageChecks: CheckTable<SessionCheck> = {
  open_redirect: must("openRedirect", {
    takes: "nothing",
    size: "small",
    cases: [{
      when: ["with a code or a token"],
      takes: "nothing",
      gain: "A link to your application sends the code or a token of its user to an attacker.",
    }],
    title: "A login and a sign-out must end at a page of the application",
    mistake: "A login or a sign-out ends at any URL that a link names",
    gain: "A link to your application leads its users to a page that an attacker has made.",
    fix:
      "Accept only URLs of your own pages: resolve the value as a URL, compare its origin, and " +
      "redirect to the whole URL. Paths such as //host/, /\\host/ and /.//host/ lead elsewhere.",
    run: async (session) => ({ wrong: await tryRedirects(session) }),
  }),
  other_issuer_callback: should("mixUp", {
    takes: "an issuer",
    when: ["accepts callback.wrong_iss"],
    title: "A response at the redirect URI of another server must be refused",
    mistake: "Accepts a response at the redirect URI of another server",
    gain: "An attacker who runs one of the servers gets the codes of another one (mix-up).",
    fix: "Keep with each login which server it went to, and compare it with the redirect URI.",
    run: tryOtherCallback,
  }),
  error_markup: should("markup", {
    takes: "nothing",
    // Only the provider knows the state.
    unless: ["with the state of the login"],
    cases: [{
      when: ["with a policy that stops scripts"],
      unless: ["with the state of the login"],
      takes: "nothing",
      size: "small",
      gain: "A link to your callback changes what your pages show. Their policy stops scripts.",
    }],
    title: "What a callback says about an error must be shown as text",
    mistake: "Shows what a callback says about an error as markup",
    gain: "A link to your callback runs a script of an attacker in your pages.",
    fix: "Escape error and error_description, or show a text of your own.",
    run: async (session) => ({ wrong: await tryMarkup(session) }),
  }),
  denied_loop: should("denied", {
    title: "A login that the user denied should not begin again by itself",
    mistake: "Begins a login again that the user denied",
    gain: "Users who refuse are asked again for ever, until they agree or close the page.",
    fix: "Show a page that says what happened, with a button to try again.",
    run: async (session) => ({ wrong: await tryDenial(session) }),
  }),
  cookie_flags: should("cookies", {
    title: "The session cookie should be HttpOnly and have SameSite",
    cases: [
      { when: ["without HttpOnly"], gain: "A script in a page reads the session." },
      {
        when: ["with SameSite=None"],
        gain: "Browsers send the session with requests that other sites cause.",
      },
    ],
    gain:
      "Browsers that do not take it for Lax send the session with requests that other sites cause.",
    fix: "Set HttpOnly and SameSite=Lax, or SameSite=None where the callback is a POST.",
    run: async (session) => ({ wrong: await tryFlags(session) }),
  }),
};

/** Names a foreign page in each parameter that may say where a login or a sign-out ends. */
async function tryRedirects(session: SeenSession): Promise<Deviation[]> {
  const { application, openBrowser } = session;
  const { origin, host } = new URL(application.start);
  const targets = [
    `https://${attackerHost}/`,
    `//${attackerHost}/`,
    `/\\${attackerHost}/`,
    // The origin of this URL is right; its path leads elsewhere.
    `/.//${attackerHost}/`,
    // A browser takes tabs and the spaces at the beginning out of a URL.
    `/\t/${attackerHost}/`,
    ` //${attackerHost}/`,
    `${origin}.${attackerHost}/`,
    `${origin}@${attackerHost}/`,
    // A search for the host at the end of another one finds it.
    origin.replace("//", `//${attackerHost}-`),
  ];
  // Where it is the start URL, parameters are added to it.
  const login = await findLoginUrl(application, openBrowser());
  const { logout } = application;
  const ways = [
    { first: login, follow: (change: ChangeUrl) => signInFrom(session, change(login)) },
    ...logout === undefined
      ? []
      : [{ first: logout, follow: (change: ChangeUrl) => signOutAt(session, logout, change) }],
  ];
  // What ends elsewhere without a foreign page shows nothing, and what fails, even less.
  for (const { follow } of ways) {
    if (await follow((url) => url) !== undefined) return [];
  }
  for (const target of targets) {
    for (const { first, follow } of ways) {
      const own = [...new URL(first).searchParams].filter(([, value]) => isPlace(value))
        .map(([name]) => name);
      const end = await endOf(follow, target, own);
      if (end !== undefined) {
        const name = await parameterOf(follow, target, own);
        const received = `${name} of ${withoutQuery(first)} with ${target}`;
        return [{ received, ...bringsSecret(end) && { facts: ["with a code or a token"] } }];
      }
    }
  }
  return [];

  /** A login that checks one parameter may refuse it, and with it all others. */
  async function endOf(
    follow: (change: ChangeUrl) => Promise<string | undefined>,
    target: string,
    own: readonly string[],
  ): Promise<string | undefined> {
    for (const names of [returnParameters.flat(), ...returnParameters]) {
      let hasFailed = false;
      const end = await follow((url) => withParameters(url, [...own, ...names], target))
        .catch((cause) => {
          hasFailed = true;
          return ignoreProblem(cause);
        });
      if (end !== undefined && isAttackers(end)) return end;
      if (!hasFailed) return undefined;
    }
    return undefined;
  }

  /** Halves the parameters until one is left. The finding shows the last login, which has it alone. */
  async function parameterOf(
    follow: (change: ChangeUrl) => Promise<string | undefined>,
    target: string,
    own: readonly string[],
  ): Promise<string> {
    const leads = async (names: readonly string[]) => {
      const end = await follow((url) => withParameters(url, names, target)).catch(ignoreProblem);
      return end !== undefined && isAttackers(end);
    };
    let names = [...own, ...returnParameters.flat()];
    while (names.length > 1) {
      const half = names.slice(0, Math.ceil(names.length / 2));
      names = await leads(half) ? half : names.slice(half.length);
    }
    return await leads(names) ? names.join() : own.join(" or ") || "a parameter";
  }

  function isAttackers(url: string): boolean {
    const { hostname } = new URL(url);
    return hostname !== host && hostname.includes(attackerHost);
  }
}

type ChangeUrl = (url: string) => string;

/** Whether the address of a page has what someone can sign in with. */
function bringsSecret(url: string): boolean {
  return /[?&#](code|access_token|id_token|refresh_token|token)=/.test(url);
}

function isPlace(value: string): boolean {
  return /^\/|^https?:/.test(value);
}

function withParameters(url: string, names: readonly string[], value: string): string {
  const changed = new URL(url);
  for (const name of names) changed.searchParams.set(name, value);
  return changed.href;
}

/** Signs in from a URL. Returns where the login ends elsewhere; undefined if it ends here. */
async function signInFrom(
  { application, openBrowser }: SeenSession,
  start: string,
): Promise<string | undefined> {
  const { open } = await startLogin({ ...application, start }, openBrowser());
  return (await open()).outsideUrl;
}

/**
 * Signs in, and follows a link that signs out, the button of a page, and a form of another site.
 * Returns where one of these ends, if that is elsewhere. It is another user: other checks need the
 * session of the first one.
 */
async function signOutAt(
  { application, openBrowser, users: [, { name: user }] }: SeenSession,
  logout: string,
  change: ChangeUrl,
): Promise<string | undefined> {
  const own = { ...application, user, password: undefined };
  const { buttons } = application;
  const { browser } = await signIn(own, openBrowser());
  // A link may lead to a page that asks whether to sign out.
  for (const url of [logout, buttons?.logout ?? []].flat()) {
    const page = await browser.open(change(url));
    const pressed = page.outsideUrl === undefined && await findButton(page, logout)?.press();
    const { outsideUrl } = pressed || page;
    if (outsideUrl !== undefined) return outsideUrl;
  }
  if (buttons?.logout === undefined) return undefined;
  const changed = change(logout);
  const fields = [...new URL(changed).searchParams];
  return (await browser.send(changed, fields, `https://${attackerHost}/`)).outsideUrl;
}

/** Sends the response of the lab to where those of another server go. */
async function tryOtherCallback(session: SeenSession): Promise<CheckReading> {
  const { application, openBrowser, otherRedirectUris } = session;
  const { origin } = new URL(application.start);
  for (const uri of otherRedirectUris()) {
    const browser = openBrowser();
    const { url, parameters } = await startLogin(application, browser);
    if (uri === withoutQuery(url) || new URL(uri).origin !== origin) continue;
    await browser.open(`${uri}?${new URLSearchParams(parameters)}`).catch(ignoreProblem);
    const isOpen = await openCheck(application, browser) === undefined;
    if (!isOpen) return { byFailure: true };
    return { wrong: [{ received: `${withoutQuery(uri)} signs the user in` }] };
  }
  return {
    skipped: "Not checked: no page leads to a server with another redirect URI.",
  };
}

/** Sends an error with markup to the callback: of a login that began, and of none. */
async function tryMarkup(session: SeenSession): Promise<Deviation[]> {
  const { application, openBrowser } = session;
  const browser = openBrowser();
  const { parameters, url } = await startLogin(application, browser);
  const error = { error: `access_denied${markup}`, error_description: markup };
  const shows = async (used: DrillBrowser, sent: Record<string, string>) => {
    const page = await used.open(`${withoutQuery(url)}?${new URLSearchParams(sent)}`);
    if (!page.hasMarkup(markup)) return undefined;
    return page.stopsScripts ? ["with a policy that stops scripts"] as const : [];
  };
  const { code: _, ...own } = parameters;
  const facts = await shows(openBrowser(), error) ??
    await shows(browser, { ...error, state: "none" });
  if (facts) {
    return [{ facts, received: `${withoutQuery(url)} shows it without a login` }];
  }
  const received = "the callback shows it as markup, if its state is right";
  return await shows(browser, { ...own, ...error })
    ? [{ facts: ["with the state of the login"], received }]
    : [];
}

async function tryDenial(session: SeenSession): Promise<Deviation[]> {
  const { application, openBrowser } = session;
  const { open } = await startLogin(application, openBrowser(), { decision: "deny" });
  const { labUrl } = await open();
  const isLoop = labUrl !== undefined && isAuthorizationRequest(labUrl);
  return isLoop ? [{ received: "the callback leads to the server again" }] : [];
}

/** Looks at the cookies without which the check page signs its user out. */
async function tryFlags({ application, signedIn }: SeenSession): Promise<Deviation[]> {
  const { browser, isPosted } = signedIn;
  const lacks: Array<[cookie: string, fact: SeenFact]> = [];
  for (const { name, isHttpOnly, sameSite } of await browser.cookies()) {
    const without = browser.copy((each) => each.name === name ? undefined : each);
    if (await openCheck(application, without) === undefined) continue;
    if (!isHttpOnly) lacks.push([name, "without HttpOnly"]);
    if (sameSite === undefined) lacks.push([name, "without SameSite"]);
    if (sameSite === "none" && !isPosted) lacks.push([name, "with SameSite=None"]);
  }
  const mistake = `The session cookie is ${
    [...new Set(lacks.map(([, fact]) => fact))].join(" and ")
  }`;
  return lacks.map(([name, fact]) => ({ mistake, facts: [fact], received: `'${name}' ${fact}` }));
}
