import { readJwt } from "../../../recording/credentials.ts";
import { parameterOf, type WireRequest } from "../../../recording/exchange.ts";
import { groupBy } from "../../../util/lists.ts";
import { foreignTokenEndpoint } from "../../faults/document_faults.ts";
import type { DrillVariant } from "./drill_variant.ts";
import { audienceInjection, forgottenClient } from "./login_variants.ts";

/** More requests than a client needs that notices what has ended. */
const maxRepeats = 5;

/** How many variants that were not met are named for each reason. */
const maxNames = 3;

/** How an application handled one variant. */
export interface DrillOutcome extends DrillVariant {
  /**
   * - `accepted`: the application accepted what it must refuse.
   * - `refused`: it refused what it must, or may, refuse.
   * - `tolerated`: it accepted what it must, or may, accept.
   * - `wrongly_refused`: it refused what it must accept.
   * - `unmet`: the fault never fired, or the application cannot notice it.
   */
  outcome: "accepted" | "refused" | "tolerated" | "wrongly_refused" | "unmet";
  /**
   * How the login ended, in one sentence, if it failed; why the variant tested nothing, if it is
   * unmet.
   */
  reason?: string | undefined;
  /** The id of the flow in the lab: `"flow-1"`. */
  flow?: string | undefined;
  /** The flow of the same steps without the fault, which succeeded. */
  control?: string | undefined;
  /** What is at stake for this application, where it is not what it is for most. */
  gain?: string | undefined;
}

/** The requests and responses of an application that a lab saw. */
export interface ObservedTraffic {
  /** Whether the application called userinfo, or another API of the server. */
  usesToken: boolean;
  /** The requests that arrived under the variant. */
  requests: readonly WireRequest[];
  /** The statuses with which the application responded to forged logout tokens. */
  logoutStatuses: readonly number[];
}

/** What a lab saw while an application met a variant. */
export interface ObservedLogin extends ObservedTraffic {
  /** Whether the login succeeded, with all that follows it. */
  succeeded: boolean;
  /** Whether the lab visited the application, and so did itself what must happen twice. */
  visited: boolean;
  /** How often the fault fired. */
  fired: number;
  /** Whether the application verifies signatures: an ID token with a new key showed it. */
  verifies: boolean;
  /** What its pages showed, if the lab visited it. */
  shown?: ShownUser | undefined;
}

/** Whom the pages of an application showed under a variant. */
export interface ShownUser {
  /** Whether they showed the user that only a fault names. */
  wrong: boolean;
  /** Whether they showed the user who signed in. */
  right: boolean;
  /** Whether they show what userinfo says at all. */
  ofUserinfo: boolean;
}

/** Whether an application did what it must not. */
type Reaction = "accepted" | "refused" | "unmet";

/** Returns how an application handled a variant. */
export function outcomeOf(variant: DrillVariant, observed: ObservedLogin): DrillOutcome["outcome"] {
  if (endlessReason(variant, observed) !== undefined) return "wrongly_refused";
  const reaction = reactionTo(variant, observed);
  if (reaction === "unmet" || isBlind(variant, observed, reaction)) return "unmet";
  if (reaction === "accepted") return variant.expectation === "refuse" ? "accepted" : "tolerated";
  return variant.expectation === "accept" ? "wrongly_refused" : "refused";
}

function reactionTo(variant: DrillVariant, observed: ObservedLogin): Reaction {
  if (observed.fired === 0) return "unmet";
  if (variant.twice && !observed.visited && observed.fired < 2) return "unmet";
  if (variant.after === "backchannel_logout") return logoutReaction(observed);
  const ofRequests = reactions[variant.fault]?.(observed);
  if (ofRequests !== undefined) return ofRequests;
  return observed.succeeded ? reactionOnPages(variant, observed) : "refused";
}

/** What the requests show, whether or not the login succeeds. */
const reactions: Readonly<Record<string, (observed: ObservedLogin) => Reaction | undefined>> = {
  [audienceInjection]: ({ requests }) => injectionOutcome(requests),
  // What comes of metadata that an application believes is a matter of its server.
  "metadata.wrong_issuer": ({ requests }) =>
    requests.some(({ endpoint }) => endpoint === "authorize" || endpoint === "par")
      ? "accepted"
      : undefined,
  "token.bearer_for_dpop": ({ requests }) =>
    requests.some(({ headers }) => headers.authorization?.startsWith("Bearer "))
      ? "accepted"
      : "unmet",
  "id_token.old_auth_time": ({ requests }) =>
    requests.some((each) => parameterOf(each, "max_age") ?? parameterOf(each, "request"))
      ? undefined
      : "unmet",
  ...Object.fromEntries(
    ["iss", "sub", "aud"].map((claim) => [`refresh.wrong_${claim}`, ignoredRefresh]),
  ),
  // Without a challenge, the nonce must be compared before any token is used (RFC 9700, 4.5.3.2).
  "id_token.wrong_nonce": ({ succeeded, requests }) =>
    !succeeded && usesTokenEarly(requests) ? "accepted" : undefined,
};

/** An application that ignores a failed refresh goes on with what it had: it sends that again. */
function ignoredRefresh({ requests }: ObservedLogin): Reaction | undefined {
  const [first, second] = requests.flatMap(({ form }) => form.get("refresh_token") ?? []);
  return first !== undefined && first === second ? "refused" : undefined;
}

function usesTokenEarly(requests: readonly WireRequest[]): boolean {
  const sends = (name: string) => requests.some((each) => parameterOf(each, name) !== undefined);
  return !sends("code_challenge") && !sends("request") &&
    requests.some(({ endpoint }) => endpoint === "userinfo");
}

/**
 * Claims that must not be used are no reason to refuse a login: the pages show whether they are.
 */
function reactionOnPages({ shows }: DrillVariant, { shown }: ObservedLogin): Reaction {
  if (shows === undefined || shown === undefined || shows === "wrong" && shown.wrong) {
    return "accepted";
  }
  // Only where a page shows what userinfo says, the right user is one of userinfo.
  if (!shown.ofUserinfo) return "unmet";
  return shown[shows] ? "accepted" : "refused";
}

/** Returns how a client goes on for ever with what has ended, in one sentence; undefined if not. */
export function endlessReason(
  { fault, recovers = false }: DrillVariant,
  { fired, requests }: ObservedLogin,
): string | undefined {
  if (!recovers) return undefined;
  if (fault === forgottenClient) {
    return fired > maxRepeats
      ? `The client, which is gone, sent ${fired} requests: an endless loop.`
      : undefined;
  }
  const uses = new Map<string, number>();
  for (const { form } of requests) {
    const spent = form.get("refresh_token") ?? form.get("code");
    if (spent !== null) uses.set(spent, (uses.get(spent) ?? 0) + 1);
  }
  const most = Math.max(0, ...uses.values());
  return most > maxRepeats ? `It sent one of them ${most} times: an endless loop.` : undefined;
}

const notRequested = "The application did not request what the fault changes.";

/** Returns why a variant tested nothing, in one sentence. */
export function unmetReason(
  { fault, twice, needsUserinfo, needsKeys, showsInHeader, shows }: DrillVariant,
  { fired, requests, usesToken }: ObservedLogin,
): string {
  if (fired === 1 && twice) return "The login sent one such request, and not two at once.";
  if (fired === 0) {
    return /^id_token\.\w+_nonce$/.test(fault) && sendsNoNonce(requests)
      ? "The client sends no nonce, so the attack cannot be tested."
      : notRequested;
  }
  if (shows && usesToken) return "No page shows a value of userinfo, so it was not judged.";
  if (needsUserinfo) return "The application called no userinfo, and so cannot notice it.";
  if (fault === "id_token.old_auth_time") return "The application asks for no max_age.";
  if (fault === audienceInjection) {
    return "The application uses no client assertion, so there is none that another server could use.";
  }
  if (!needsKeys) return notRequested;
  return showsInHeader
    ? "The application verifies no signature: TLS may vouch for the ID token in its place."
    : "The application verifies no signature, and so cannot notice it.";
}

/** Lists what was not met for a terminal: most have the same reason, so it is there once. */
export function listUnmet(
  outcomes: readonly { fault: string; reason?: string | undefined }[],
): string[] {
  return groupBy(outcomes, ({ reason = "" }) => reason).flatMap((group) => {
    const [{ reason = "Nothing is known about these." }] = group;
    const names = group.map(({ fault }) => fault);
    const rest = names.length - maxNames;
    const more = rest > 0 ? ` and ${rest} more` : "";
    return [`  ${reason}`, `      ${names.slice(0, maxNames).join(", ")}${more}`];
  });
}

/** Whether a login began, and neither a parameter nor a request object may have had a nonce. */
function sendsNoNonce(requests: readonly WireRequest[]): boolean {
  const beginnings = requests.filter(({ endpoint }) =>
    endpoint === "authorize" || endpoint === "par"
  );
  return beginnings.length > 0 &&
    beginnings.every(({ query, form }) =>
      ["nonce", "request"].every((name) => !query.has(name) && !form.has(name))
    );
}

/** An assertion for another server that this one receives could be used there. */
function injectionOutcome(requests: readonly WireRequest[]): Reaction {
  const assertions = requests.flatMap(({ form }) => form.get("client_assertion") ?? []);
  if (assertions.length === 0) return "unmet";
  const audiences = assertions.flatMap((assertion) => readJwt(assertion)?.claims.aud);
  return audiences.includes(foreignTokenEndpoint) ? "accepted" : "refused";
}

/** A success means that the session ended (OpenID Connect Back-Channel Logout, section 2.8). */
function logoutReaction({ logoutStatuses }: ObservedLogin): Reaction {
  if (logoutStatuses.length === 0) return "unmet";
  return logoutStatuses.some((status) => status < 300) ? "accepted" : "refused";
}

/** Whether the application lacks what it takes to notice the fault. */
function isBlind(
  { expectation, needsUserinfo = false, needsKeys = false }: DrillVariant,
  { usesToken, verifies, requests }: ObservedLogin,
  reaction: Reaction,
): boolean {
  const accepts = reaction === "accepted";
  if (needsUserinfo && accepts && !usesToken) return true;
  if (!needsKeys) return false;
  if (expectation === "refuse") return accepts && !verifies;
  // It may have kept a key set from before the fault, with which it cannot do what it must.
  return !accepts && !requests.some(({ endpoint }) => endpoint === "jwks");
}
