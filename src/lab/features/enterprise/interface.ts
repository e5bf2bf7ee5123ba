import { lazyModule } from "../../../server/util/lazy_module.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";

const { enterpriseSection } = lazyModule(() => import("./pages/enterprise_section.tsx"));

export const enterpriseInterface: FeatureInterface = { homeSection: enterpriseSection };
