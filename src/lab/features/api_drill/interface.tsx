/** @jsxImportSource preact */
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import type { ApiDrillInternals, ApiDrillTools } from "./api_drill_tools.ts";

/** The page that drills an API. `POST /drill` is the operation of the drill. */
export const apiDrillInterface: FeatureInterface<ApiDrillTools & ApiDrillInternals> = {
  pages: {
    below: ["drill"],
    load: async () => (await import("./pages/api_drill_page.tsx")).apiDrillPages,
  },
  additions: {
    "actions on the drill": (base) => (
      <a class="button secondary small" href={`${base}/lab/drill/api`}>Drill an API</a>
    ),
  },
};
