import { chooserOf } from "../layers/choosers.ts";
import type { Layer, Nest, Pipeline, RequestLayers } from "../layers/layer.ts";
import type { ResponderKind } from "../layers/pending_exchange.ts";
import { respondBeside, respondOfServer } from "../layers/respond.ts";
import type { LabParts } from "./lab_parts.ts";
import { createRecordLayer } from "./record_layer.ts";
import { createUnaskedLayer } from "./unasked_layer.ts";

/** Creates what responds to each kind of request: the layers, from the client to the server. */
export function createWays(
  parts: LabParts,
  ofParts: readonly RequestLayers[],
  nest: Nest,
): Record<ResponderKind, Pipeline> {
  const at = (stage: "admit" | "misbehave" | "change" | "translate") =>
    ofParts.flatMap((layers) => layers[stage] ?? []);
  const record = createRecordLayer(parts);
  const unaskedUsers = createUnaskedLayer(parts);
  const choosers = createChooserLayer(ofParts);

  const protocol = nest([
    ...at("admit"),
    record,
    ...at("misbehave"),
    ...at("change"),
    unaskedUsers,
    choosers,
    ...at("translate"),
    respondOfServer,
  ]);
  const beside = nest([record, ...at("misbehave"), respondBeside]);
  const unchanged = nest([record, respondOfServer]);
  return { protocol, beside, route: unchanged, page: unchanged };
}

/** Creates the layer in which parts choose the credentials that a request creates. */
function createChooserLayer(ofParts: readonly RequestLayers[]): Layer {
  return (exchange, next) => {
    const { server: { context }, request, findFlow, learned, observer } = exchange;
    const onChosen = (name: string) => void learned.chosen.push(name);
    const chooseCredential = chooserOf(ofParts, { context, request, findFlow, onChosen });
    if (chooseCredential) exchange.observer = { ...observer, chooseCredential };
    return next();
  };
}
