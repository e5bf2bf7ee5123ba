import { sha256 } from "../../../server/util/crypto/hash.ts";
import type { Lab } from "../../control/lab.ts";
import { flowUser } from "../../flows/flow_outcome.ts";
import {
  type OneTimeName,
  oneTimeNames,
  oneTimeValue,
  titleOfOneTime,
} from "../../flows/replay/one_time_credentials.ts";
import { readJwt } from "../../recording/credentials.ts";
import { type Exchange, tokenOf, type WireRequest } from "../../recording/exchange.ts";
import { mint } from "../../tokens/mint.ts";
import { LabError } from "../../util/lab_error.ts";
import { resign, resignProblem } from "../signed_proofs.ts";
import { withHeader, withParameter } from "./edited_request.ts";
import { codeProblem, issueFreshCode } from "./fresh_code.ts";
import { issuingFlowOf } from "./issuing_flow.ts";
import { pushAgain, pushOf, type SendAgain } from "./push_again.ts";

/** What a fresh credential is made from. */
interface FreshFacts {
  lab: Lab;
  /** The exchange that is replayed. */
  original: Exchange;
  /** The credential that was sent. */
  value: string;
}

/** How the lab makes a credential anew. */
interface Maker {
  /** Returns why it cannot, or undefined. */
  problem(facts: FreshFacts): string | undefined;
  /** Returns a new credential for the request as it will be sent. */
  make(facts: FreshFacts, draft: WireRequest, sendAgain: SendAgain): Promise<string>;
}

const makers: Readonly<Record<OneTimeName, Maker>> = {
  code: {
    problem: ({ lab, value }) => codeProblem(lab, value),
    make: ({ lab, value }) => issueFreshCode(lab, value),
  },
  refresh_token: { problem: refreshTokenProblem, make: mintRefreshToken },
  device_code: impossible("A user has to allow a new one: begin a new flow on the device."),
  request_uri: {
    problem: ({ lab, value }) =>
      pushOf(lab, value) ? undefined : "The lab did not record its push.",
    make: ({ lab, value }, _draft, sendAgain) => pushAgain(lab, value, sendAgain),
  },
  client_assertion: { problem: signatureProblem, make: signAgain },
  assertion: impossible("The lab does not have the key of its issuer."),
  dpop: { problem: signatureProblem, make: proveAgain },
};

/** Returns why the lab cannot make a credential of a request anew, or undefined. */
export function freshProblem(lab: Lab, original: Exchange, name: OneTimeName): string | undefined {
  const value = oneTimeValue(original.request, name);
  return value === undefined ? undefined : makers[name].problem({ lab, original, value });
}

/** Which credentials to make anew, and how the lab sends a request that this takes. */
export interface FreshOptions {
  /** Those that must be new. By default, the lab replaces what it can. */
  names?: readonly OneTimeName[] | undefined;
  sendAgain: SendAgain;
}

/** Returns a request with fresh credentials. */
export async function withFreshCredentials(
  lab: Lab,
  original: Exchange,
  draft: WireRequest,
  { names, sendAgain }: FreshOptions,
): Promise<WireRequest> {
  let request = draft;
  for (const name of names ?? oneTimeNames) {
    const value = oneTimeValue(original.request, name);
    // What the test changed itself stays as it is.
    if (value === undefined || oneTimeValue(draft, name) !== value) continue;
    const facts = { lab, original, value };
    const problem = makers[name].problem(facts);
    if (problem === undefined) {
      request = withCredential(request, name, await makers[name].make(facts, request, sendAgain));
    } else if (names) {
      throw new LabError(`The lab cannot make a fresh ${titleOfOneTime(name)}. ${problem}`);
    }
  }
  return request;
}

function withCredential(request: WireRequest, name: OneTimeName, value: string): WireRequest {
  return name === "dpop" ? withHeader(request, name, value) : withParameter(request, name, [value]);
}

function impossible(problem: string): Maker {
  return {
    problem: () => problem,
    make: () => Promise.reject(new LabError(problem)),
  };
}

function refreshTokenProblem({ lab, value }: FreshFacts): string | undefined {
  const flow = issuingFlowOf(lab, value);
  if (flow && flowUser(flow.exchanges) !== undefined) return undefined;
  return "The lab did not record how it was issued.";
}

/** Mints a token of a new authorization, so that the client keeps its own token. */
async function mintRefreshToken({ lab, value }: FreshFacts): Promise<string> {
  const { exchanges = [], issuing } = issuingFlowOf(lab, value) ?? {};
  const issued = issuing?.events.find((event) => event.type === "token.issued");
  const scope = issued?.scope.join(" ");
  const options = { sub: flowUser(exchanges) ?? "", client: issued?.client, scope } as const;
  return (await mint(lab.context, { ...options, kind: "refresh" })).token;
}

function signatureProblem({ lab, original, value }: FreshFacts): string | undefined {
  const client = lab.clients.list().find(({ id }) => id === original.request.client);
  return resignProblem(value, client ?? {});
}

async function signAgain({ lab, original, value }: FreshFacts): Promise<string> {
  return await resign(lab.context, value, { elapsed: elapsedSince(lab, original) });
}

/** A proof that had the hash of its token has that of the token that is sent now. */
async function proveAgain(facts: FreshFacts, draft: WireRequest): Promise<string> {
  const { lab, original, value } = facts;
  const [before, now] = [tokenOf(original.request), tokenOf(draft)];
  const { ath } = readJwt(value)?.claims ?? {};
  const hadHash = before !== undefined && ath === await sha256(before);
  return await resign(lab.context, value, {
    elapsed: elapsedSince(lab, original),
    claims: hadHash && now !== undefined ? { ath: await sha256(now) } : {},
  });
}

function elapsedSince({ clock }: Lab, { at }: Exchange): number {
  return Math.round((clock.now() - at) / 1000);
}
