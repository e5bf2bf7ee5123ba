import type { CheckReading, Deviation, DrillCheck } from "../verdicts/drill_check.ts";
import { findPart } from "../verdicts/parts.ts";
import { type ApiResponse, isAccepted } from "./call_api.ts";
import type { ApiRequest, DrilledApi, MintChanges } from "./drilled_api.ts";

export type { CheckReading, Deviation } from "../verdicts/drill_check.ts";
export { isAccepted } from "./call_api.ts";

/** One thing that a drill finds out about an API. */
export interface ApiCheck extends DrillCheck {
  /** Returns why the check does not apply to an API; undefined if it does. */
  leftOut?(api: DrilledApi): string | undefined;
  run(api: DrilledApi): Promise<CheckReading>;
}

type MakeRequests = (api: DrilledApi) => Promise<ApiRequest[]>;

/** Returns the run of a check whose requests an API must refuse. */
export function refusing(...makes: readonly MakeRequests[]): ApiCheck["run"] {
  return async (api) => ({ wrong: await wrongIn(api, makes, isAccepted) });
}

/** Returns the run of a check that ends with the first request that an API accepts. */
export function refusingFirst(...makes: readonly MakeRequests[]): ApiCheck["run"] {
  return async (api) => {
    for (const make of makes) {
      for (const request of await make(api)) {
        const response = await api.send(request);
        if (isAccepted(response)) return { wrong: [deviationIn(request, response)] };
      }
    }
    return {};
  };
}

export function accepting(make: MakeRequests): ApiCheck["run"] {
  return async (api) => ({ wrong: await wrongIn(api, [make], (each) => !isAccepted(each)) });
}

/** Describes a response that should have been another one. */
export function deviationIn({ what }: ApiRequest, { status }: ApiResponse): Deviation {
  const came = status === 0 ? "no response" : `status ${status}`;
  return { received: `${came} for ${what}` };
}

/** Leaves a check out for an API whose tokens have no parts that it could change. */
export function unlessOpaque({ jwt }: DrilledApi): string | undefined {
  return jwt ? undefined : "The access tokens of this API are opaque.";
}

/** Returns why a part of a drill was not tested: more options, or more time, would test it. */
export function untestedReason(part: "scope" | "another-user" | "new-key"): string | undefined {
  return findPart("api", part)?.why;
}

/** Leaves a check out for an API whose required scope is unknown. */
export function unlessScoped({ scope }: DrilledApi): string | undefined {
  return scope.length > 0 ? undefined : untestedReason("scope");
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
  makes: readonly MakeRequests[],
  isWrong: (response: ApiResponse) => boolean,
) {
  const wrong = [];
  for (const make of makes) {
    for (const request of await make(api)) {
      const response = await api.send(request);
      if (isWrong(response)) wrong.push(deviationIn(request, response));
    }
  }
  return wrong;
}
