import type { UserConfig } from "../../../../server/config/user_config.ts";
import { mcpScopes } from "./enterprise_names.ts";

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
