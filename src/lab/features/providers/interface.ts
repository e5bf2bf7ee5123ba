import { lazyModule } from "../../../server/util/lazy_module.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { providerOperation } from "./describe_provider.ts";

const { playedProviders } = lazyModule(() => import("./pages/played_providers.tsx"));

export const providerInterface: FeatureInterface = {
  operations: [providerOperation],
  homeSection: playedProviders,
};
