import { drillInterface } from "./features/drill/interface.ts";
import { valueInterface } from "./features/values/interface.ts";
import type { Lab } from "./lab.ts";
import type { FeatureInterface } from "./pages/page/feature_interface.ts";

/** What the features of a lab have over HTTP. */
export const featureInterfaces: ReadonlyArray<FeatureInterface<Lab>> = [
  valueInterface,
  drillInterface,
];
