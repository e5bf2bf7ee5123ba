/** Whether clients of the MCP server may step up. */
export interface McpSetting {
  /**
   * Whether a client that registered for some scopes may ask for others of the lab's MCP server, as
   * official clients do that step up. For any other resource it may not.
   *
   * @default true
   * @forTests it lets clients ask for more than they registered for
   */
  mcpStepUp?: boolean | undefined;
}
