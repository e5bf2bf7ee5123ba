/** What the subjects of all workloads begin with. No user and no client has such an identifier. */
export const workloadPrefix = "workload:";
