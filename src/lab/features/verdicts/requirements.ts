import table from "../../../../static/requirements.json" with { type: "json" };

/**
 * What an application or an API must do that takes part in a login, or gets tokens: by the standards,
 * whether or not a drill looks at it. TypeScript reads the texts of a JSON file as `string`.
 */
export const requirements: readonly Requirement[] = table.requirements;

/** Returns what no drill of an application, or of an API, sees: a sentence for each requirement. */
export function unseenBy(side: "application" | "api"): string[] {
  return requirements.filter((each) => each.side === side || each.side === "both")
    .flatMap(({ unseen }) => unseen ?? []);
}

/** A requirement of others, in our words. */
export interface Requirement {
  /** Never changes its meaning: `"callback.wrong_state"`. */
  readonly id: string;
  /** What must be so, in one sentence. */
  readonly title: string;
  /** `"application"`, `"api"` or `"both"`. */
  readonly side: string;
  /** Who could send what breaks it, the worst: one of `senders`. */
  readonly sender: string;
  /** How far it is checked: one of `states`. */
  readonly state: string;
  /** Its sections, or other ids, by the standard. */
  readonly sources: object;
  /** The ids of what looks at it. */
  readonly checks?: RequirementChecks;
  /** What a drill would have to be given. */
  readonly needs?: string;
  /** What no drill sees, in one sentence. */
  readonly unseen?: string;
}

/** The ids of what looks at a requirement: in either drill, in the report, and in the server. */
type RequirementChecks = Partial<
  Record<"application" | "api" | "report" | "rules", readonly string[]>
>;
