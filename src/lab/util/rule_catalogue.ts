import catalogue from "../../../static/rules.json" with { type: "json" };
import type { ErrorCode, RuleSummary } from "../../server/protocol/oauth_error.ts";

/**
 * Every rule, as `deno task generate` wrote it. No server needs it: what shows it imports this file
 * when it is asked. TypeScript reads the texts of a JSON file as `string`.
 */
export const ruleCatalogue = catalogue as RuleCatalogue;

/** Every rule, and where each is applied. */
export interface RuleCatalogue {
  readonly rules: readonly CataloguedRule[];
  readonly places: readonly RulePlace[];
}

/** A rule, as docs and pages describe it. */
export interface CataloguedRule extends RuleSummary {
  /** The error code of a request that breaks it. */
  readonly error: ErrorCode;
  /**
   * The `error_description`, if it is the same for every request, and not the title with a full stop.
   */
  readonly message?: string | undefined;
  /**
   * The file with the request that breaks it, from `tests/support/broken_rules/`. A project without
   * a feature lacks the requests that only its clients can send.
   */
  readonly test?: string | undefined;
}

/** An endpoint, or a grant at the token endpoint. */
export interface RulePlace {
  /** `"POST /oauth2/token"`, and of a grant `"POST /oauth2/token, refresh_token"`. */
  readonly name: string;
  /** The ids of its rules, in the order in which they are applied. */
  readonly rules: readonly string[];
}
