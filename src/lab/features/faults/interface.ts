import type { CoreLab } from "../../core/core_lab.ts";
import { type Operation, operation } from "../../core/operation.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import type { FaultPlace } from "../../responses/places.ts";
import { unknownName } from "../../util/lab_error.ts";
import { breakOperation } from "./break_operation.ts";
import { catalogue } from "./catalogue.ts";
import type { FaultOptions } from "./config.ts";
import type { QueuedResponse } from "./fault.ts";
import type { FaultTools } from "./feature.ts";
import { activeBar } from "./pages/active_bar.tsx";

/** A fault that can be added. */
export interface CatalogueEntry {
  /** The name: `"token.server_error"`. */
  name: string;
  /** What a client experiences, in one sentence. */
  what: string;
}

/** A response, and the endpoint that sends it. */
export interface QueueCall extends QueuedResponse {
  /** The endpoint. */
  at: FaultPlace;
}

const faultOperations: ReadonlyArray<Operation<FaultTools>> = [
  operation("POST /faults", {
    name: "add-fault",
    summary: "Makes the lab misbehave.",
    body: { name: "FaultOptions" },
    values: { name: () => [...catalogue.keys()] },
    example: { body: { name: "id_token.wrong_nonce", times: 1 } },
    returns: "Fault",
    run: (lab, { body }) => lab.faults.add(body as unknown as FaultOptions),
  }),
  operation("GET /faults", {
    name: "list-faults",
    summary: "Lists the faults that were added, and how often each one fired.",
    kind: "list",
    returns: "Fault[]",
    run: (lab) => lab.faults.list(),
  }),
  operation("DELETE /faults", {
    name: "clear-faults",
    summary: "Removes all faults.",
    run: (lab) => lab.faults.clear(),
  }),
  operation("GET /faults/catalogue", {
    name: "list-fault-kinds",
    summary: "Lists every fault that can be added.",
    kind: "list",
    returns: "CatalogueEntry[]",
    run: () =>
      [...catalogue].map(([name, { summary }]): CatalogueEntry => ({ name, what: summary })),
  }),
  operation("GET /faults/:id", {
    name: "show-fault",
    example: { segment: "fault-1" },
    summary: "Returns one fault, and how often it fired.",
    returns: "Fault",
    run(lab, { segment: id }) {
      const faults = lab.faults.list();
      const fault = faults.find((each) => each.id === id);
      if (!fault) throw unknownName("fault", id, faults.map((each) => each.id));
      return fault;
    },
  }),
  operation("DELETE /faults/:id", {
    name: "remove-fault",
    example: { segment: "fault-1" },
    summary: "Removes one fault.",
    run: (lab, { segment }) => lab.faults.remove(segment),
  }),
  operation("POST /responses", {
    name: "queue-response",
    summary: "Queues a response, sent instead of the server's.",
    body: { name: "QueueCall" },
    example: { body: { at: "userinfo", status: 503 } },
    returns: "Fault",
    run(lab, { body }) {
      const { at, ...response } = body as unknown as QueueCall;
      return lab.next(at, response);
    },
  }),
  breakOperation,
];

export const faultInterface: FeatureInterface<FaultTools> = {
  operations: faultOperations,
  pages: {
    below: ["faults"],
    load: async () => (await import("./pages/fault_pages.tsx")).faultPages,
  },
  area: {
    name: "faults",
    label: "Break",
    before: "tokens",
    count: ({ faults }) => faults.list().length,
  },
  additions: {
    // Every lab has its features.
    "every page": (_base, back, lab, page) =>
      activeBar((lab as CoreLab & FaultTools).faults.list(), page, back),
  },
};
