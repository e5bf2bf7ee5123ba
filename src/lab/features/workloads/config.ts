/** Where workloads get their tokens from a lab. */
export interface WorkloadsSetting {
  /**
   * Plays the metadata services of Azure and Google, the runner of GitHub Actions and the API of
   * Kubernetes, whose tokens the token endpoint takes from the start.
   *
   * @default false
   * @forTests it signs tokens for every program that asks
   */
  workloads?: boolean | WorkloadsConfig | undefined;
}

/** The tokens of workloads. */
export interface WorkloadsConfig {
  /**
   * The audience that tokens need at the token endpoint.
   *
   * @default its URL
   */
  audience?: string | undefined;
  /** Claims in place of the usual ones, by source: `{ github: { ref: "refs/heads/test" } }`. */
  claims?: Record<string, unknown> | undefined;
}
