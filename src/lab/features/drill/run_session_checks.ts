import { list as listSessions } from "../../../administration/sessions.ts";
import type { ClientConfig } from "../../../server/features.ts";
import type { Check } from "../../findings/finding.ts";
import { LabError } from "../../util/lab_error.ts";
import { signIn } from "./application_login.ts";
import { type CheckVerdict, toCheck } from "./check_verdict.ts";
import { withoutQuery } from "./drill_access.ts";
import { signOut } from "./login_steps.ts";
import type { PreparedApplication } from "./prepare_login.ts";
import { settingOf } from "./seen_drill.ts";
import type { SeenSession, SessionCheck } from "./session_check.ts";
import { type DrilledLab, type WatchedLab, watchLab } from "./watch_lab.ts";

/** Signs in once, looks at the session, signs out, and looks at what is left of it. */
export async function runSessionChecks(
  lab: DrilledLab,
  { application, openBrowser, openLabBrowser, pages }: PreparedApplication,
  { checks, client }: { checks: readonly SessionCheck[]; client: ClientConfig | undefined },
): Promise<Check[]> {
  if (checks.length === 0) return [];
  const watch = watchLab(lab);
  const known = application();
  const verdicts = new Map<string, CheckVerdict>();
  const flows = new Map<string, string | undefined>();
  try {
    const signedIn = await signIn(known, { openBrowser, openLabBrowser });
    const sids = [...watch.sids()];
    const flow = watch.newFlow();
    const session: SeenSession = {
      lab,
      client,
      users: usersOf(lab, known.user),
      application: known,
      otherRedirectUris: pages.otherRedirectUris,
      openBrowser,
      openLabBrowser,
      signedIn,
      wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    };
    const look = async (seen: SeenSession, isAfterSignOut: boolean) => {
      for (const check of checks.filter((each) => each.isAfterSignOut === isAfterSignOut)) {
        const before = new Set(lab.flows().map(({ id }) => id));
        verdicts.set(check.id, await check.run(seen).catch(skippedBy));
        flows.set(check.id, lab.flows().findLast(({ id }) => !before.has(id))?.id ?? flow);
      }
    };
    await look(session, false);
    const signsOut = checks.some(({ isAfterSignOut }) => isAfterSignOut);
    const canSignOut = known.logout !== undefined && known.signOut === undefined;
    const kept = signedIn.browser.copy();
    const signedOut = signsOut && canSignOut && {
      kept,
      reachedLab: await signOut(known, signedIn),
      isOpenAtLab: await isAnyOpen(lab, sids),
      isRegistered: isRegisteredForSignOut(client),
    };
    await look({ ...session, ...signedOut && { signedOut } }, true);
  } catch (cause) {
    const verdict = skippedBy(cause);
    for (const { id } of checks.filter((each) => !verdicts.has(each.id))) {
      verdicts.set(id, verdict);
    }
  } finally {
    watch.end();
  }
  const start = withoutQuery(known.start);
  return checks.map((check) =>
    toCheck(check, verdicts.get(check.id) ?? {}, {
      application: start,
      flow: flows.get(check.id),
    })
  );
}

/** What the application does under one check leaves the others as they are. */
function skippedBy(cause: unknown): CheckVerdict {
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

function isRegisteredForSignOut(client: ClientConfig | undefined): boolean {
  const uris = settingOf(client, "postLogoutRedirectUris");
  return Array.isArray(uris) && uris.length > 0;
}
