import type { Context } from "../../server/issuer/context.ts";
import type { ChooseCredential } from "../../server/issuer/new_credential.ts";
import type { CreatingRequest, RequestLayers } from "./layer.ts";

/** Returns what chooses the credentials of a request: the first part that has a value. */
export function chooserOf(
  ofParts: readonly RequestLayers[],
  request: CreatingRequest,
): ChooseCredential | undefined {
  const choosers = ofParts.flatMap(({ choose }) => choose?.(request) ?? []);
  if (choosers.length === 0) return undefined;
  return async (...wanted) => {
    for (const choose of choosers) {
      const value = await choose(...wanted);
      if (value !== undefined) return value;
    }
    return undefined;
  };
}

/** Returns a context for what a test mints, which no request asks for. */
export function mintingContext(
  context: Context,
  ofParts: readonly RequestLayers[],
  state: string | undefined,
): Context {
  const request = {
    query: new URLSearchParams(state === undefined ? {} : { state }),
    form: new URLSearchParams(),
  };
  const findFlow = () => Promise.resolve(undefined);
  return { ...context, chooseCredential: chooserOf(ofParts, { context, request, findFlow }) };
}
