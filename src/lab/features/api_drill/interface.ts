import type { CoreLab } from "../../core/core_lab.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import type { ApiDrillInternals, ApiDrillTools } from "./api_drill_tools.ts";
import { apiDrillLink, apiDrillPages, apiDrillSection } from "./pages/api_drill_section.tsx";

/** What the page of the drill has about APIs. `POST /drill` is the operation of the drill. */
export const apiDrillInterface: FeatureInterface<ApiDrillTools> = {
  pages: apiDrillPages,
  additions: {
    "actions on the drill": apiDrillLink,
    // Every lab has its features.
    "another drill": (_base, _name, lab, page) =>
      apiDrillSection(lab as CoreLab & ApiDrillInternals, page),
  },
};
