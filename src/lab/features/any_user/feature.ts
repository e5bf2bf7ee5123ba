import type { UserConfig } from "../../../server/config/user_config.ts";
import { type Claims, isServerClaim } from "../../../server/model/claims.ts";
import { isObject, parseJson } from "../../../server/util/text/json.ts";
import type { LabFeature } from "../../feature.ts";
import type { TestState } from "../../handling/opened_feature.ts";
import type { CoreLabConfig } from "../../lab_server/core_lab_config.ts";
import type { LiveServer } from "../../lab_server/live_server.ts";
import { claimsField, type UnknownUsers } from "../../sign_in/unknown_users.ts";
import { LabError } from "../../util/lab_error.ts";
import type { AnyUserSetting } from "./config.ts";

/** How many users a lab admits. Any web page can make it admit some. */
const maxAdmitted = 1000;

/** In characters of JSON. */
const maxClaims = 10_000;

/** Unknown users, whom a sign-in makes known. */
export const anyUser: LabFeature = {
  name: "any_user",
  open({ parts }) {
    const admission = createUserAdmission(() => parts().server);
    return {
      serverHooks: (config: CoreLabConfig & AnyUserSetting) =>
        config.anyUser ? { unknownUsers: admission } : {},
      state: admission,
    };
  },
};

/** Turns every unknown name into a user. */
function createUserAdmission(server: () => LiveServer): UnknownUsers & TestState {
  /** The newest last. */
  let admitted = new Set<string>();

  /** Puts a user, in place of the oldest one if there are too many. */
  function put(user: UserConfig): void {
    const { users } = server();
    users.put(user);
    admitted.delete(user.name);
    admitted.add(user.name);
    const [oldest] = admitted;
    if (admitted.size <= maxAdmitted || oldest === undefined) return;
    admitted.delete(oldest);
    if (users.list().some(({ name }) => name === oldest)) users.remove(oldest);
  }

  return {
    async admit(name, form) {
      const { users, current } = server();
      const text = form?.get(claimsField)?.trim() ?? "";
      const found = users.list().find((each) => each.name === name);
      const isKnown = found || await current().context.records.users.find(name);
      if (isKnown && text === "") return;
      if (isKnown && !admitted.has(name)) {
        throw invalidClaims(`'${name}' is a user of the lab, who has claims already.`);
      }
      put({ ...found, name, claims: readClaims(text) });
    },
    async fields(sent, problem) {
      const { ClaimsField } = await import("./claims_field.tsx");
      const isInvalid = problem?.field === claimsField;
      return ClaimsField({ maxLength: maxClaims, text: sent?.get(claimsField), isInvalid });
    },
    clear: () => admitted.clear(),
    capture() {
      const captured = [...admitted];
      return () => void (admitted = new Set(captured));
    },
  };
}

/** Reads claims, without those that the server sets: they could make a user another one. */
function readClaims(text: string): Claims {
  if (text === "") return {};
  if (text.length > maxClaims) {
    throw invalidClaims(`The claims may have ${maxClaims} characters, and have ${text.length}.`);
  }
  const claims = parseJson(text);
  if (!isObject(claims)) throw invalidClaims("The claims must be a JSON object.");
  const reserved = Object.keys(claims).find(isServerClaim);
  if (reserved === undefined) return claims;
  throw invalidClaims(`The server sets the claim '${reserved}' itself: leave it out.`);
}

function invalidClaims(message: string): LabError {
  return new LabError(message, { field: claimsField });
}
