import type { JWK } from "jose";
import { sha256 } from "../../../server/util/crypto/hash.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { flowUser } from "../../flows/flow_outcome.ts";
import {
  type OneTimeName,
  oneTimeNames,
  oneTimeValue,
  titleOfOneTime,
} from "../../flows/replay/one_time_credentials.ts";
import type { ChangedClaims } from "../../flows/replay/signed_claims.ts";
import { readJwt } from "../../recording/credentials.ts";
import { type Exchange, tokenOf, type WireRequest } from "../../recording/exchange.ts";
import { mint } from "../../tokens/mint.ts";
import { LabError } from "../../util/lab_error.ts";
import { resign } from "../signed_proofs.ts";
import { withHeader, withParameter } from "./edited_request.ts";
import { codeProblem, issueFreshCode } from "./fresh_code.ts";
import { issuingFlowOf } from "./issuing_flow.ts";
import { pushAgain, pushOf, type SendAgain } from "./push_again.ts";
import { findSigningKey } from "./signing_keys.ts";

/** What a fresh credential is made from. */
interface FreshFacts {
  lab: CoreLab;
  /** The exchange that is replayed. */
  original: Exchange;
  /** The credential that was sent. */
  value: string;
  /** The private keys that the test gave. */
  privateKeys: readonly JWK[];
  /** What a JWT claims in place of what it claimed. */
  claims?: Record<string, unknown> | undefined;
}

/** How the lab makes a credential anew. */
interface Maker {
  /** Returns why it cannot, or undefined. */
  problem(facts: FreshFacts): string | undefined | Promise<string | undefined>;
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
  client_assertion: { problem: signatureProblem, make: (facts) => signAgain(facts) },
  assertion: { problem: signatureProblem, make: (facts) => signAgain(facts) },
  dpop: { problem: signatureProblem, make: proveAgain },
};

/** Returns why the lab cannot make a credential of a request anew, or undefined. */
export async function freshProblem(
  lab: CoreLab,
  original: Exchange,
  name: OneTimeName,
): Promise<string | undefined> {
  const value = oneTimeValue(original.request, name);
  if (value === undefined) return undefined;
  return await makers[name].problem({ lab, original, value, privateKeys: [] });
}

const nothingToSign = "There are claims to change, but the replay does not send the recorded";

/** Which credentials to make anew, and how the lab sends a request that this takes. */
export interface FreshOptions {
  /** Those that must be new. By default, the lab replaces what it can. */
  names?: readonly OneTimeName[] | undefined;
  /** The private keys with which the lab may sign again. */
  privateKeys?: readonly JWK[] | undefined;
  /** What JWTs claim in place of what they claimed. Each of these JWTs must be new. */
  claims?: ChangedClaims | undefined;
  sendAgain: SendAgain;
}

/** Returns a request with fresh credentials. */
export async function withFreshCredentials(
  lab: CoreLab,
  original: Exchange,
  draft: WireRequest,
  { names, privateKeys = [], claims = {}, sendAgain }: FreshOptions,
): Promise<WireRequest> {
  const changed: { [Name in OneTimeName]?: Record<string, unknown> | undefined } = claims;
  let request = draft;
  for (const name of oneTimeNames) {
    const isRequired = names?.includes(name) || changed[name] !== undefined;
    if (names && !isRequired) continue;
    const value = oneTimeValue(original.request, name);
    // What the test changed itself stays as it is.
    if (value === undefined || oneTimeValue(draft, name) !== value) {
      if (changed[name]) throw new LabError(`${nothingToSign} ${titleOfOneTime(name)}.`);
      continue;
    }
    const facts = { lab, original, value, privateKeys, claims: changed[name] };
    const problem = await makers[name].problem(facts);
    if (problem === undefined) {
      request = withCredential(request, name, await makers[name].make(facts, request, sendAgain));
    } else if (isRequired) {
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

async function signatureProblem(facts: FreshFacts): Promise<string | undefined> {
  if (!readJwt(facts.value)) return "It is not a JWT.";
  return await keyOf(facts) ? undefined : "The lab does not have the key that signed it.";
}

async function keyOf({ lab, original, value, privateKeys }: FreshFacts) {
  return await findSigningKey(value, { lab, clientId: original.request.client, privateKeys });
}

/** Signs a JWT again: a client assertion, or the assertion of an issuer that the lab plays. */
async function signAgain(facts: FreshFacts, changes = facts.claims): Promise<string> {
  const { lab, original, value } = facts;
  const key = await keyOf(facts);
  if (!key) throw new LabError("The lab does not have the key that signed the JWT.");
  return await resign(lab.context, value, {
    key,
    elapsed: elapsedSince(lab, original),
    claims: changes ?? {},
  });
}

/**
 * A proof that had the hash of its token has that of the token that is sent now. The same applies
 * to the method.
 */
async function proveAgain(facts: FreshFacts, draft: WireRequest): Promise<string> {
  const { original, value, claims } = facts;
  const [before, now] = [tokenOf(original.request), tokenOf(draft)];
  const { ath, htm } = readJwt(value)?.claims ?? {};
  const hadHash = before !== undefined && ath === await sha256(before);
  const hash = hadHash && now !== undefined ? { ath: await sha256(now) } : {};
  const method = htm === original.request.method ? { htm: draft.method } : {};
  return await signAgain(facts, { ...hash, ...method, ...claims });
}

function elapsedSince({ clock }: CoreLab, { at }: Exchange): number {
  return Math.round((clock.now() - at) / 1000);
}
