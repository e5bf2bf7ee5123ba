import { type Exchange, parameterOf, tokenOf } from "../../recording/exchange.ts";
import type { FlowStep, FlowStepName, FlowTrace } from "../../recording/timeline.ts";
import type { FaultName } from "../faults/catalogue.ts";
import {
  type Evidence,
  membersOf,
  type ReportCheck,
  type ServerHistory,
} from "../report/report_check.ts";

/** Faults that should end a flow, and the steps that show that the client went on. */
interface TrustCheck extends Omit<ReportCheck, "find"> {
  faults: readonly FaultName[];
  steps: readonly FlowStepName[];
  /** Returns what it is where the rule is not what it says. */
  classIn?: (history: ServerHistory, flow: FlowTrace) => ReportCheck["class"] | undefined;
}

/**
 * What a client should not trust. Each of these rules needs a fault: one of those after which a drill
 * expects a refusal, which a test compares. The variants of a drill load late.
 */
export const trustChecks: readonly ReportCheck[] = [
  trustCheck({
    id: "wrong-issuer-believed",
    class: "advice",
    faults: ["callback.wrong_iss", "callback.without_iss", "callback.iss_with_slash"],
    steps: ["redeemed"],
    title:
      "If the application signs in at several servers with one redirect URI: it redeems the code " +
      "of a callback that names another issuer.",
    fix: "Compare the iss of the callback with the issuer that the request went to, " +
      "before anything else.",
    see: "RFC 9700, section 2.1",
    why: "When an OAuth client can interact with more than one authorization server, a defense " +
      "against mix-up attacks is REQUIRED.",
    classIn: (history, flow) => hasSeveralIssuers(history, flow) ? "attack" : undefined,
  }),
  trustCheck({
    id: "wrong-state-believed",
    class: "attack",
    faults: ["callback.wrong_state", "callback.without_state"],
    steps: ["redeemed"],
    title: "It redeems the code of a callback without the state of the request.",
    fix: "Compare the state of the callback with the one in the session, and stop if they differ.",
    see: "RFC 9700, section 2.1",
    why:
      "Clients MUST prevent Cross-Site Request Forgery (CSRF) … Clients that have ensured that the " +
      "authorization server supports PKCE MAY rely on the CSRF protection provided by PKCE.",
    classIn: (history, flow) => sendsChallenge(history, flow) ? "advice" : undefined,
  }),
  trustCheck({
    id: "bad-id-token-believed",
    class: "rule",
    faults: [
      ...(["wrong_iss", "wrong_aud", "expired", "wrong_nonce", "without_nonce"] as const),
      ...(["without_iss", "without_aud", "without_exp"] as const),
    ].map((name): FaultName => `id_token.${name}`),
    steps: ["used", "refreshed"],
    title: "It uses the tokens that came with an invalid ID token.",
    fix: "Verify signature, iss, aud, exp and nonce of the ID token before you use the tokens.",
    see: "OpenID Connect Core, section 3.1.3.5",
    why: "The Client MUST validate the Token Response … Follow the ID Token validation rules.",
  }),
  trustCheck({
    id: "bad-signature-believed",
    class: "advice",
    faults: [
      "id_token.alg_none",
      "id_token.foreign_signature",
      "id_token.hs256_with_public_key",
    ],
    steps: ["used", "refreshed"],
    title:
      "Unless TLS vouches for the ID token: it uses the tokens that came with a wrong signature.",
    fix:
      "Verify the signature with the keys at the jwks_uri. A drill shows whether the client does.",
    see: "OpenID Connect Core, section 3.1.3.7",
    why: "The TLS server validation MAY be used to validate the issuer in place of checking the " +
      "token signature.",
  }),
  {
    id: "foreign-metadata-believed",
    class: "rule",
    title: "It uses metadata that names a different issuer than the one it was fetched for.",
    fix: "Compare the issuer in the metadata with the URL that you fetched it for.",
    see: "RFC 8414, section 3.3",
    why: "If these values are not identical, the data contained in the response MUST NOT be used.",
    find: ({ exchanges }) =>
      exchanges.flatMap((faulted, index) => findTrustedMetadata(faulted, exchanges[index + 1])),
  },
];

function trustCheck({ faults, steps, classIn, ...rule }: TrustCheck): ReportCheck {
  return {
    ...rule,
    find: (history) => {
      const { recorded, flows } = history;
      if (!recorded.some((exchange) => exchange.faults.length > 0)) return [];
      const byId = new Map(recorded.map((exchange) => [exchange.id, exchange]));
      return flows().flatMap((flow) =>
        findTrustedFault({ byId, faults, steps, flow })
          .map((found): Evidence => ({ ...found, class: classIn?.(history, flow) ?? rule.class }))
      );
    },
  };
}

/** Whether a client asked at several servers for a response at one redirect URI. */
function hasSeveralIssuers({ recorded }: ServerHistory, { steps }: FlowTrace): boolean {
  const ids = steps.map(({ exchange }) => exchange);
  const uriOf = ({ request }: Exchange) => parameterOf(request, "redirect_uri");
  const own = recorded.filter(({ id }) => ids.includes(id)).map(uriOf).find(Boolean);
  const same = recorded.filter((each) => own !== undefined && uriOf(each) === own);
  return new Set(same.map(({ tenant }) => tenant)).size > 1;
}

function sendsChallenge({ recorded }: ServerHistory, { steps }: FlowTrace): boolean {
  const ids = steps.map(({ exchange }) => exchange);
  return recorded.some(({ id, request }) =>
    ids.includes(id) && parameterOf(request, "code_challenge") !== undefined
  );
}

interface TrustQuery extends Pick<TrustCheck, "steps"> {
  /** The recorded requests by their ids. */
  byId: ReadonlyMap<number, Exchange>;
  flow: FlowTrace;
  /** The names of the faults. */
  faults: readonly string[];
}

/** Finds what a client did after a response that should have ended the flow. */
function findTrustedFault({ byId, flow, faults, steps }: TrustQuery): Evidence[] {
  const exchangeOf = (step: FlowStep) => byId.get(step.exchange);
  const faultOf = (exchange: Exchange) => exchange.faults.find((name) => faults.includes(name));
  for (const [index, step] of flow.steps.entries()) {
    const faulted = exchangeOf(step);
    const fault = faulted && faultOf(faulted);
    if (!faulted || fault === undefined) continue;
    const next = flow.steps.slice(index + 1).find((later) => {
      const exchange = exchangeOf(later);
      return exchange && steps.includes(later.what) && !hasOtherToken(faulted, exchange);
    });
    if (!next) return [];
    return [{
      client: flow.client,
      received: `${flow.id} continued after ${fault}: ${next.what}`,
      exchanges: [faulted.id, next.exchange],
    }];
  }
  return [];
}

/** Whether a request uses other tokens than a response had, such as those from before a refresh. */
function hasOtherToken(faulted: Exchange, next: Exchange): boolean {
  const { access_token, refresh_token } = membersOf(faulted);
  if (access_token === undefined) return false;
  const used = tokenOf(next.request) ?? next.request.form.get("refresh_token") ?? undefined;
  return used !== access_token && used !== refresh_token;
}

/**
 * Finds a request that follows faulted metadata; a client that fetches it again did not trust it.
 */
function findTrustedMetadata(faulted: Exchange, next: Exchange | undefined): Evidence[] {
  if (!next || !faulted.faults.includes("metadata.wrong_issuer")) return [];
  const { path, client } = next.request;
  if (path.startsWith("/.well-known/")) return [];
  return [{ client, received: `continued with ${path}`, exchanges: [faulted.id, next.id] }];
}
