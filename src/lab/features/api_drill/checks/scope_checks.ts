import type { CheckTable } from "../../../findings/sentences.ts";
import { nearTexts } from "../../faults/near_misses.ts";
import {
  type ApiCheck,
  type CheckReading,
  isAccepted,
  minted,
  refusing,
  unlessScoped,
} from "../api_check.ts";
import { challengesIn } from "../api_demands.ts";
import { type ApiRequest, type DrilledApi, scopeClaims } from "../drilled_api.ts";
import { must, should } from "./sentences.ts";

const beyond = {
  takes: "a client",
  gain: "A client does what its user did not allow.",
} as const;

/** What an API must do with tokens that do not allow enough. */
export const scopeChecks: CheckTable<ApiCheck> = {
  no_scope: must("apiValidation", {
    title: "A token without a scope must be refused",
    ...beyond,
    fix: "Require the scope of each route; a token that has none allows nothing.",
    leftOut: unlessScoped,
    run: refusing(minted("a token without a scope", () => ({ omit: ["scope", "scp"] }))),
  }),
  small_scope: must("apiValidation", {
    title: "A token without the required scope must be refused",
    ...beyond,
    fix:
      "Split the 'scope' at its spaces, and compare whole names: 'read' is not part of 'reader'.",
    leftOut: unlessScoped,
    run: refusing(async (api) =>
      await Promise.all(smallScopes(api).map((scope) => withScope(api, scope)))
    ),
  }),
  scope_response: should("apiInsufficientScope", {
    kind: "interoperability",
    title: "A token without the required scope should get 403 and insufficient_scope",
    mistake: "Refuses a token without the required scope, but not with 403 and insufficient_scope",
    cases: [{
      when: ["with status 401"],
      gain: "A client takes 401 for an expired token: it refreshes, and tries again without end.",
    }],
    gain: "A client cannot tell that a scope is missing, and asks for no other scope.",
    fix: 'Respond with 403, and WWW-Authenticate: Bearer error="insufficient_scope".',
    leftOut: unlessScoped,
    run: checkResponse,
  }),
};

/** Returns scopes that lack something of the required one. */
function smallScopes({ scope }: DrilledApi): string[] {
  const others = scope.map((each) => scope.filter((other) => other !== each).join(" "));
  const near = scope.flatMap(nearTexts).map(({ value }) => value);
  const unlike = near.filter((each) => !scope.includes(each));
  return ["hallpass-drill", unlike.join(" "), ...others.filter(Boolean)];
}

async function withScope(api: DrilledApi, scope: string): Promise<ApiRequest> {
  return await api.present(
    await api.mint({ claims: scopeClaims(api, scope) }),
    `a token with the scope '${scope}'`,
  );
}

async function checkResponse(api: DrilledApi): Promise<CheckReading> {
  const response = await api.send(await withScope(api, "hallpass-drill"));
  const { status } = response;
  if (isAccepted(response)) {
    return { skipped: "The API accepts a token without the required scope." };
  }
  if (response.isPublic) return { skipped: "The API responds to it as to no token." };
  const isNamed = challengesIn(response)
    .some(({ parameters }) => parameters.error === "insufficient_scope");
  if (status === 403 && isNamed) return {};
  return {
    wrong: [{
      received: `status ${status}${isNamed ? "" : " without insufficient_scope"}`,
      facts: [`with status ${status}`],
    }],
  };
}
