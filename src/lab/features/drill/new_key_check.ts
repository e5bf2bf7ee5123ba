import { basisOf } from "../../findings/sentences.ts";
import { readSpan } from "../../util/clock.ts";
import { checkSignedIn, signIn } from "./application_login.ts";
import { advice, type CheckVerdict } from "./check_verdict.ts";
import { ignoreProblem } from "./drill_access.ts";
import type { SeenSession, SessionCheck } from "./session_check.ts";
import { watchLab } from "./watch_lab.ts";

/** The longest wait between two attempts, in milliseconds. */
const betweenAttempts = 5000;

/** Whether an application keeps the keys of its provider for good. */
export const newKeyCheck: SessionCheck = {
  id: "new_key",
  title: "An ID token that a new key has signed should be accepted",
  mistake: "Never fetches the keys of the provider again",
  ...basisOf("newKey"),
  class: "advice",
  gain: "Users cannot sign in from the next key rotation on, until the application restarts.",
  fix: "Fetch the key set again for a kid that it does not contain, at most every 30 seconds.",
  isAfterSignOut: false,
  run: tryNewKey,
};

async function tryNewKey(session: SeenSession): Promise<CheckVerdict> {
  const { application: { keyWait }, wait } = session;
  const end = performance.now() + readSpan(keyWait ?? 0);
  const fault = session.lab.fault("jwks.new_key");
  try {
    while (true) {
      if (await acceptsKey(session)) return {};
      const left = end - performance.now();
      if (left > 0) await wait(Math.min(left, betweenAttempts));
      else if (keyWait !== undefined) return { wrong: [advice("it fetched no keys")] };
      else return { skipped: mayWait };
    }
  } finally {
    session.lab.faults.remove(fault.id);
  }
}

const mayWait = "The application refused it, perhaps because it fetched the keys a moment ago: " +
  "'keyWait' gives it time.";

/** Whether a login succeeds, or fails for another reason than its key. */
async function acceptsKey(session: SeenSession): Promise<boolean> {
  const { lab, application } = session;
  const watch = watchLab(lab);
  try {
    const { browser } = await signIn(application, session);
    await checkSignedIn(application, browser);
    return true;
  } catch (cause) {
    ignoreProblem(cause);
    return watch.observed().requests.some(({ endpoint }) => endpoint === "jwks");
  } finally {
    watch.end();
  }
}
