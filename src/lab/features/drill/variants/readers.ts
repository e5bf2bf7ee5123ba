import type { RowClass } from "../../../findings/grade.ts";
import { readJwt } from "../../../recording/credentials.ts";
import { parameterOf, type WireRequest } from "../../../recording/exchange.ts";
import { foreignTokenEndpoint } from "../../faults/document_faults.ts";

/** More requests than a client needs that notices what has ended. */
const maxRepeats = 5;

/** The requests and responses of an application that a lab saw. */
export interface ObservedTraffic {
  /** Whether the application called userinfo, or another API of the server. */
  usesToken: boolean;
  /** The requests that arrived under the variant. */
  requests: readonly WireRequest[];
  /** The statuses with which the application responded to forged logout tokens. */
  logoutStatuses: readonly number[];
}

/** What a lab saw while an application took some steps. */
export interface ObservedLogin extends ObservedTraffic {
  /** Whether the login succeeded, with all that follows it. */
  succeeded: boolean;
  /** Why it did not, in one sentence. */
  reason?: string | undefined;
  /** Whether the application did not respond, or not in time. */
  isLate: boolean;
  /** Whether it failed, or did not respond, at some moment. */
  isDisturbed: boolean;
  /** Whether it needs more users than a drill makes. */
  lacksUsers: boolean;
  /** Whether the lab visited the application, and so did itself what must happen twice. */
  visited: boolean;
  /** How often the fault fired. */
  fired: number;
  /** How large the last ID token was. */
  idTokenBytes: number;
  /** Whether the application verifies signatures: an ID token with a new key showed it. */
  verifies: boolean;
  /** What its pages showed, if the lab visited it. */
  shown?: ShownUser | undefined;
  /** The id of the flow in the lab: `"flow-1"`. */
  flow?: string | undefined;
}

/** Whom the pages of an application showed under a variant. */
export interface ShownUser {
  /** Whether they showed the user that only a fault names. */
  wrong: boolean;
  /** Whether they showed the user who signed in. */
  right: boolean;
  /** Whether they showed a claim that only the changed token has. */
  forged: boolean;
  /** Whether they show who signed in without a fault. */
  usually: boolean;
  /** Whether they show what userinfo says at all. */
  ofUserinfo: boolean;
}

/** What an application did under a variant, or why that is not known. */
export interface Reading {
  did?: "accepted" | "refused";
  /** Whether its requests or pages show that, and not that the login failed. */
  isShown?: boolean;
  /** What binds the application in this case, if that is not what the variant says. */
  rule?: RowClass["rule"];
  /** The mistake, in a few words, if it is not what the variant is about. */
  mistake?: string;
  /** What came, in one sentence. */
  received?: string;
  skipped?: string | undefined;
  /** Whether the login fails with any application. */
  failsAnyway?: boolean;
}

/** Reads what an application did under a variant that it met. */
export type SeenReader = (seen: ObservedLogin) => Reading;

const accepted = { did: "accepted", isShown: true } as const;
const refused = { did: "refused", isShown: true } as const;
const notRequested = "The application did not request what the fault changes.";

/** The login succeeds, for its user, or fails. */
export const bySuccess: SeenReader = ({ succeeded, shown }) => {
  if (!succeeded) return { did: "refused" };
  const isForeign = shown?.usually && !shown.right;
  return isForeign
    ? { skipped: "The page that opened does not show who signed in, as it usually does." }
    : { did: "accepted" };
};

/** A page opens, whoever is shown there. */
export const byOpenPage: SeenReader = ({ succeeded }) => ({
  did: succeeded ? "accepted" : "refused",
});

/** Only an application that calls userinfo can notice it. */
export const byUserinfo: SeenReader = (seen) =>
  seen.succeeded && !seen.usesToken
    ? { skipped: "The application called no userinfo, and so cannot notice it." }
    : bySuccess(seen);

const verifiesNone = "The application verifies no signature";

/** Whether TLS may vouch for an ID token in place of its signature: it came from the server itself. */
function reliesOnTls({ verifies, requests }: ObservedLogin): boolean {
  return !verifies &&
    !requests.some((each) => parameterOf(each, "response_type")?.includes("id_token"));
}

/** Only an application that verifies signatures must notice it; others may, in the header. */
export const bySignature: SeenReader = (seen) =>
  seen.succeeded && reliesOnTls(seen)
    ? { skipped: `${verifiesNone}: TLS may vouch in its place.` }
    : bySuccess(seen);

/** It may have kept a key set from before the fault, with which it cannot do what it must. */
export const byFetchedKeys: SeenReader = (seen) =>
  seen.succeeded || seen.requests.some(({ endpoint }) => endpoint === "jwks")
    ? bySuccess(seen)
    : { skipped: `${verifiesNone}, and so cannot notice it.` };

/** Claims that must not be used are no reason to refuse a login: the pages show whether they are. */
export const byWrongUser: SeenReader = (seen) => readUser("wrong", seen);

/** The pages show who signed in only if that came from the right response. */
export const byRightUser: SeenReader = (seen) =>
  seen.usesToken ? readUser("right", seen) : byUserinfo(seen);

function readUser(used: "wrong" | "right", seen: ObservedLogin): Reading {
  const { shown, succeeded, usesToken } = seen;
  if (!succeeded || shown === undefined || used === "wrong" && shown.wrong) {
    return byOpenPage(seen);
  }
  // Only where a page shows what userinfo says, the right user is one of userinfo.
  if (shown.ofUserinfo) return shown[used] ? accepted : refused;
  return {
    skipped: usesToken ? "No page shows a value of userinfo, so it was not judged." : notRequested,
  };
}

/** What comes of metadata that an application believes is a matter of its server. */
export const byAuthorization: SeenReader = (seen) =>
  seen.requests.some(beginsLogin) ? accepted : bySuccess(seen);

export const byBearer: SeenReader = ({ requests, succeeded }) => {
  const isUsed = requests.some(({ headers }) => headers.authorization?.startsWith("Bearer "));
  if (isUsed) return accepted;
  return succeeded ? { skipped: notRequested } : { did: "refused" };
};

export const byMaxAge: SeenReader = (seen) =>
  seen.requests.some((each) => parameterOf(each, "max_age") ?? parameterOf(each, "request"))
    ? bySuccess(seen)
    : { skipped: "The application asks for no max_age." };

/**
 * Whether it uses the ID token of a refresh shows only on its pages: many throw it away. The rule
 * binds those that use it. One that ignores a failed refresh goes on with what it had, and sends
 * that again.
 */
export const byRefreshedClaim: SeenReader = ({ succeeded, shown, requests }) => {
  const [first, second] = requests.flatMap(({ form }) => form.get("refresh_token") ?? []);
  if (!succeeded || first !== undefined && first === second) {
    return { ...refused, isShown: succeeded };
  }
  return shown?.forged ? { ...accepted, rule: "must" } : accepted;
};

/** Without a challenge, the nonce must be compared before any token is used (RFC 9700, 4.5.3.2). */
export const byUse: SeenReader = (seen) => {
  const { succeeded, requests } = seen;
  const sends = (name: string) => requests.some((each) => parameterOf(each, name) !== undefined);
  const usesEarly = !sends("code_challenge") && !sends("request") &&
    requests.some(({ endpoint }) => endpoint === "userinfo");
  return !succeeded && usesEarly ? accepted : bySuccess(seen);
};

/** Only two requests at once show it. */
export const byTwoRequests: SeenReader = (seen) =>
  seen.visited || seen.fired > 1
    ? bySuccess(seen)
    : { skipped: "The login sent one such request, and not two at once." };

/** A client that goes on for ever with what has ended locks its user out, too. */
export const bySpent: SeenReader = (seen) => {
  const uses = new Map<string, number>();
  for (const { form } of seen.requests) {
    const spent = form.get("refresh_token") ?? form.get("code");
    if (spent !== null) uses.set(spent, (uses.get(spent) ?? 0) + 1);
  }
  const most = Math.max(0, ...uses.values());
  return most > maxRepeats
    ? { ...refused, received: `It sent one of them ${most} times: an endless loop.` }
    : bySuccess(seen);
};

export const byRepeats: SeenReader = (seen) => {
  const received = `The client, which is gone, sent ${seen.fired} requests: an endless loop.`;
  return seen.fired > maxRepeats ? { ...refused, received } : bySuccess(seen);
};

/** An assertion for another server that this one receives could be used there. */
export const byAssertion: SeenReader = ({ requests }) => {
  const assertions = requests.flatMap(({ form }) => form.get("client_assertion") ?? []);
  if (assertions.length === 0) {
    const skipped =
      "The application uses no client assertion, so there is none that another server could use.";
    return { skipped, failsAnyway: true };
  }
  const audiences = assertions.flatMap((assertion) => readJwt(assertion)?.claims.aud);
  return audiences.includes(foreignTokenEndpoint) ? accepted : refused;
};

/** A success means that the session ended (OpenID Connect Back-Channel Logout, section 2.8). */
export const byLogoutStatus: SeenReader = ({ logoutStatuses }) => {
  const [status] = logoutStatuses;
  if (status === undefined) return { skipped: notRequested };
  if (logoutStatuses.some((each) => each < 300)) return accepted;
  const received = `The application responded to the logout token with status ${status}.`;
  return { did: "refused", received };
};

/** Returns why a fault did not fire, in one sentence. */
export function unfiredReason(
  fault: string,
  { requests }: Pick<ObservedLogin, "requests">,
): string {
  return /^id_token\.\w+_nonce$/.test(fault) && sendsNoNonce(requests)
    ? "The client sends no nonce, so the attack cannot be tested."
    : notRequested;
}

/** Whether a login began, and neither a parameter nor a request object may have had a nonce. */
function sendsNoNonce(requests: readonly WireRequest[]): boolean {
  const beginnings = requests.filter(beginsLogin);
  return beginnings.length > 0 &&
    beginnings.every(({ query, form }) =>
      ["nonce", "request"].every((name) => !query.has(name) && !form.has(name))
    );
}

/** Whether a request begins a login. */
export function beginsLogin({ endpoint }: WireRequest): boolean {
  return endpoint === "authorize" || endpoint === "par";
}
