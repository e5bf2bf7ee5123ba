import { createChooserLayer } from "../layers/choosers.ts";
import type { Nest, Pipeline, RequestLayers } from "../layers/layer.ts";
import type { ResponderKind } from "../layers/pending_exchange.ts";
import { askServer, respondBeside } from "../layers/respond.ts";
import type { RespondingParts } from "./lab_parts.ts";
import { createRecordLayer } from "./record_layer.ts";
import { createUnaskedLayer } from "./unasked_layer.ts";

/**
 * Creates what responds to each kind of request: the layers, from the client to the server. Within
 * a stage, they are in the order of `lab_layers.ts`. `tests/lab/layers_test.ts` has the reasons.
 */
export function createWays(
  parts: RespondingParts,
  layers: readonly RequestLayers[],
  nest: Nest,
): Record<ResponderKind, Pipeline> {
  const at = (stage: "admit" | "misbehave" | "change" | "permit" | "translate") =>
    layers.flatMap((each) => each[stage] ?? []);
  const record = createRecordLayer(parts);
  const unaskedUsers = createUnaskedLayer(parts);
  const choosers = createChooserLayer(layers);

  const protocol = nest([
    ...at("admit"),
    record,
    ...at("misbehave"),
    ...at("change"),
    ...at("permit"),
    unaskedUsers,
    choosers,
    ...at("translate"),
    askServer,
  ]);
  const beside = nest([record, ...at("misbehave"), respondBeside]);
  const unchanged = nest([record, askServer]);
  return { protocol, beside, route: unchanged, page: unchanged };
}
