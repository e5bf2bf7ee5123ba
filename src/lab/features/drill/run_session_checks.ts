import { list as listSessions } from "../../../administration/sessions.ts";
import { type CheckVerdict, toCheck } from "../../findings/check_verdict.ts";
import type { Check } from "../../findings/finding.ts";
import type { WireRequest } from "../../recording/exchange.ts";
import { LabError } from "../../util/lab_error.ts";
import { signIn } from "./application_login.ts";
import { withoutQuery } from "./drill_access.ts";
import { signOut } from "./login_steps.ts";
import type { PreparedApplication } from "./prepare_login.ts";
import type { SeenSession, SessionCheck } from "./session_checks.ts";
import { type WatchedLab, watchLab } from "./watch_lab.ts";

/** Signs in once, looks at the session, signs out, and looks at what is left of it. */
export async function runSessionChecks(
  lab: WatchedLab,
  { application, openBrowser, openLabBrowser }: PreparedApplication,
  checks: readonly SessionCheck[],
): Promise<Check[]> {
  if (checks.length === 0) return [];
  const watch = watchLab(lab);
  const known = application();
  const where = { application: withoutQuery(known.start) };
  const verdicts = new Map<string, CheckVerdict>();
  try {
    const signedIn = await signIn(known, { openBrowser, openLabBrowser });
    const look = async (session: SeenSession, isAfterSignOut: boolean) => {
      for (const check of checks.filter((each) => each.isAfterSignOut === isAfterSignOut)) {
        verdicts.set(check.id, await check.run(session));
      }
    };
    await look({ application: known, signedIn }, false);
    const signsOut = checks.some(({ isAfterSignOut }) => isAfterSignOut);
    const canSignOut = known.logout !== undefined && known.signOut === undefined;
    const signedOut = signsOut && canSignOut && {
      reachedLab: await signOut(known, signedIn),
      isOpenAtLab: await isAnyOpen(lab, watch.sids()),
      isRegistered: isRegisteredForSignOut(lab, clientIn(watch.observed().requests)),
    };
    await look({ application: known, signedIn, ...signedOut && { signedOut } }, true);
  } catch (cause) {
    if (!(cause instanceof LabError)) throw cause;
    const skipped = `Not checked: ${cause.message}`;
    for (const { id } of checks.filter((each) => !verdicts.has(each.id))) {
      verdicts.set(id, { skipped });
    }
  } finally {
    watch.end();
  }
  return checks.map((check) => toCheck(check, verdicts.get(check.id) ?? {}, where));
}

/** Requests for metadata name no client. */
function clientIn(requests: readonly WireRequest[]): string | undefined {
  return requests.find(({ client }) => client !== undefined)?.client;
}

async function isAnyOpen({ context }: WatchedLab, sids: readonly string[]): Promise<boolean> {
  // The sign-out may still be on its way to other applications.
  await context.background.idle();
  return (await listSessions(context)).some(({ session: { sid } }) => sids.includes(sid));
}

function isRegisteredForSignOut({ clients }: WatchedLab, id: string | undefined): boolean {
  const client = clients.list().find((each) => each.id === id);
  // A setting of the feature `logout`, which a lab may lack.
  if (!client || !("postLogoutRedirectUris" in client)) return false;
  const { postLogoutRedirectUris: uris } = client;
  return Array.isArray(uris) && uris.length > 0;
}
