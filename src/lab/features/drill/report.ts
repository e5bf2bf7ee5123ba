import type { RowClass, SeenFact } from "../../findings/grade.ts";
import { type MakeRow, may, must, type SentenceName } from "../../findings/sentences.ts";
import { type Exchange, parameterOf, tokenOf } from "../../recording/exchange.ts";
import type { FlowStep, FlowStepName, FlowTrace } from "../../recording/timeline.ts";
import type { FaultName } from "../faults/catalogue.ts";
import {
  type Evidence,
  membersOf,
  type ReportCheck,
  type ServerHistory,
} from "../report/report_check.ts";

type CheckRow = Omit<ReportCheck, "id">;

/** Faults that should end a flow, and the steps that show that the client went on. */
interface TrustCheck extends Pick<ReportCheck, "title" | "fix">, Omit<RowClass, "rule"> {
  faults: readonly FaultName[];
  steps: readonly FlowStepName[];
  /** Returns what decides how bad it is. */
  factsIn?: (history: ServerHistory, flow: FlowTrace) => SeenFact[];
}

/**
 * What a client should not trust. Each of these rules needs a fault: one of those after which a drill
 * expects a refusal, which a test compares. The variants of a drill load late.
 */
export const trustChecks: Readonly<Record<string, CheckRow>> = {
  "wrong-issuer-believed": trustCheck(may, "mixUp", {
    takes: "an issuer",
    gain: "A code of one provider is sent to another one (mix-up).",
    faults: ["callback.wrong_iss", "callback.without_iss", "callback.iss_with_slash"],
    steps: ["redeemed"],
    title:
      "If the application signs in at several servers with one redirect URI: it redeems the code " +
      "of a callback that names another issuer.",
    fix: "Compare the iss of the callback with the issuer that the request went to, " +
      "before anything else.",
    factsIn: (history, flow) => hasSeveralIssuers(history, flow) ? ["several issuers"] : [],
  }),
  "wrong-state-believed": trustCheck(must, "csrfByPkce", {
    takes: "a login",
    eased: ["PKCE"],
    faults: ["callback.wrong_state", "callback.without_state"],
    steps: ["redeemed"],
    title: "It redeems the code of a callback without the state of the request.",
    fix: "Compare the state of the callback with the one in the session, and stop if they differ.",
    factsIn: (history, flow) => sendsChallenge(history, flow) ? ["PKCE"] : [],
  }),
  "bad-id-token-believed": trustCheck(must, "tokenIdToken", {
    by: "id_token",
    faults: [
      ...(["wrong_iss", "wrong_aud", "expired", "wrong_nonce", "without_nonce"] as const),
      ...(["without_iss", "without_aud", "without_exp"] as const),
      ...(["containing_iss", "part_of_iss", "listed_iss"] as const),
      ...(["containing_aud", "part_of_aud"] as const),
    ].map((name): FaultName => `id_token.${name}`),
    steps: ["used", "refreshed"],
    title: "It uses the tokens that came with an invalid ID token.",
    fix: "Verify signature, iss, aud, exp and nonce of the ID token before you use the tokens.",
  }),
  "bad-signature-believed": trustCheck(may, "tlsInstead", {
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
  }),
  "foreign-metadata-believed": must("metadataIssuer", {
    by: "metadata",
    title: "It uses metadata that names a different issuer than the one it was fetched for.",
    fix: "Compare the issuer in the metadata with the URL that you fetched it for.",
    find: ({ exchanges }) =>
      exchanges.flatMap((faulted, index) => findTrustedMetadata(faulted, exchanges[index + 1])),
  }),
};

function trustCheck(
  make: MakeRow<SentenceName>,
  sentence: SentenceName,
  { factsIn = () => [], faults, steps, ...row }: TrustCheck,
): CheckRow {
  return make<CheckRow>(sentence, {
    ...row,
    find(history) {
      const { recorded, flows } = history;
      if (!recorded.some((exchange) => exchange.faults.length > 0)) return [];
      const byId = new Map(recorded.map((exchange) => [exchange.id, exchange]));
      return flows().flatMap((flow) =>
        findTrustedFault({ faults, steps }, flow, (step) => byId.get(step.exchange))
          .map((found): Evidence => ({ ...found, facts: factsIn(history, flow) }))
      );
    },
  });
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

/** Finds what a client did after a response that should have ended the flow. */
function findTrustedFault(
  { faults, steps }: Pick<TrustCheck, "faults" | "steps">,
  flow: FlowTrace,
  exchangeOf: (step: FlowStep) => Exchange | undefined,
): Evidence[] {
  const names: readonly string[] = faults;
  const faultOf = (exchange: Exchange) => exchange.faults.find((name) => names.includes(name));
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
