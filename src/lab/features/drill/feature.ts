import { ofTenant } from "../../core/core_lab.ts";
import type { GradedApplication } from "../../core/remarks.ts";
import type { LabFeature } from "../../feature.ts";
import type { CoreLabConfig } from "../../lab_server/core_lab_config.ts";
import type { PendingExchange } from "../../layers/pending_exchange.ts";
import { faults, type FaultTools } from "../faults/feature.ts";
import { type VerdictInternals, verdicts } from "../verdicts/feature.ts";
import type { DrillLogin, DrillProgress, DrillResult, McpDrillOptions } from "./drill_result.ts";
import { createDrills } from "./drills.ts";
import type { DrillName } from "./select_tries.ts";

/** What a test can do with drills. */
export interface DrillTools {
  /**
   * Repeats a login under each hostile or unusual variant, and returns those that your application
   * handles wrongly. The login is a function that rejects, or resolves to `false`, if the user is
   * not signed in; or a browser of the lab visits your application, and looks at its session as
   * well: `{ start: "http://localhost:3000/login" }`. `only` selects faults, and checks of the
   * session by their ids.
   *
   * @throws {LabError} The login fails even without a fault, so that the drill would prove nothing.
   */
  drill(login: DrillLogin, only?: readonly DrillName[]): Promise<DrillResult>;
  /**
   * Drills a client of the lab's MCP server. `connect` begins without tokens, and resolves if a
   * tool call succeeded; or it is an application that calls a tool once its user has signed in.
   * `tenant` names the one that misbehaves, such as the identity provider of an enterprise, whose
   * ID-JAGs go wrong as well.
   *
   * @throws {LabError} It fails even without a fault, so that the drill would prove nothing.
   */
  drillMcp(
    connect: DrillLogin,
    only?: readonly DrillName[],
    options?: McpDrillOptions,
  ): Promise<DrillResult>;
}

/** What the pages and the interface over HTTP need besides it. */
export interface DrillInternals {
  /** Returns the progress of the current drill, or the last result. */
  drillProgress(): DrillProgress;
  /** Returns the same of an earlier drill, by the number that its requests have in the record. */
  findDrill(number: number): DrillProgress | undefined;
  /** Stops the current drill before its next login, and keeps what it found. */
  stopDrill(): void;
}

/** Repeats the login of an application, each time with something that is wrong or unusual. */
export const drill: LabFeature<DrillTools, DrillInternals, FaultTools & VerdictInternals> = {
  name: "drill",
  needs: [faults, verdicts],
  open({ lab, parts }) {
    let applications: readonly GradedApplication[] = [];
    const drills = createDrills(lab, {
      mark: (findings) => lab().markAcknowledged(findings),
      wait: (milliseconds) => parts().waits.wait(milliseconds),
      origins: () => lab().drilledOrigins(),
      traits: () => parts().config<CoreLabConfig>().dialect?.traits ?? [],
      onResult: (add) => void (applications = add(applications)),
      onProgress: ({ state, total, outcomes }) =>
        parts().events.emitLabEvent({
          type: "drill.advanced",
          state,
          total,
          done: outcomes.length,
        }),
    });
    async function label(exchange: PendingExchange, drill: number): Promise<void> {
      const { labels, request, findFlow } = exchange;
      const client = request.client ?? (await findFlow())?.client;
      if (drills.isOf(client)) Object.assign(labels, { drill, isProvoked: true });
    }

    const own: DrillTools = { drill: drills.run, drillMcp: drills.runMcp };
    return {
      tools: {
        ...own,
        // A tenant runs its own drills, with its own faults.
        drillMcp: (connect, only, { tenant } = {}) =>
          ofTenant(tenant, own, lab().tenants).drillMcp(connect, only),
      },
      internals: {
        drillProgress: drills.progress,
        findDrill: drills.find,
        stopDrill: drills.stop,
      },
      layers: {
        identify(exchange) {
          const drill = drills.provoking();
          return drill === undefined ? undefined : label(exchange, drill);
        },
      },
      remarks: () => ({ applications }),
      state: {
        clear() {
          drills.clear();
          applications = [];
        },
      },
    };
  },
};
