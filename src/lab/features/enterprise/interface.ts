import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { enterpriseSection } from "./pages/enterprise_section.tsx";

/** What the home page shows of an enterprise. */
export const enterpriseInterface: FeatureInterface = { homeSection: enterpriseSection };
