import { type Exchange, jsonOf, tokenOf } from "../recording/exchange.ts";
import type { FlowStepName, FlowTrace } from "../recording/timeline.ts";
import type { Evidence, LabHistory, ReportRule } from "./report_rule.ts";

/** What a client can believe that it should not have believed. Each of these needs a fault before it can show. */
export const trustRules: readonly ReportRule[] = [
  trustRule(
    "wrong-issuer-believed",
    ["callback.wrong_iss", "callback.without_iss", "callback.doubled_iss"],
    ["redeemed"],
    {
      says:
        "A callback that does not name the issuer that was asked, once, comes from somebody else; its code must not be redeemed.",
      see: "RFC 9207, section 2.4",
    },
  ),
  trustRule(
    "wrong-state-believed",
    ["callback.wrong_state", "callback.without_state", "callback.doubled_state"],
    ["redeemed"],
    {
      says:
        "A callback without the state of the request belongs to another browser; its code must not be redeemed.",
      see: "RFC 9700, section 4.7.1",
    },
  ),
  trustRule("error-and-code", ["callback.error_and_code"], ["redeemed"], {
    says: "A callback with an error is an error, whatever else it brings.",
    see: "OAuth 2.1, section 4.1.2.1",
  }),
  trustRule(
    "bad-id-token-believed",
    ["wrong_iss", "wrong_aud", "expired", "wrong_nonce", "without_nonce", "alg_none"].map((word) =>
      `id_token.${word}`
    ),
    ["used", "refreshed"],
    {
      says: "The ID token was not in order, so nothing that came with it may be used.",
      see: "OpenID Connect Core, section 3.1.3.7",
    },
  ),
  {
    id: "foreign-metadata-believed",
    kind: "violation",
    says: "Metadata that names another issuer than it was asked of must not be used.",
    see: "RFC 8414, section 3.3",
    // Whoever asked once more, and went on with what came then, did not believe it.
    find: ({ exchanges }) =>
      exchanges.flatMap((spoilt, place) => {
        const next = exchanges[place + 1];
        if (
          !spoilt.faults.includes("metadata.wrong_issuer") || !next ||
          next.request.path.startsWith("/.well-known/")
        ) return [];
        return [{
          client: next.request.client,
          seen: `went on to ${next.request.path}`,
          exchanges: [spoilt.id, next.id],
        }];
      }),
  },
];

function trustRule(
  id: string,
  faults: readonly string[],
  deeds: readonly FlowStepName[],
  { says, see }: Pick<ReportRule, "says" | "see">,
): ReportRule {
  return {
    id,
    kind: "violation",
    says,
    see,
    find: (history) =>
      history.flows.flatMap((flow) => findTrustedFaults(history, flow, faults, deeds)),
  };
}

/** What a flow went on to do after an answer that should have ended it. */
function findTrustedFaults(
  { exchanges }: LabHistory,
  flow: FlowTrace,
  faults: readonly string[],
  deeds: readonly FlowStepName[],
): Evidence[] {
  const exchangeOf = (step: FlowTrace["steps"][number]) =>
    exchanges.find(({ id }) => id === step.exchange);
  const place = flow.steps.findIndex((step) =>
    exchangeOf(step)?.faults.some((name) => faults.includes(name))
  );
  if (place < 0) return [];
  const spoilt = exchangeOf(flow.steps[place])!;
  const deed = flow.steps.slice(place + 1).find((step) =>
    deeds.includes(step.what) && !hasTokenFromElsewhere(spoilt, exchangeOf(step))
  );
  if (!deed) return [];
  const fault = spoilt.faults.find((name) => faults.includes(name));
  return [{
    client: flow.client,
    seen: `${flow.id} went on after ${fault}: ${deed.what}`,
    exchanges: [spoilt.id, deed.exchange],
  }];
}

/** Whoever refuses what a refresh brought may go on with the tokens from before it. */
function hasTokenFromElsewhere({ response }: Exchange, deed: Exchange | undefined): boolean {
  const given = response && jsonOf(response);
  if (given?.access_token === undefined || !deed) return false;
  return ![given.access_token, given.refresh_token].includes(
    tokenOf(deed.request) ?? deed.request.form.get("refresh_token") ?? undefined,
  );
}
