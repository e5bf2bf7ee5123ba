import type { CoreLab } from "../core/core_lab.ts";
import { type Operation, operation } from "../core/operation.ts";

/** A rule that the server checks requests by, and what recorded requests did with it. */
export interface ListedRule {
  /** Its id, which log, report and tests name: `"dpop.htm"`. */
  id: string;
  /** What a request must do, as a sentence. */
  title: string;
  /** The parameter that it is about. */
  parameter?: string | undefined;
  /** The error code of a request that breaks it. */
  error: string;
  /** What to do, if the title does not say it. */
  fix?: string | undefined;
  /** The section that it is from. */
  see: string;
  /** The endpoints and grants that apply it. */
  places: string[];
  /** How many recorded requests passed it. */
  passed: number;
  /** How many recorded requests broke it. */
  failed: number;
}

export const ruleOperation: Operation = operation("GET /rules", {
  name: "list-rules",
  summary: "Lists the rules of the server, with how many recorded requests passed and broke each.",
  kind: "list",
  returns: "ListedRule[]",
  page: {
    title: "Rules",
    about: "A request is refused because of the first rule that it breaks. The log, the report " +
      "and assertClean name it by its id.",
    hint: "redirect_uri, nonce, invalid_grant",
    key: "id",
    groupOf: ({ id }: ListedRule) => id.split(".", 1).join(),
    columns: {
      Rule: "title",
      Passed: "passed",
      Failed: "failed",
      Fix: "fix",
      Error: "error",
      Parameter: "parameter",
      Section: "see",
      "Applied at": "places",
    },
  },
  run: listRules,
});

/** Lists every rule, in the order of the catalogue. */
export async function listRules(lab: CoreLab): Promise<ListedRule[]> {
  const { ruleCatalogue: { rules, places } } = await import("../util/rule_catalogue.ts");
  const counts = new Map<string, { passed: number; failed: number }>();
  for (const { rule, passed } of lab.exchanges().flatMap((exchange) => exchange.rules)) {
    const count = counts.get(rule.id) ?? { passed: 0, failed: 0 };
    count[passed ? "passed" : "failed"]++;
    counts.set(rule.id, count);
  }
  return rules.map(({ id, title, parameter, error, fix, see }) => ({
    ...{ id, title, parameter, error, fix, see },
    places: places.filter((place) => place.rules.includes(id)).map(({ name }) => name),
    ...counts.get(id) ?? { passed: 0, failed: 0 },
  }));
}
