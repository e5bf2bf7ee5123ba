import type { RequestLayers } from "../layers/layer.ts";
import { createChooser } from "./choose_values.ts";
import type { Values } from "./values.ts";

/** Lets the server use the values that the test chose. */
export function createValueLayers(values: Values): RequestLayers {
  return {
    choose: (request) => values.isEmpty() ? undefined : createChooser(values, request),
  };
}
