import type { Change, SitePlan } from "./open_site.ts";

/** What a bug is about: the protocol, or what is left of a login. */
export type BugKind = "protocol" | "session";

/** One mistake in an application by hand. */
export interface Bug extends SitePlan {
  /** The mistake, as its author would describe it. */
  bug: string;
  kind: BugKind;
  /** The ids of the findings that name it; one that ends with a dot stands for all below it. */
  named: readonly string[];
  /** Where it was published, if it was. */
  source?: string;
  change: Change;
}

/** Whether a finding has one of these ids. */
export function isNamedBy(id: string, named: readonly string[]): boolean {
  return named.some((each) => each === id || each.endsWith(".") && id.startsWith(each));
}
