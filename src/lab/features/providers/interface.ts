import { lazyModule } from "../../../server/util/lazy_module.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";

const { playedProviders } = lazyModule(() => import("./pages/played_providers.tsx"));

export const providerInterface: FeatureInterface = {
  pages: {
    below: ["providers"],
    load: async () => (await import("./pages/provider_pages.tsx")).providerPages,
  },
  homeSection: playedProviders,
};
