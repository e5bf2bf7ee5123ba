import { clientFacts } from "./facts/clients.ts";
import { requestFacts } from "./facts/requests.ts";
import { tokenFacts } from "./facts/tokens.ts";
import { userFacts } from "./facts/users.ts";
import type { StoredFact } from "./stored_fact.ts";

/** Everything that stored data must keep. The last one moves the clock. */
export const storedFacts: readonly StoredFact[] = [
  ...userFacts,
  ...clientFacts,
  ...tokenFacts,
  ...requestFacts,
];
