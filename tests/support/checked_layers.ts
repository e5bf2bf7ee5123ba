import type { Layer, Nest, Pipeline } from "../../src/lab/layers/layer.ts";

/** Nests the layers of a lab as ever, and throws if one of them breaks the rules of layers. */
export const nestChecked: Nest = (layers) =>
  layers.reduceRight<Pipeline>(
    (inner, layer) => (exchange) => callOnce(layer, exchange, inner),
    () => Promise.reject(new Error("The innermost layer calls the next one.")),
  );

/** A layer calls the next one once at most, and responds only after that one has. */
async function callOnce(...[layer, exchange, inner]: [Layer, Parameters<Layer>[0], Pipeline]) {
  let called = 0;
  let responded = 0;
  const response = await layer(exchange, async () => {
    if (++called > 1) throw new Error("A layer called the next one twice.");
    return await inner(exchange).finally(() => responded++);
  });
  if (called !== responded) throw new Error("A layer returned before the next one had.");
  return response;
}
