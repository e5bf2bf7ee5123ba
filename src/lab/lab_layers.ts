import { createDialectLayers } from "./dialect/dialect_layers.ts";
import type { RespondingParts } from "./handling/lab_parts.ts";
import type { RequestLayers } from "./layers/layer.ts";

/** Returns what the parts of a lab do to requests: the first one is nearest to the client. */
export function createLabLayers(
  parts: RespondingParts,
  ofFeatures: readonly RequestLayers[],
): RequestLayers[] {
  return [
    ...ofFeatures,
    createDialectLayers(parts.dialect, parts.recorder),
  ];
}
