import { lazyModule } from "../../../server/util/lazy_module.ts";
import type { LabFeature } from "../../feature.ts";
import type { GivenLabConfig } from "../../lab_server/core_lab_config.ts";
import { respondInstead } from "../../layers/layer.ts";
import type { PendingExchange } from "../../layers/pending_exchange.ts";
import { demoAssertions } from "../assertions/feature.ts";
import type { WorkloadsSetting } from "./config.ts";
import type { PlayedWorkload } from "./describe_workloads.ts";

const { describeWorkloads } = lazyModule(() => import("./describe_workloads.ts"));
const { respondAtSource } = lazyModule(() => import("./respond_at_source.ts"));

/** What a test can do for programs without users. */
export interface WorkloadTools {
  /**
   * Describes the `workloads` that get tokens from the lab, with the environment variables for
   * their libraries.
   */
  workloads(): Promise<PlayedWorkload[]>;
}

/** Where workloads get their tokens: metadata services, a runner, and the API of a cluster. */
export const workloads: LabFeature<WorkloadTools> = {
  name: "workloads",
  needs: [demoAssertions],
  async loadCompletion(given: GivenLabConfig & WorkloadsSetting) {
    if (!given.workloads) return undefined;
    const { loadSourceKey, withWorkloads } = await import("./trust_workloads.ts");
    const key = await loadSourceKey();
    return (config) => withWorkloads(config, key);
  },
  open({ lab }) {
    const isOn = () => Boolean(lab().settings.config<WorkloadsSetting>().workloads);

    async function respondHere(exchange: PendingExchange): Promise<void> {
      const found = await respondAtSource(lab(), exchange.request, exchange.path);
      if (!found) return;
      respondInstead(exchange, found.response);
      if (found.refusal) exchange.learned.events = [...exchange.learned.events, found.refusal];
    }

    return {
      tools: { workloads: async () => isOn() ? await describeWorkloads(lab()) : [] },
      layers: {
        // Google's clients look for their metadata service at the home page.
        claims: ({ headers }, path) => path === "/" && headers.has("metadata-flavor") && isOn(),
        identify: (exchange) => isOn() && !exchange.isTestRoute ? respondHere(exchange) : undefined,
      },
    };
  },
};
