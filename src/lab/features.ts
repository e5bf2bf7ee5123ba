import { drill } from "./features/drill/feature.ts";

/** The features of a lab, in the order in which they open. */
export const features = [
  drill,
] as const;
