import catalogue from "../../../static/rules.json" with { type: "json" };
import type { RuleCatalogue } from "./rule_catalogue.ts";

/**
 * Every rule, as `deno task generate` wrote it. No server needs it: what shows it imports this file
 * when it is asked. TypeScript reads the texts of a JSON file as `string`.
 */
export const ruleCatalogue = catalogue as RuleCatalogue;
