import type { ChooseCredential } from "../../server/issuer/new_credential.ts";
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

/** Creates the layer in which parts choose credentials. The first one that has a value counts. */
function createChooserLayer(ofParts: readonly RequestLayers[]): Layer {
  return (exchange, next) => {
    const choosers = ofParts.flatMap(({ choose }) => choose?.(exchange) ?? []);
    if (choosers.length > 0) {
      exchange.observer = { ...exchange.observer, chooseCredential: firstOf(choosers) };
    }
    return next();
  };
}

function firstOf(choosers: readonly ChooseCredential[]): ChooseCredential {
  return async (...wanted) => {
    for (const choose of choosers) {
      const value = await choose(...wanted);
      if (value !== undefined) return value;
    }
    return undefined;
  };
}
