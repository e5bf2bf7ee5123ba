import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { connectSection } from "./connect_section.tsx";

/** What the home page shows to people who write an application. */
export const connectInterface: FeatureInterface = {
  additions: {
    "an application to connect": (base, _name, lab) => connectSection(base, lab),
  },
};
