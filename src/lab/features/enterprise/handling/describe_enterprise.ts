import type { CoreLab } from "../../../core/core_lab.ts";
import { companyId } from "../../../recording/tenant_client.ts";
import { idJagScopes } from "../../exchange/demo.ts";
import { companyClient, type EnterpriseClient, mcpClient } from "./enterprise_names.ts";
import { enterpriseWalk, type WalkStep } from "./enterprise_walk.ts";

/** An employee of the company, and what its policy allows at the MCP server. */
export interface DescribedEmployee {
  name: string;
  /** The scopes that an ID-JAG may have; without any, none is issued. */
  scopes: readonly string[];
}

/** An enterprise, as the terminal and the home page show it. */
export interface DescribedEnterprise {
  /** The issuer of the company's identity provider. */
  company: string;
  /** The home page of the identity provider. */
  page: string;
  employees: readonly DescribedEmployee[];
  /** The client, by the server that knows it so. */
  clients: { company: EnterpriseClient; mcp: EnterpriseClient };
  /** The way from a sign-in to a call of a tool; empty without an employee who may do that. */
  walk: readonly WalkStep[];
}

/** Describes the enterprise of a lab; undefined if it has none. */
export async function describeEnterprise(lab: CoreLab): Promise<DescribedEnterprise | undefined> {
  if (!lab.settings.config().enterprise || !lab.tenants.ids().includes(companyId)) return undefined;
  const company = lab.tenants.find(companyId);
  const client = company.clients.list().find(({ id }) => id === companyClient.id);
  const policy = client ? idJagScopes(client) : {};
  const employees = company.users.list()
    .map(({ name }) => ({ name, scopes: policy[name] ?? [] }));
  const first = employees.find(({ scopes }) => scopes.length > 0);
  return {
    company: company.issuer,
    page: `${company.context.settings.frontChannelUrl}/`,
    employees,
    clients: { company: companyClient, mcp: mcpClient },
    walk: first ? await enterpriseWalk(lab, first.name) : [],
  };
}
