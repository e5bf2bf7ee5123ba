import type { Finding } from "../../findings/finding.ts";

/** A violation that is known, and that fails no build for a time. */
export interface Acknowledgement {
  /** The id of the finding: `"callback.wrong_state"`. */
  id: string;
  /**
   * The only one that it is for: the id of a client, or the URL of an application or an API.
   *
   * @default all
   */
  subject?: string | undefined;
  /** Why it is acceptable for now. */
  reason: string;
  /** The last day, as in `"2027-01-31"`. After it, the finding fails builds again. */
  until: string;
}

/** Marks the findings that are acknowledged on a day. They stay violations, and keep their grades. */
export function markAcknowledged<T extends Finding>(
  findings: readonly T[],
  acknowledged: readonly Acknowledgement[],
  now: number,
): T[] {
  const today = new Date(now).toISOString().slice(0, 10);
  const current = acknowledged.filter(({ until }) => until >= today);
  return findings.map((finding) => {
    const { client, application, api } = finding.where;
    const found = current.find(({ id, subject }) =>
      id === finding.id && [undefined, client, application, api].includes(subject)
    );
    if (!found) return finding;
    return { ...finding, acknowledged: `Acknowledged until ${found.until}: ${found.reason}` };
  });
}
