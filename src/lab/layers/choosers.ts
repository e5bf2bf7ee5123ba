import type { Context } from "../../server/issuer/context.ts";
import type { ChooseCredential } from "../../server/issuer/random.ts";
import type { CreatingRequest, Layer, RequestLayers } from "./layer.ts";

export function createChooserLayer(all: readonly RequestLayers[]): Layer {
  const layers = all.filter(({ choose }) => choose !== undefined);
  if (layers.length === 0) return (_, next) => next();
  return (exchange, next) => {
    const { server: { context }, request, findFlow, learned, observer } = exchange;
    const onChosen = (name: string) => void learned.chosen.push(name);
    const chooseCredential = chooserOf(layers, { context, request, findFlow, onChosen });
    if (chooseCredential) exchange.observer = { ...observer, chooseCredential };
    return next();
  };
}

/** Returns what chooses the credentials of a request: the first part that has a value. */
function chooserOf(
  layers: readonly RequestLayers[],
  request: CreatingRequest,
): ChooseCredential | undefined {
  const choosers = layers.flatMap(({ choose }) => choose?.(request) ?? []);
  if (choosers.length === 0) return undefined;
  return async (...wanted) => {
    for (const choose of choosers) {
      const value = await choose(...wanted);
      if (value !== undefined) return value;
    }
    return undefined;
  };
}

/** Returns the context in which a test mints. There is no request, but it may name a state. */
export function mintingContext(
  context: Context,
  layers: readonly RequestLayers[],
  state: string | undefined,
): Context {
  const request = {
    query: new URLSearchParams(state === undefined ? {} : { state }),
    form: new URLSearchParams(),
  };
  const findFlow = () => Promise.resolve(undefined);
  const chooseCredential = chooserOf(layers, { context, request, findFlow });
  return { ...context, hooks: { ...context.hooks, chooseCredential } };
}
