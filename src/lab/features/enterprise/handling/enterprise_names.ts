/** A client, as one of the two servers knows it. */
export interface EnterpriseClient {
  id: string;
  secret: string;
}

/** The client at the identity provider. */
export const companyClient: EnterpriseClient = { id: "agent", secret: "agent-secret" };

/** The same client at the authorization server of the MCP server. */
export const mcpClient: EnterpriseClient = { id: "agent-at-mcp", secret: "agent-at-mcp-secret" };

/** The scopes of the MCP server. */
export const mcpScopes: readonly string[] = ["read", "write"];
