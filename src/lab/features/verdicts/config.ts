import type { ReportProblem } from "../../../server/config/problems.ts";
import { isWebOrigin } from "../../../server/util/addresses/uri.ts";
import type { Finding } from "../../findings/finding.ts";
import type { SettingsUnderCheck } from "../../lab_server/check_lab_settings.ts";

/** What a drill may reach, and which of its findings are known. */
export interface DrillSetting {
  /**
   * The origins of applications that a drill may visit, besides those on this machine:
   * `"http://app:3000"`.
   *
   * @default none
   * @forTests it drills applications
   * @notOverHttp what a lab may reach is set at its start
   * @inherited by tenants
   */
  drillOrigins?: readonly string[] | undefined;
  /**
   * Known findings of drills and of the report, which fail no build until their last day.
   *
   * @default none
   * @forTests it lets findings of drills pass for a time
   * @inherited by tenants
   */
  acknowledged?: readonly Acknowledgement[] | undefined;
}

/** Reports what is no origin, and what is no day. */
export function checkDrillSetting(
  { drillOrigins = [], acknowledged = [] }: SettingsUnderCheck & DrillSetting,
  report: ReportProblem,
): void {
  for (const [at, { until }] of acknowledged.entries()) {
    const isDay = /^\d{4}-\d\d-\d\d$/.test(until) && !Number.isNaN(Date.parse(until));
    if (!isDay) report(`acknowledged[${at}].until`, `is '${until}'; a day is like 2027-01-31`);
  }
  for (const origin of drillOrigins.filter((each) => !isWebOrigin(each))) {
    report("drillOrigins", `contains '${origin}'; an origin is like http://app:3000`);
  }
}

/** A mistake that is known, and that fails no build for a time. */
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

/** Marks the findings that are acknowledged on a day. They keep their grades. */
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
