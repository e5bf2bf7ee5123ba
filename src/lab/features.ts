import { drill } from "./features/drill/feature.ts";
import { values } from "./features/values/feature.ts";

/** The features of a lab, in the order in which they open. */
export const features = [
  values,
  drill,
] as const;
