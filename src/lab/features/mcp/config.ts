/** Whether clients of the MCP server may step up. */
export interface McpSetting {
  /**
   * Lets a client that registered for some scopes request others of the lab's MCP server, as
   * official clients do when they step up.
   *
   * @default true
   * @forTests it lets clients ask for more than they registered for
   */
  mcpStepUp?: boolean | undefined;
}
