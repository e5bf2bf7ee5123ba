import { readJwt } from "../recording/credentials.ts";
import {
  type Exchange,
  parameterOf,
  presentedIn,
  type WireRequest,
} from "../recording/exchange.ts";
import { type LabWithTenants, statesOf } from "./credential_state.ts";
import { readFlowCredentials } from "./flow_credentials.ts";

/** What a client signs for one request, by its parameter. */
const signedParameters: Readonly<Record<string, string>> = {
  client_assertion: "client assertion",
  assertion: "assertion",
  request: "request object",
};

/** Returns what of a request does not work again, a sentence each: its command needs new values. */
export async function unusableValuesOf(
  lab: LabWithTenants & { readonly issuer: string },
  { request }: Exchange,
  exchanges: readonly Exchange[],
): Promise<string[]> {
  const credentials = readFlowCredentials(exchanges, lab.issuer);
  const presented = presentedIn(request);
  const issued = credentials.issued.filter(({ value }) => presented.includes(value));
  const states = await statesOf(lab, { ...credentials, issued });
  const ended = issued.flatMap(({ kind, value }) => {
    const state = states.get(value)?.kind;
    return state === "spent" || state === "revoked" || state === "expired"
      ? [`The ${kind} is ${state}: lab.authorize gets a code, and lab.mint makes a token.`]
      : [];
  });
  return [...ended, ...signedIn(request).map((what) => `The ${what} works once: sign a new one.`)];
}

function signedIn(request: WireRequest): string[] {
  const names = Object.keys(signedParameters).filter((name) =>
    readJwt(parameterOf(request, name) ?? "")?.claims.jti !== undefined
  );
  const signed = names.map((name) => signedParameters[name] ?? name);
  return request.headers.dpop === undefined ? signed : [...signed, "DPoP proof"];
}
