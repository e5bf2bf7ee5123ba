import { catalogue } from "../../faults/catalogue.ts";
import type { DrillVariant } from "./drill_variant.ts";

/** The mistakes that the text of a fault does not name: it is about how the fault works. */
const mistakes: Readonly<Record<string, string>> = {
  "callback.denied": "Signs in a user who denied the request",
  "callback.foreign_code": "Accepts a code from another session",
  "callback.other_redirect_uri": "Accepts a callback at the redirect URI of another connection",
  "callback.fixated_session": "Completes a login that another session began",
  "metadata.foreign_token_endpoint": "Signs an assertion that another server can use",
  "id_token.wrong_sub": "Puts claims of another user beside the ID token",
  "userinfo.wrong_sub": "Takes the userinfo of another user",
  "token.malformed_json": "Accepts a token response whose JSON ends too early",
  "token.held": "Signs in nobody when two tabs sign in at once",
  "refresh.held": "Ends the session when two tabs refresh at once",
  "token.lost": "Locks a user out after a token response that was lost",
  "refresh.lost": "Locks a user out after a refresh that was lost",
  "refresh.invalid_grant": "Goes on after a refresh that was refused",
  "refresh.not_rotated": "Fails if a refresh token is not replaced",
  "register.forgotten": "Does not register again after the server has forgotten it",
  "register.application_type": "Does not register as a native application",
  "mcp.endless_step_up": "Asks the user again and again",
  "mcp.unlisted_scope": "Does not ask for the scope of a challenge",
};

/** "The ID token of a refresh names a different issuer." */
const sentence = /^The (.+?) ((?:is|has|names|was|expired|lists|does)\b.*)\.$/s;

/** Names what an application does wrong that handles a variant wrongly, in a few words. */
export function mistakeOf({ fault, expectation }: DrillVariant): string {
  const summary = catalogue.get(fault)?.summary ?? fault;
  const known = mistakes[fault];
  if (known !== undefined) return known;
  const [, noun, rest] = sentence.exec(summary) ?? [];
  if (noun === undefined || rest === undefined || expectation === "either") return summary;
  const verb = expectation === "accept" ? "Refuses" : "Accepts";
  return `${verb} ${withArticle(noun)} that ${rest}`;
}

function withArticle(noun: string): string {
  if (noun.startsWith("metadata")) return noun;
  return /^[AEIOU]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}
