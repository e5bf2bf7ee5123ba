import type { Finding } from "../../findings/finding.ts";
import { type ApiResponse, isAccepted } from "./call_api.ts";
import type { ApiRequest, DrilledApi } from "./drilled_api.ts";

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
  /** Returns why the check says nothing about an API; undefined if it does. */
  leftOut?(api: DrilledApi): string | undefined;
  run(api: DrilledApi): Promise<ApiVerdict>;
}

/** What a check found. */
export interface ApiVerdict {
  /** What came that is wrong, or could be better. Without any, the API passed. */
  wrong?: ReadonlyArray<Pick<Finding, "level" | "received">>;
  /** What is worth knowing, where an API may do either. */
  note?: string | undefined;
  /** Why the check showed nothing. */
  skipped?: string | undefined;
}

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
export function violation(
  { what }: ApiRequest,
  { status }: ApiResponse,
): Pick<Finding, "level" | "received"> {
  const came = status === 0 ? "no response" : `status ${status}`;
  return { level: "violation", received: `${came} for ${what}` };
}

/** What is better done otherwise, though no rule is broken. */
export function advice(received: string): Pick<Finding, "level" | "received"> {
  return { level: "advice", received };
}

/** Leaves a check out for an API whose tokens have no parts that it could change. */
export function unlessOpaque({ jwt }: DrilledApi): string | undefined {
  return jwt ? undefined : "The access tokens of this API are opaque.";
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
