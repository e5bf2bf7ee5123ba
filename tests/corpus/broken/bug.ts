import type { ApiChange, ApiPlan } from "./open_api.ts";
import type { Change, SitePlan } from "./open_site.ts";

/** What a bug is about: the protocol, what is left of a login, or an API. */
export type BugKind = "protocol" | "session" | "api";

/** One mistake, in an application or an API by hand. */
export interface Bug {
  /** The mistake, as its author would describe it. */
  bug: string;
  kind: BugKind;
  /** The ids of the findings that name it; one that ends with a dot stands for all below it. */
  named: readonly string[];
  /** Where it was published, if it was. */
  source?: string;
}

export interface ApplicationBug extends Bug, SitePlan {
  change: Change;
}

export interface ApiBug extends Bug, ApiPlan {
  kind: "api";
  change: ApiChange;
}

/** Whether a finding has one of these ids; one that ends with a dot or a line stands for all below it. */
export function isNamedBy(id: string, named: readonly string[]): boolean {
  return named.some((each) => each === id || /^$|[._]$/.test(each) && id.startsWith(each));
}
