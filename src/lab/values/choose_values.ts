import type { Context } from "../../server/issuer/context.ts";
import type { ChooseCredential, CredentialName } from "../../server/issuer/new_credential.ts";
import type { ScopeSubject } from "../faults/flow_scope.ts";
import { type ValueKind, valueKindNames, valueKinds } from "./value_kinds.ts";
import type { Values } from "./values.ts";

const kindsByName = new Map<CredentialName, ValueKind>(
  valueKindNames.map((kind) => [valueKinds[kind], kind]),
);

/** A request that may create credentials. */
export interface ChoosingRequest extends ScopeSubject {
  context: Context;
  /** Called with the name of each credential whose value is chosen. */
  onChosen?(name: CredentialName): void;
}

/** Returns the function that gives the server the values that a test chose for a request. */
export function createChooser(values: Values, request: ChoosingRequest): ChooseCredential {
  return async (name, client, presented) => {
    const kind = kindsByName.get(name);
    if (kind === undefined) return undefined;
    if (await presentsUsedCredential(request)) return values.successorOf(presented);
    const value = await values.next({ ...request, kind, client }, presented);
    if (value !== undefined) request.onChosen?.(name);
    return value;
  };
}

/** Returns a context for what a test mints, which no request asks for. */
export function withChosenValues(context: Context, values: Values, state?: string): Context {
  const request = {
    query: new URLSearchParams(state === undefined ? {} : { state }),
    form: new URLSearchParams(),
  };
  const findFlow = () => Promise.resolve(undefined);
  return { ...context, chooseCredential: createChooser(values, { context, request, findFlow }) };
}

/**
 * Whether a request presents what was used before. The server probably refuses it, and the values
 * that it would take over belong to others.
 */
async function presentsUsedCredential(
  { context, request: { form } }: ChoosingRequest,
): Promise<boolean> {
  const { records: { codes, refreshTokens }, features } = context;
  const [code, refreshToken] = [form.get("code"), form.get("refresh_token")];
  const rows = await Promise.all([
    code && codes.getStored(code),
    refreshToken && refreshTokens.getStored(refreshToken),
    ...features.presented.map(({ parameter, findRow }) => {
      const value = form.get(parameter);
      return value ? findRow?.(context, value) : undefined;
    }),
  ]);
  return rows.some((row) => row && row.usedAt !== undefined);
}
