/** Where a workload gets its tokens. */
export type WorkloadSource = "azure" | "google" | "github" | "kubernetes";

/** The paths of each source. Faults need them at once, and not all that is known about sources. */
export const sourcePaths: Readonly<Record<WorkloadSource, RegExp>> = {
  azure: /^\/(metadata\/identity\/oauth2\/token|msi\/token)\/?$/,
  google: /^\/(computeMetadata\/.*)?$/,
  github: /^\/workloads\/github\/idtoken$/,
  kubernetes: /^\/api\/v1\/namespaces\/[^/]+\/serviceaccounts\/[^/]+\/token$/,
};

export const sourceNames: Readonly<Record<WorkloadSource, string>> = {
  azure: "metadata service of Azure",
  google: "metadata server of Google",
  github: "runner of GitHub Actions",
  kubernetes: "API of Kubernetes",
};
