import { list as listSessions } from "../../../administration/sessions.ts";
import type { UserConfig } from "../../../server/config/user_config.ts";
import type { ClientConfig } from "../../../server/features.ts";
import type { Finding } from "../../findings/finding.ts";
import { LabError } from "../../util/lab_error.ts";
import { conclude, type DrillAttempt } from "../verdicts/conclude.ts";
import { withoutQuery } from "../verdicts/drill_access.ts";
import type { CheckReading, DrillCheck } from "../verdicts/drill_check.ts";
import {
  type CheckedApplication,
  checkSignedIn,
  type SignedInBrowser,
  signIn,
} from "./application_login.ts";
import type { DrillBrowser, DrillPage } from "./drill_browser.ts";
import { signOut } from "./login_steps.ts";
import type { PreparedApplication } from "./prepare_login.ts";
import { type DrilledLab, type MakeUser, type WatchedLab, watchLab } from "./watch_lab.ts";

/** What a login and a sign-out showed, and what a check needs for logins of its own. */
export interface SeenSession {
  openBrowser(): DrillBrowser;
  makeUser: MakeUser;
  lab: DrilledLab;
  /** The client of the application, as far as the lab knows it. */
  client: ClientConfig | undefined;
  /** The user who signs in, and another one. */
  users: readonly [one: UserConfig, other: UserConfig];
  application: CheckedApplication;
  /** The redirect URIs with which it signs users in at other servers. */
  otherRedirectUris(): ReadonlySet<string>;
  /** Waits in real time, until the lab is closed. */
  wait(milliseconds: number): Promise<void>;
  signedIn: SignedInBrowser;
  /** Its sessions at the lab. */
  sids: readonly string[];
  flow: string | undefined;
  /** What the sign-out did; undefined if the drill knows none, or before it. */
  signedOut?: {
    /** The browser of someone who kept the cookies from before it. */
    kept: DrillBrowser;
    reachedLab: boolean;
    /** Whether the session at the lab is still open. */
    isOpenAtLab: boolean;
  } | undefined;
  /** Whether a page shows what only users see, once a check has found out how to tell. */
  isProtected?: Promise<(page: DrillPage, mayLeadElsewhere?: boolean) => boolean>;
}

/** What a drill finds out about the session of an application, by its name. */
export type SessionCheckName =
  | "callback.unsolicited"
  | "request.stripped"
  | "same_session"
  | "second_refresh"
  | "ended_token"
  | "code_in_url"
  | "session_survives"
  | "old_cookie"
  | "server_session"
  | "open_redirect"
  | "other_issuer_callback"
  | "error_markup"
  | "denied_loop"
  | "cookie_flags"
  | "second_user"
  | "forged_session"
  | "guessable_session"
  | "unfinished_login"
  | "path_spelling"
  | "claim_markup"
  | "redirect_body"
  | "trusted_headers"
  | "redirect_uri_from_header"
  | "initiate_login_iss"
  | "cacheable_page"
  | "app_cors"
  | "other_users_page"
  | "email_gate"
  | "role_from_claim"
  | "account_by_email"
  | "account_without_sub"
  | "logout_ignored"
  | "other_session_ended"
  | "new_key";

/** Returns why nothing about the sign-out was checked. */
export function noSignOut({ application: { signOut } }: SeenSession): CheckReading {
  if (signOut === undefined) {
    return {
      skipped: "The drill found nothing that signs out: name it with --logout.",
    };
  }
  return { skipped: `Not checked: ${signOut}` };
}

/** One thing that a drill finds out about the session of an application. */
export interface SessionCheck extends DrillCheck {
  id: SessionCheckName;
  /** Whether it is about what is left after the sign-out. */
  isAfterSignOut?: boolean;
  /** Tries it once; `before` is what was found, if it is tried again. */
  run(session: SeenSession, before?: CheckReading): CheckReading | Promise<CheckReading>;
}

/** Returns the setting of a client, which may belong to a feature that the lab lacks. */
export function settingOf(client: ClientConfig | undefined, name: string): unknown {
  return Object.entries(client ?? {}).find(([member]) => member === name)?.[1];
}

/** The message of a drill that a user or a test stopped. */
export const drillStopped = "The drill was stopped.";

interface SessionCheckOptions extends Pick<SeenSession, "client" | "wait"> {
  checks: readonly SessionCheck[];
  /** Whether to stop before the next check. */
  isStopped(): boolean;
  /** Signs in once more. Returns the flow, if the user is signed in then. */
  control(): Promise<string | undefined>;
}

/** What a check showed once. */
interface CheckAttempt extends DrillAttempt {
  reading: CheckReading;
  flow: string | undefined;
}

/** What a check found out. How bad that is depends on what else a drill finds. */
export interface ReadCheck {
  check: DrillCheck;
  reading: CheckReading;
  where: Finding["where"];
}

/** Signs in once, looks at the session, signs out, and looks at what is left of it. */
export async function runSessionChecks(
  lab: DrilledLab,
  prepared: PreparedApplication,
  { checks, isStopped, control, ...parts }: SessionCheckOptions,
): Promise<ReadCheck[]> {
  const known = prepared.application();
  const isLast = ({ isAfterSignOut = false }: SessionCheck) => isAfterSignOut;
  const found = new Map<string, ReadCheck>();
  let shared: SeenSession | undefined;
  for (const check of [...checks.filter((each) => !isLast(each)), ...checks.filter(isLast)]) {
    if (isStopped()) throw new LabError(drillStopped);
    let isFirst = true;
    // The first attempts share a login. What is tried again has one of its own.
    const sessionFor = async () => {
      const isShared = isFirst;
      isFirst = false;
      const begun = isShared && shared || await beginSession(lab, prepared, parts);
      const session = isLast(check) ? await endSession(begun) : begun;
      if (isShared) shared = session;
      return session;
    };
    const attempt = (before?: CheckAttempt) =>
      attemptCheck(lab, prepared, check, { sessionFor, before: before?.reading });
    const { state, seen, reason, isUndecided } = await conclude({ attempt, control });
    const reading = state === "not tested" ? { skipped: reason, isUndecided } : seen.reading;
    const where = { application: withoutQuery(known.start), flow: seen.flow };
    found.set(check.id, { check, reading, where });
  }
  return checks.flatMap(({ id }) => found.get(id) ?? []);
}

/** What the application does under one check leaves the others as they are. */
async function attemptCheck(
  lab: DrilledLab,
  { pages }: PreparedApplication,
  check: SessionCheck,
  { sessionFor, before }: {
    sessionFor: () => Promise<SeenSession>;
    before: CheckReading | undefined;
  },
): Promise<CheckAttempt> {
  pages.begin();
  const known = new Set(lab.flows().map(({ id }) => id));
  const newFlow = () => lab.flows().findLast(({ id }) => !known.has(id))?.id;
  try {
    const session = await sessionFor();
    const reading = await check.run(session, before);
    const { wrong = [], skipped, byFailure } = reading;
    const shows = wrong.length > 0 ? "wrong" : skipped === undefined ? "right" : "nothing";
    const isUnsure = shows === "right" && pages.isDisturbed();
    return { reading, shows, skipped, byFailure, isUnsure, flow: newFlow() ?? session.flow };
  } catch (cause) {
    const { skipped } = skippedBy(cause);
    const isUnsure = pages.isDisturbed();
    return { reading: { skipped }, shows: "nothing", skipped, isUnsure, flow: newFlow() };
  }
}

async function beginSession(
  lab: DrilledLab,
  { application, openBrowser, makeUser, pages }: PreparedApplication,
  parts: Pick<SeenSession, "client" | "wait">,
): Promise<SeenSession> {
  const known = application();
  const watch = watchLab(lab);
  try {
    const signedIn = await signIn(known, openBrowser());
    return {
      ...parts,
      lab,
      users: usersOf(lab, known.user),
      application: known,
      otherRedirectUris: pages.otherRedirectUris,
      openBrowser,
      makeUser,
      signedIn,
      sids: [...watch.sids()],
      flow: watch.newFlow(),
    };
  } finally {
    watch.end();
  }
}

/** Signs out, if the drill knows how and has not done so yet. */
async function endSession(session: SeenSession): Promise<SeenSession> {
  const { lab, application, signedIn, sids } = session;
  const canSignOut = application.logout !== undefined && application.signOut === undefined;
  if (!canSignOut || session.signedOut) return session;
  await checkSignedIn(application, signedIn.browser);
  const signedOut = {
    kept: signedIn.browser.copy(),
    reachedLab: await signOut(application, signedIn.browser),
    isOpenAtLab: await isAnyOpen(lab, sids),
  };
  return { ...session, signedOut };
}

function skippedBy(cause: unknown): { skipped: string } {
  if (cause instanceof LabError) return { skipped: `Not checked: ${cause.message}` };
  throw cause;
}

/** Returns the user who signs in, and another one whom the lab knows. */
function usersOf({ users }: DrilledLab, user: string | undefined): SeenSession["users"] {
  const all = users.list();
  const one = all.find(({ name }) => name === user) ?? all[0] ?? { name: user ?? "alice" };
  return [one, all.find(({ name }) => name !== one.name) ?? one];
}

async function isAnyOpen({ context }: WatchedLab, sids: readonly string[]): Promise<boolean> {
  // The sign-out may still be on its way to other applications.
  await context.background.idle();
  for await (const { session } of listSessions(context)) {
    if (sids.includes(session.sid)) return true;
  }
  return false;
}
