import type { Check, Finding } from "../../findings/finding.ts";
import type { CheckGroup } from "../../findings/junit.ts";
import { isSameClient, nameOfClient, type TenantClient } from "../../recording/tenant_client.ts";
import { groupBy } from "../../util/group_by.ts";
import { notReached, type Report, rules } from "./report.ts";

const noClient = "requests that name no client";

/** A lab that no client talked to has tested nothing, which must not look like a success. */
export const notReachedFinding: Finding = {
  id: "not-reached",
  title: notReached,
  level: "violation",
  fix: "Configure the application with the issuer of the lab, and run its tests.",
  where: {},
};

const silent: CheckGroup = {
  name: "hallpass",
  checks: [{
    id: "reached",
    title: "A client sends a request to the lab.",
    findings: [notReachedFinding],
  }],
};

/** Returns a group of checks for each client: one for each rule, and one for refused requests. */
export function checksOf({ reached, clients, findings, refused, earlier }: Report): CheckGroup[] {
  if (!reached) return [silent];
  const all = [...findings, ...refused, ...earlier];
  const others = all.filter(({ where }) => !clients.some((client) => isSameClient(client, where)));
  const about: TenantClient[] = [
    ...clients,
    ...groupBy(others, ({ where }) => nameOfClient({ client: noClient, ...where }) ?? "")
      .map(([{ where: { client, tenant } }]) => ({ client, tenant })),
  ];
  return (about.length > 0 ? about : [{}]).map((each) => ({
    name: nameOfClient({ client: noClient, ...each }) ?? "",
    checks: checksIn(all.filter(({ where }) => isSameClient(where, each))),
  }));
}

function checksIn(findings: readonly Finding[]): Check[] {
  const refused = findings.filter(({ level }) => level === "refused");
  return [
    ...rules.map(({ id, title }) => ({
      ...{ id, title },
      findings: findings.filter((each) => each.id === id),
    })),
    { id: "refused-request", title: "The server accepts each request.", findings: refused },
  ];
}
