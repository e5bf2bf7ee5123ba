import type { UserConfig } from "../../../../server/config/user_config.ts";

/** A client, as one of the two servers knows it. */
export interface EnterpriseClient {
  id: string;
  secret: string;
}

/** The client at the identity provider. */
export const companyClient: EnterpriseClient = { id: "agent", secret: "agent-secret" };

/** The same client at the authorization server of the MCP server. */
export const mcpClient: EnterpriseClient = { id: "agent-at-mcp", secret: "agent-at-mcp-secret" };

export const mcpScopes: readonly string[] = ["read", "write"];

/**
 * Returns what the company lets its employees do at the MCP server, by their names. Their groups
 * decide: `admins` may read and write, `staff` may read, and all others may do nothing. An employee
 * without the claim `groups` may read and write.
 */
export function enterprisePolicy(employees: readonly UserConfig[]): Record<string, string[]> {
  return Object.fromEntries(
    employees.map((employee) => [employee.name, scopesOf(employee)] as const)
      .filter(([, scopes]) => scopes.length > 0),
  );
}

function scopesOf({ claims: { groups } = {} }: UserConfig): string[] {
  if (!Array.isArray(groups) || groups.includes("admins")) return [...mcpScopes];
  return groups.includes("staff") ? ["read"] : [];
}
