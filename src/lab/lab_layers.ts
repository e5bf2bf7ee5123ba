import { createDialectLayers } from "./dialect/dialect_layers.ts";
import { createFaultLayers } from "./faults/fault_layers.ts";
import type { LabParts } from "./handling/lab_parts.ts";
import { createHookLayers } from "./hooks/hook_layers.ts";
import type { RequestLayers } from "./layers/layer.ts";
import { createAnyClientLayers } from "./leniencies/any_client.ts";
import { createAnyScopeLayers } from "./leniencies/any_scope.ts";
import { createRedirectStatusLayers } from "./leniencies/redirect_status.ts";
import { createValueLayers } from "./values/value_layers.ts";

/** Returns what the parts of a lab do to requests: the first one is nearest to the client. */
export function createLabLayers(parts: LabParts, mcp: RequestLayers): RequestLayers[] {
  return [
    createAnyScopeLayers(parts),
    mcp,
    createAnyClientLayers(parts),
    createFaultLayers(parts),
    createHookLayers(parts.hooks),
    createValueLayers(parts.values),
    createDialectLayers(parts.dialect, parts.recorder),
    createRedirectStatusLayers(parts.powers),
    parts.responseTypes.layers,
  ];
}
