import fc, { type Arbitrary } from "fast-check";
import { day, hour } from "../../../../src/server/util/time/duration.ts";
import { anyPair, type Pair } from "../generators/forms.ts";
import { anyText, type TextEdit, textEdit } from "../generators/texts.ts";
import { requests, type StepName } from "./requests.ts";

const actions = ["drop", "set", "repeat", "edit", "swap"] as const;

/** The credentials that a step can have from earlier ones, by name. */
export const credentialNames = [
  ...["code", "access_token", "refresh_token", "id_token", "device_code", "user_code"],
  ...["auth_req_id", "request"],
  ...["request_uri", "registration_access_token", "client_id", "form_token"],
] as const;

/** What is wrong with one parameter of a step. */
export interface ParameterEdit {
  action: typeof actions[number];
  /** Which of the parameters of the request it is about. */
  at: number;
  /** What is set. */
  pair: Pair;
  edit: TextEdit;
  /** Whose value is put in its place. */
  credential: typeof credentialNames[number];
}

/** One request of a flow, and what is wrong with it. */
export interface Step {
  name: StepName;
  edits: ParameterEdit[];
  /** Changes of the encoded query or body. */
  textEdits: TextEdit[];
  /** A header that is added or replaced. */
  header?: Pair | undefined;
  pathEdits: TextEdit[];
  method?: string | undefined;
  /** How long the client waits before it, in seconds. */
  wait?: number | undefined;
}

const parameterEdit: Arbitrary<ParameterEdit> = fc.record({
  action: fc.constantFrom(...actions),
  at: fc.nat(12),
  pair: anyPair,
  edit: textEdit,
  credential: fc.constantFrom(...credentialNames),
});

const headerNames = [
  ...["Authorization", "Content-Type", "Cookie", "Accept", "Accept-Language", "Origin", "Host"],
  ...["DPoP", "X-Forwarded-For", "X-Forwarded-Host", "Sec-Fetch-Site", "If-None-Match", "Range"],
];

/** As long as something lives, and a moment more. */
const waits = [1, 6, 61, 301, 601, hour + 1, 31 * day];

const methods = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"];

const anyHeader = fc.tuple(fc.constantFrom(...headerNames), anyText);

/** A step of a flow. Most have nothing wrong, so that flows come far. */
export const anyStep: Arbitrary<Step> = fc.record({
  name: fc.constantFrom(...Object.keys(requests) as StepName[]),
  edits: sometimes(parameterEdit, 2),
  textEdits: sometimes(textEdit, 1),
  header: rarely(anyHeader),
  pathEdits: sometimes(textEdit, 1),
  method: rarely(fc.constantFrom(...methods)),
  wait: rarely(fc.constantFrom(...waits)),
});

function rarely<T>(arbitrary: Arbitrary<T>): Arbitrary<T | undefined> {
  return fc.oneof({ arbitrary: fc.constant(undefined), weight: 7 }, { arbitrary, weight: 1 });
}

function sometimes<T>(arbitrary: Arbitrary<T>, maxLength: number): Arbitrary<T[]> {
  return fc.oneof(
    { arbitrary: fc.constant<T[]>([]), weight: 4 },
    { arbitrary: fc.array(arbitrary, { minLength: 1, maxLength }), weight: 1 },
  );
}

const accountOfStoredUser = ["account", "signInToAccount"] as const;

/** Beginnings of flows, which the steps after them may disturb. */
export const beginnings: ReadonlyArray<readonly StepName[]> = [
  [],
  ["authorize", "submit", "submit"],
  ["authorize", "submit", "submit", "redeem"],
  ["authorize", "submit", "submit", "redeem", "refresh", "userinfo"],
  ["push", "authorizePushed", "submit", "submit", "redeemPushed"],
  ["authorizeDevice", "typeUserCode", "submit", "submit", "submit", "poll"],
  ["askUser", ...accountOfStoredUser, "reviewRequest", "submit", "pollForUser"],
  ["register", "authorizeRegistered", "submit", "submit", "redeemRegistered"],
  ["service", "exchange"],
  ["authorize", "submit", "submit", "redeem", "account", "logout"],
  ["authorize", "submit", "submit", "authorizeBySelection", "submit"],
  ["authorize", "submit", "submit", "redeem", "userinfoByPost", "account", "removeAccess"],
  ["register", "showRegistration", "changeRegistration", "endRegistration"],
  ["account", "submit", "logoutByPost", "submit"],
  [...accountOfStoredUser, "accountInNewBrowser", "signInToAccount", "endSession"],
  [...accountOfStoredUser, "accountInNewBrowser", "signInToAccount", "endOtherSessions"],
  [...accountOfStoredUser, "showPasswordForm", "changePassword", "home", "signOut"],
];

/** A flow: a beginning that is in order, and steps of which some are not. */
export const anyFlow: Arbitrary<Step[]> = fc.tuple(
  fc.constantFrom(...beginnings),
  fc.array(anyStep, { maxLength: 8 }),
).map(([names, steps]) => [...names.map(plainStep), ...steps]);

/** Returns a step that has nothing wrong. */
export function plainStep(name: StepName): Step {
  return { name, edits: [], textEdits: [], pathEdits: [] };
}
