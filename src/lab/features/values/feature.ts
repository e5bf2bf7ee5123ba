import { featuresOf } from "../../../server/issuer/active_features.ts";
import type { ChooseCredential, CredentialName } from "../../../server/issuer/random.ts";
import { ofTenant } from "../../core/core_lab.ts";
import type { LabFeature } from "../../feature.ts";
import type { CreatingRequest } from "../../layers/layer.ts";
import type { ValueKind } from "../../tokens/value_form.ts";
import {
  type ChosenValues,
  valueKindNames,
  valueKinds,
  type ValueOptions,
} from "./chosen_values.ts";
import { createValues, type Values } from "./values.ts";

const kindsByName = new Map<CredentialName, ValueKind>(
  valueKindNames.map((kind) => [valueKinds[kind], kind]),
);

/** What a test can do to choose values. */
export interface ValueTools {
  /**
   * Chooses codes, tokens, client ids and secrets: `lab.values({ code: "abc", accessToken:
   * ["first", "second"], client: "web" })`. The lab uses a text each time, and each entry of a list
   * once. One that exists already gets its new owner.
   *
   * @throws {LabError} There is no such kind of value, or a value is invalid.
   */
  values(options: ValueOptions): ChosenValues;
}

/** What the interface over HTTP needs besides it. */
export interface ValueInternals {
  readonly chosenValues: Values;
}

/** Codes, tokens, ids and secrets that a test chooses. */
export const values: LabFeature<ValueTools, ValueInternals> = {
  name: "values",
  open({ parts, lab }) {
    const chosen = createValues();
    const clientIds = () => parts().server.clients.list().map(({ id }) => id);
    const own: ValueTools = { values: (options) => chosen.add(options, clientIds()) };
    return {
      tools: {
        values: ({ tenant, ...options }) => ofTenant(tenant, own, lab().tenants).values(options),
      },
      internals: { chosenValues: chosen },
      layers: {
        choose: (request) => chosen.isEmpty() ? undefined : createChooser(chosen, request),
      },
      remarks: () => ({ chosenValues: chosen.uses() }),
      state: chosen,
    };
  },
};

/** Returns the function that gives the server the values that a test chose for a request. */
function createChooser(values: Values, request: CreatingRequest): ChooseCredential {
  return async (name, client, presented) => {
    const kind = kindsByName.get(name);
    if (kind === undefined) return undefined;
    if (await presentsUsedCredential(request)) return values.successorOf(presented);
    const value = await values.next({ ...request, kind, client }, presented);
    if (value !== undefined) request.onChosen?.(name);
    return value;
  };
}

/**
 * Whether a request presents what was used before. The server probably refuses it, and the values
 * that it would take over belong to others.
 */
async function presentsUsedCredential(
  { context, request: { form } }: CreatingRequest,
): Promise<boolean> {
  const { codes, refreshTokens } = context.records;
  const [code, refreshToken] = [form.get("code"), form.get("refresh_token")];
  const rows = await Promise.all([
    code && codes.getStored(code),
    refreshToken && refreshTokens.getStored(refreshToken),
    ...featuresOf(context).presented.map(({ parameter, findRow }) => {
      const value = form.get(parameter);
      return value ? findRow?.(context, value) : undefined;
    }),
  ]);
  return rows.some((row) => row && row.usedAt !== undefined);
}
