/** @jsxImportSource preact */
import { operation } from "../../core/operation.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { CodeBlock } from "../../pages/parts/copy_text.tsx";
import { Section } from "../../pages/parts/section.tsx";
import type { WorkloadsSetting } from "./config.ts";
import { environmentLines } from "./environment_lines.ts";
import type { WorkloadTools } from "./feature.ts";

/** The operation that lists workloads, and what the home page says about them. */
export const workloadInterface: FeatureInterface<WorkloadTools> = {
  operations: [operation("GET /workloads", {
    name: "list-workloads",
    summary: "Lists the workloads that get tokens here, with their environment variables.",
    kind: "list",
    returns: "PlayedWorkload[]",
    run: (lab) => lab.workloads(),
  })],
  async homeSection(lab) {
    if (!lab.settings.config<WorkloadsSetting>().workloads) return undefined;
    const { describeWorkloads } = await import("./describe_workloads.ts");
    return (
      <Section title="Workloads" id="workloads">
        <p class="help">
          These variables lead libraries of Azure, Google, GitHub Actions and Kubernetes to this
          lab. Its token endpoint takes their tokens.
        </p>
        <CodeBlock
          what="environment variables"
          text={environmentLines(describeWorkloads(lab)).join("\n")}
        />
      </Section>
    );
  },
};
