/** Whether clients of the MCP server may step up. */
export interface McpSetting {
  /**
   * Permits a client that registered for some scopes to request others of the lab's MCP server, as
   * official clients do when they step up. It has no effect on other resources.
   *
   * @default true
   * @forTests it lets clients ask for more than they registered for
   */
  mcpStepUp?: boolean | undefined;
}
