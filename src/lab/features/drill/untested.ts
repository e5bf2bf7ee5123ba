import type { Check } from "../../findings/finding.ts";
import type { Untested, VerdictNote } from "../../findings/verdict.ts";
import { type Exchange, jsonOf, parameterOf } from "../../recording/exchange.ts";
import { type SeenDrill, settingOf } from "./seen_drill.ts";
import type { SessionCheckName } from "./session_check.ts";
import type { DrillOutcome } from "./variants/drill_outcome.ts";

/** Returns what a drill tried to test, and could not: the verdict is about the rest. */
export function findUntested(seen: SeenDrill): Untested[] {
  return [refreshIn(seen), signOutIn(seen), signaturesIn(seen), logoutTokensIn(seen)]
    .filter((each) => each !== undefined);
}

function refreshIn({ outcomes, logins }: SeenDrill): Untested | undefined {
  if (!isUnmet(outcomes, ({ after }) => after === "refresh")) return undefined;
  const exchanges = logins.flat();
  const used = exchanges.some(({ request }) =>
    request.form.get("grant_type") === "refresh_token" ||
    parameterOf(request, "scope")?.split(" ").includes("offline_access")
  );
  if (!used && !exchanges.some(hasRefreshToken)) return undefined;
  const why =
    "The application gets refresh tokens, and the drill found nothing that uses one. Name a URL.";
  return { what: "refresh", why, used };
}

function hasRefreshToken({ response }: Exchange): boolean {
  return response !== undefined && jsonOf(response)?.refresh_token !== undefined;
}

function signOutIn({ checks, client, logins }: SeenDrill): Untested | undefined {
  const why = skippedReason(checks, "session_survives");
  if (why === undefined) return undefined;
  const isRegistered = settingOf(client, "postLogoutRedirectUris") !== undefined;
  const used = isRegistered || logins.flat().some(({ request }) => request.endpoint === "logout");
  return { what: "sign-out", why, used };
}

/** Returns the note that no signature was judged, where TLS is sure to vouch for ID tokens. */
export function noteOnSignatures({ outcomes, logins }: SeenDrill): VerdictNote | undefined {
  if (!isUnmet(outcomes, isSigned) || fetchesKeys(logins)) return undefined;
  const text = "Signatures were not judged: the application fetches no keys, so TLS vouches for " +
    "its ID tokens, as OpenID Connect Core, section 3.1.3.7 permits.";
  return { id: "id_token.foreign_signature", text };
}

/** Where keys are fetched, a login that ignores them may hide a failure to verify. */
function signaturesIn({ outcomes, logins }: SeenDrill): Untested | undefined {
  if (!isUnmet(outcomes, isSigned) || !fetchesKeys(logins)) return undefined;
  const why = "The application fetched keys, and a login with a new one succeeded without them: " +
    "it may ignore that it cannot verify an ID token.";
  return { what: "signatures", why, used: true };
}

/** An application without keys may notice the others by their header. */
function isSigned({ fault }: DrillOutcome): boolean {
  return fault === "id_token.foreign_signature";
}

/** Whether a login fetched keys, and not the sign-out after it, for its logout token. */
function fetchesKeys(logins: SeenDrill["logins"]): boolean {
  return logins.some((login) => {
    const end = login.findIndex(({ request }) => request.endpoint === "logout");
    return login.slice(0, end < 0 ? login.length : end)
      .some(({ request }) => request.endpoint === "jwks");
  });
}

function logoutTokensIn({ outcomes, client }: SeenDrill): Untested | undefined {
  const isLogout = ({ after }: DrillOutcome) => after === "backchannel_logout";
  const isRegistered = settingOf(client, "backchannelLogoutUri") !== undefined;
  if (!isRegistered || !isUnmet(outcomes, isLogout)) return undefined;
  const why = "The application is registered for logout tokens, and got none in any login.";
  return { what: "back-channel logout", why, used: true };
}

/** Whether there are such variants, and the application met none of them. */
function isUnmet(
  outcomes: readonly DrillOutcome[],
  isMeant: (outcome: DrillOutcome) => boolean,
): boolean {
  const meant = outcomes.filter(isMeant);
  return meant.length > 0 && meant.every(({ outcome }) => outcome === "unmet");
}

function skippedReason(checks: readonly Check[], name: SessionCheckName): string | undefined {
  return checks.find(({ id }) => id === name)?.skipped;
}
