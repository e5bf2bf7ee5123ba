import { findingsOfDrills } from "../../core/remarks.ts";
import { type Finding, isFailure } from "../../findings/finding.ts";
import { nameOfClient } from "../../recording/tenant_client.ts";
import { unknownName } from "../../util/lab_error.ts";
import type { Report } from "./report.ts";

/** Returns the part of a report that is about one client, by the name that readers see. */
export function reportOfClient(report: Report, name: string): Report {
  const clients = report.clients.filter((each) => nameOfClient(each) === name);
  if (clients.length === 0) {
    const known = report.clients.flatMap((each) => nameOfClient(each) ?? []);
    throw unknownName("client in the report", name, known);
  }
  const isOwn = ({ where }: Finding) => nameOfClient(where) === name;
  const findings = report.findings.filter(isOwn);
  const applications = report.applications.filter((each) => nameOfClient(each) === name);
  return {
    ...report,
    clean: ![...findings, ...findingsOfDrills({ apis: [], applications })]
      .some((each) => isFailure(each)),
    clients,
    findings,
    refused: report.refused.filter(isOwn),
    refusedByFault: report.refusedByFault.filter(isOwn),
    earlier: report.earlier.filter(isOwn),
    apis: [],
    applications,
  };
}
