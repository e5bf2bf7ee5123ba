/** @jsxImportSource preact */
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { drillOperations } from "./drill_operations.ts";
import type { DrillInternals, DrillTools } from "./feature.ts";

/** The operations and the page of the drill. */
export const drillInterface: FeatureInterface<DrillTools & DrillInternals> = {
  operations: drillOperations,
  groups: [{ name: "drill", title: "Drill", before: "events" }],
  pages: {
    below: ["drill"],
    load: async () => (await import("./pages/drill_pages.tsx")).drillPages,
  },
  area: { name: "drill", label: "Drill", before: "faults" },
  additions: {
    "what faults are for": (base) => (
      <>
        A <a href={`${base}/lab/drill`}>drill</a> tries those of a login on your application.
      </>
    ),
    "actions on the report": (base) => (
      <a class="button secondary small" href={`${base}/lab/drill`}>Drill an application</a>
    ),
    "a client without findings": () => (
      <>Is it as careful when a server is hostile? A drill shows it.</>
    ),
  },
};
