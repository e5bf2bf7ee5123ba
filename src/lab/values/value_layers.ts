import type { RequestLayers } from "../layers/layer.ts";
import { createChooser } from "./choose_values.ts";
import type { Values } from "./values.ts";

/** Lets the server use the values that the test chose. */
export function createValueLayers(values: Values): RequestLayers {
  return {
    choose({ server: { context }, request, findFlow, learned }) {
      if (values.isEmpty()) return undefined;
      const onChosen = (name: string) => void learned.chosen.push(name);
      return createChooser(values, { context, request, findFlow, onChosen });
    },
  };
}
