import { type Exchange, tokenOf } from "../../recording/exchange.ts";
import type { FlowStep, FlowStepName, FlowTrace } from "../../recording/timeline.ts";
import type { FaultName } from "../faults/catalogue.ts";
import { type Evidence, membersOf, type ReportRule } from "../report/report_rule.ts";

/** Faults that should end a flow, and the steps that show that the client went on. */
interface TrustRule extends Pick<ReportRule, "id" | "title" | "fix" | "see"> {
  faults: readonly FaultName[];
  /** Those that only a client notices that has fetched the keys. */
  ofKeys?: readonly FaultName[];
  steps: readonly FlowStepName[];
}

/**
 * What a client should not trust. Each of these rules needs a fault: one of those after which a drill
 * expects a refusal, which a test compares. The variants of a drill load late.
 */
export const trustRules: readonly ReportRule[] = [
  trustRule({
    id: "wrong-issuer-believed",
    faults: ["callback.wrong_iss", "callback.without_iss", "callback.iss_with_slash"],
    steps: ["redeemed"],
    title:
      "A callback must name the issuer of the request exactly once. Otherwise it comes from a " +
      "different server; do not redeem its code.",
    fix: "Compare the iss of the callback with the issuer that the request went to, " +
      "before anything else.",
    see: "RFC 9207, section 2.4",
  }),
  trustRule({
    id: "wrong-state-believed",
    faults: ["callback.wrong_state", "callback.without_state"],
    steps: ["redeemed"],
    title: "A callback without the state of the request belongs to a different browser; " +
      "do not redeem its code.",
    fix: "Compare the state of the callback with the one in the session, and stop if they differ.",
    see: "RFC 9700, section 4.7.1",
  }),
  trustRule({
    id: "bad-id-token-believed",
    faults: [
      ...(["wrong_iss", "wrong_aud", "wrong_azp", "second_aud", "expired"] as const),
      ...(["wrong_nonce", "without_nonce", "without_iss", "without_sub"] as const),
      ...(["without_aud", "without_exp"] as const),
    ].map((name): FaultName => `id_token.${name}`),
    ofKeys: [
      "id_token.alg_none",
      "id_token.foreign_signature",
      "id_token.hs256_with_public_key",
    ],
    steps: ["used", "refreshed"],
    title: "The ID token was invalid; do not use the tokens that came with it.",
    fix: "Verify signature, iss, aud, exp and nonce of the ID token before you use the tokens.",
    see: "OpenID Connect Core, section 3.1.3.7",
  }),
  {
    id: "foreign-metadata-believed",
    level: "violation",
    title: "Do not use metadata that names a different issuer than the one it was fetched for.",
    fix: "Compare the issuer in the metadata with the URL that you fetched it for.",
    see: "RFC 8414, section 3.3",
    find: ({ exchanges }) =>
      exchanges.flatMap((faulted, index) => findTrustedMetadata(faulted, exchanges[index + 1])),
  },
];

function trustRule({ faults, ofKeys = [], steps, ...rule }: TrustRule): ReportRule {
  return {
    ...rule,
    level: "violation",
    find: ({ exchanges, recorded, flows }) => {
      if (!recorded.some((exchange) => exchange.faults.length > 0)) return [];
      const byId = new Map(recorded.map((exchange) => [exchange.id, exchange]));
      const knowsKeys = exchanges.some(({ request }) => request.endpoint === "jwks");
      const query = { byId, faults: knowsKeys ? [...faults, ...ofKeys] : faults, steps };
      return flows().flatMap((flow) => findTrustedFault({ ...query, flow }));
    },
  };
}

interface TrustQuery extends Pick<TrustRule, "steps"> {
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
