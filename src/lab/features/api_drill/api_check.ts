import type { Finding } from "../../findings/finding.ts";
import { type ApiResponse, isAccepted } from "./call_api.ts";
import type { ApiRequest, DrilledApi, MintChanges } from "./drilled_api.ts";

export { isAccepted } from "./call_api.ts";

/** One thing that a drill finds out about an API. */
export interface ApiCheck {
  /** Never changes its meaning: `"expired"`. */
  id: string;
  /** What an API must do, or what the check finds out, in one sentence. */
  title: string;
  /** The section with the rule. */
  see: string;
  /** What an attacker gains, or a user loses, if an API breaks the rule. */
  gain: string;
  fix: string;
  /** Returns why the check does not apply to an API; undefined if it does. */
  leftOut?(api: DrilledApi): string | undefined;
  run(api: DrilledApi): Promise<ApiVerdict>;
}

/** What a check found. */
export interface ApiVerdict {
  /** What came that is wrong, or could be better. Without any, the API passed. */
  wrong?: readonly Deviation[];
  /** What is worth knowing, where an API may do either. */
  note?: string | undefined;
  /** Why the check showed nothing. */
  skipped?: string | undefined;
}

/** One response that is wrong, or could be better. */
export type Deviation = Pick<Finding, "level" | "received">;

type MakeRequests = (api: DrilledApi) => Promise<ApiRequest[]>;

/** Returns the run of a check whose requests an API must refuse. */
export function refusing(make: MakeRequests): ApiCheck["run"] {
  return async (api) => ({ wrong: await wrongIn(api, make, isAccepted) });
}

/** Returns the run of a check whose requests an API must accept. */
export function accepting(make: MakeRequests): ApiCheck["run"] {
  return async (api) => ({ wrong: await wrongIn(api, make, (each) => !isAccepted(each)) });
}

/** Describes a response that should have been another one. */
export function violation({ what }: ApiRequest, { status }: ApiResponse): Deviation {
  const came = status === 0 ? "no response" : `status ${status}`;
  return { level: "violation", received: `${came} for ${what}` };
}

/** Describes what could be better, though no rule is broken. */
export function advice(received: string): Deviation {
  return { level: "advice", received };
}

/** Leaves a check out for an API whose tokens have no parts that it could change. */
export function unlessOpaque({ jwt }: DrilledApi): string | undefined {
  return jwt ? undefined : "The access tokens of this API are opaque.";
}

/** Leaves a check out for an API whose required scope is unknown. */
export function unlessScoped({ scope }: DrilledApi): string | undefined {
  return scope.length > 0 ? undefined : "The drill was given no scope.";
}

/** Returns what makes one request, with a token that was minted with changes. */
export function minted(what: string, changes: (api: DrilledApi) => MintChanges): MakeRequests {
  return async (api) => [await api.present(await api.mint(changes(api)), what)];
}

/** Returns requests with tokens, each of which was made for what it is called. */
export async function presentAll(
  api: DrilledApi,
  tokens: ReadonlyArray<readonly [what: string, token: string]>,
): Promise<ApiRequest[]> {
  return await Promise.all(tokens.map(([what, token]) => api.present(token, what)));
}

async function wrongIn(
  api: DrilledApi,
  make: MakeRequests,
  isWrong: (response: ApiResponse) => boolean,
) {
  const wrong = [];
  for (const request of await make(api)) {
    const response = await api.send(request);
    if (isWrong(response)) wrong.push(violation(request, response));
  }
  return wrong;
}
