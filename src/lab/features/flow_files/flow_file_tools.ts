/** What a test can do to keep a flow. */
export interface FlowFileTools {
  /**
   * Returns a flow as one HTML file, without secrets: its diagram, what was issued, and every step.
   * It loads nothing, so it can be attached to an issue and opened from a disk.
   *
   * @throws {LabError} There is no such flow.
   */
  exportFlow(id: string): Promise<string>;
}
