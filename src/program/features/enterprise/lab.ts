import type { EnterpriseSetting } from "../../../lab/features/enterprise/config.ts";
import type { DescribedEnterprise } from "../../../lab/features/enterprise/handling/describe_enterprise.ts";
import type { Lab } from "../../../lab/lab.ts";
import { type Entry, labeled, linked, listed } from "../../operate/greeting_lines.ts";
import type { Colors } from "../../terminal/color.ts";
import { printable } from "../../terminal/printable.ts";

/** How many employees are listed. */
const maxListed = 12;

/** Returns what a greeting says about the enterprise of a lab; nothing without one. */
export async function enterpriseLines(lab: Lab, colors: Colors): Promise<string[]> {
  if (!lab.settings.config<EnterpriseSetting>().enterprise) return [];
  const { describeEnterprise } = await import(
    "../../../lab/features/enterprise/handling/describe_enterprise.ts"
  );
  const enterprise = await describeEnterprise(lab);
  if (!enterprise) return [];
  return ["", ...partyLines(enterprise, colors), ...walkLines(enterprise)];
}

function partyLines(
  { company, employees, clients }: DescribedEnterprise,
  colors: Colors,
): string[] {
  const policy = employees.slice(0, maxListed).map(({ name, scopes }): Entry => [
    name,
    scopes.length > 0 ? `may ${scopes.join(" and ")}` : "gets no ID-JAG",
  ]);
  const accounts: Entry[] = [
    [clients.company.id, `secret ${clients.company.secret}, at the company`],
    [clients.mcp.id, `secret ${clients.mcp.secret}, at the issuer of this lab`],
  ];
  return [
    linked("Company", company, colors),
    labeled("", "its identity provider, whose ID-JAGs the issuer of this lab redeems", colors),
    ...listed("Employees", policy, colors),
    ...listed("Agent", accounts, colors),
  ];
}

/** The lines are for a shell, one after the other. */
function walkLines({ walk }: DescribedEnterprise): string[] {
  if (walk.length === 0) return [];
  return [
    "",
    "  From a sign-in to a tool, line by line:",
    ...walk.flatMap(({ title, command }) => [`    # ${printable(title)}`, `    ${command}`]),
  ];
}

/** Programs point their client at the identity provider of the company as well. */
export function companyFacts({ settings, tenants }: Lab): { company?: string } {
  if (!settings.config<EnterpriseSetting>().enterprise || !tenants.ids().includes("company")) {
    return {};
  }
  return { company: tenants.find("company").issuer };
}
