import { createChooserLayer } from "../layers/choosers.ts";
import type { Nest, Pipeline, RequestLayers } from "../layers/layer.ts";
import { askServer, respondBeside } from "../layers/respond.ts";
import type { RespondingParts } from "./lab_parts.ts";
import { createRecordLayer } from "./record_layer.ts";
import { createUnaskedLayer } from "./unasked_layer.ts";

/**
 * Creates what responds to requests: it finds out who responds, and then the layers of this kind of
 * request take part, from the client to the server. Within a stage, they are in the order of the
 * list. `tests/lab/layers_test.ts` has the reasons.
 */
export function createWay(
  parts: RespondingParts,
  layers: readonly RequestLayers[],
  nest: Nest,
): Pipeline {
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
  const ways = { protocol, beside, route: unchanged, page: unchanged };
  const identifying = layers.filter(({ identify }) => identify !== undefined);
  return async (exchange) => {
    for (const { identify } of identifying) {
      const identified = identify?.(exchange);
      if (identified) await identified;
    }
    // A test may have changed its settings while the parts looked at the request.
    exchange.server = parts.server.current();
    return await ways[exchange.kind](exchange);
  };
}
