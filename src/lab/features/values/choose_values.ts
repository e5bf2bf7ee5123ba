import { featuresOf } from "../../../server/issuer/active_features.ts";
import type { ChooseCredential, CredentialName } from "../../../server/issuer/random.ts";
import type { CreatingRequest } from "../../layers/layer.ts";
import type { ValueKind } from "../../tokens/value_form.ts";
import { valueKindNames, valueKinds } from "./chosen_values.ts";
import type { Values } from "./values.ts";

const kindsByName = new Map<CredentialName, ValueKind>(
  valueKindNames.map((kind) => [valueKinds[kind], kind]),
);

/** Returns the function that gives the server the values that a test chose for a request. */
export function createChooser(values: Values, request: CreatingRequest): ChooseCredential {
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
