import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { parseParameters } from "../../src/server/protocol/form_parameters.ts";
import { readPrompt } from "../../src/server/protocol/interactive_request.ts";
import {
  type InteractionState,
  nextStep,
  type SettledProgress,
} from "../../src/server/protocol/next_step.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import { applyRule } from "../../src/server/protocol/rule.ts";

const session = { sid: "s", authTime: 1000, isSufficient: true };

/** The person signed in for this very request. */
const signedIn = { progress: settled("signed-in") };

function settled(
  state: SettledProgress["state"],
  sid = "s",
  before: SettledProgress["before"] = "begun",
): SettledProgress {
  return { state, sid, before };
}

function situation(
  request: Partial<InteractionState["request"]>,
  rest: Partial<InteractionState> = {},
): InteractionState {
  return {
    request: { prompt: [], ...request },
    session,
    matchesRequestedUser: true,
    progress: { state: "begun" },
    consented: true,
    client: { name: "Wiki", groups: undefined },
    user: { name: "ada", claims: {} },
    acrValues: ["one", "two"],
    now: 1100,
    ...rest,
  };
}

describe("nextStep (OpenID Connect Core, section 3.1.2.3)", () => {
  const cases: Record<string, [situation: InteractionState, step: string]> = {
    "the user is not signed in": [situation({}, { session: undefined }), "sign-in"],
    "everything is settled": [situation({}), "respond"],
    "the user has not consented": [situation({}, { consented: false }), "consent"],
    "a new sign-in is requested": [situation({ prompt: ["login"] }), "sign-in"],
    "the new sign-in has happened": [
      situation({ prompt: ["login"] }, { progress: settled("selected") }),
      "respond",
    ],
    "somebody else signed in meanwhile": [
      situation({ prompt: ["login"] }, { progress: settled("selected", "other") }),
      "sign-in",
    ],
    "an account must be selected": [situation({ prompt: ["select_account"] }), "select-account"],
    "the account was chosen": [
      situation({ prompt: ["select_account"] }, { progress: settled("selected") }),
      "respond",
    ],
    "the sign-in is too old": [situation({ maxAge: 99 }), "sign-in"],
    "the sign-in is just recent enough": [situation({ maxAge: 100 }), "respond"],
    "a maximum of 0 requests a new sign-in": [situation({ maxAge: 0 }, { now: 1000 }), "sign-in"],
    "the user wants to sign in as someone else": [
      situation({}, { progress: { state: "switching" } }),
      "sign-in",
    ],
    "the other user has signed in": [
      situation({}, { progress: settled("selected", "s", "switching") }),
      "respond",
    ],
    "any sign-in is too old, but this one is for the request": [
      situation({ maxAge: 0 }, signedIn),
      "respond",
    ],
    "L9: the chosen session is still young enough": [
      situation({ maxAge: 100 }, { progress: settled("selected") }),
      "respond",
    ],
    "L9: the chosen session grew too old at the consent page": [
      situation({ maxAge: 99 }, { progress: settled("selected") }),
      "sign-in",
    ],
    "L9: it grew too old, and nothing was allowed yet": [
      situation({ maxAge: 99 }, { progress: settled("selected"), consented: false }),
      "sign-in",
    ],
    "L9: the sign-in for the request is five minutes old": [
      situation({ maxAge: 1 }, { ...signedIn, now: 1300 }),
      "respond",
    ],
    "L9: the sign-in for the request is older than that and than max_age": [
      situation({ maxAge: 1 }, { ...signedIn, now: 1301 }),
      "sign-in",
    ],
    "L9: the sign-in for the request is younger than max_age": [
      situation({ maxAge: 600 }, { ...signedIn, now: 1600 }),
      "respond",
    ],
    "L9: the sign-in for the request is older than max_age": [
      situation({ maxAge: 600 }, { ...signedIn, now: 1601 }),
      "sign-in",
    ],
    "L9: no max_age was requested": [situation({}, { ...signedIn, now: 9999 }), "respond"],
  };
  for (const [what, [given, step]] of Object.entries(cases)) {
    it(`returns "${step}" when ${what}`, () => {
      assertEquals(nextStep(applyRule, given), step as ReturnType<typeof nextStep>);
    });
  }

  const silent: Record<string, [situation: InteractionState, code: string]> = {
    "the user is not signed in": [
      situation({ prompt: ["none"] }, { session: undefined }),
      "login_required",
    ],
    "the sign-in is too old": [situation({ prompt: ["none"], maxAge: 1 }), "login_required"],
    "the user has not consented": [
      situation({ prompt: ["none"] }, { consented: false }),
      "consent_required",
    ],
  };
  for (const [what, [given, code]] of Object.entries(silent)) {
    it(`O03 refuses with ${code} when ${what} and the prompt is none`, () => {
      assertEquals(
        (assertThrows(() => nextStep(applyRule, given), OAuthError) as OAuthError).code,
        code,
      );
    });
  }
});

describe("readPrompt (OpenID Connect Core, section 3.1.2.1)", () => {
  it("O02 reads several values", () => {
    assertEquals(readPrompt(applyRule, "login consent"), ["login", "consent"]);
  });

  for (const text of ["none login", "login none", "create", "LOGIN", "login  consent"]) {
    it(`O02 refuses '${text}'`, () => {
      assertThrows(() => readPrompt(applyRule, text), OAuthError);
    });
  }
});

describe("parseParameters and readPrompt together", () => {
  it("A05 treat an empty prompt as missing", () => {
    assertEquals(readPrompt(applyRule, parseParameters(applyRule, "prompt=").get("prompt")), []);
  });
});
