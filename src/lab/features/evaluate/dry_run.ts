import type { ScopePolicy } from "../../../server/config/policies.ts";
import type { AnswerForUser } from "../../../server/issuer/wrapper_answers.ts";
import type { InternalServer } from "../../../server/server.ts";
import type { DialectTranslator } from "../../dialect/create_dialect.ts";
import { describeScopes } from "../../lab_server/lab_scopes.ts";
import type { ChangeConfig } from "../../lab_server/replaceable_server.ts";
import { amrOf } from "../../sign_in/one_click.ts";
import { createDryRunDialect } from "./dry_run_dialect.ts";
import type { DryRunParts } from "./dry_run_parts.ts";
import { withCredentials } from "./lend_credentials.ts";

/** Who takes part in a dry run, and what is asked for. */
export interface DryRunParties {
  clientId: string;
  /** The name of the user. */
  userName: string | undefined;
  requestedScope: readonly string[];
}

/** A server that behaves as that of the lab and changes nothing, and what it noted. */
export interface DryRun {
  server: InternalServer;
  /** What translates between clients and the server, if they do not speak the same. */
  dialect: DialectTranslator | undefined;
  /** The scopes that the policy of the configuration did not permit. */
  unpermitted: ReadonlySet<string>;
}

/**
 * Creates a server with the configuration of the lab and an overlay of its store. It signs the user
 * in without a page, lends the client credentials, and draws no bytes from the seed.
 */
export async function createDryRun(
  parts: DryRunParts,
  parties: DryRunParties,
): Promise<DryRun> {
  const unpermitted = new Set<string>();
  const change: ChangeConfig = (
    { randomBytes: _, scopes, clients, policies, ...config },
  ) => ({
    ...config,
    clients: clients.map((each) => each.id === parties.clientId ? withCredentials(each) : each),
    scopes: { ...addedScopes(parts, parties), ...scopes },
    policies: { ...policies, ...policies?.scope && { scope: watch(policies.scope, unpermitted) } },
    // Without a listener, the server notes no rules.
    onEvent: () => undefined,
    hints: true,
    dpopNonces: false,
  });
  const server = parts.server.copy(parts.server.at(), change, (answers) => ({
    ...answers,
    answerForUser: signInAs(parties.userName),
    unaskedSessions: undefined,
    // A client without a redirect URI is refused for what it may not do, and not for that.
    vouchForRedirect: () => true,
  }));
  return { server, dialect: await createDryRunDialect(parts), unpermitted };
}

/** Where any scope may be named, the server learns a new one before it checks the request. */
function addedScopes({ server }: DryRunParts, { requestedScope }: DryRunParties) {
  return server.current().context.addsScope ? describeScopes(requestedScope) : {};
}

function signInAs(userName: string | undefined): AnswerForUser | undefined {
  if (userName === undefined) return undefined;
  return ({ acrValues: [acr] }) => ({ signIn: { userName, acr, amr: amrOf(acr) } });
}

/** Notes what a policy does not permit. */
function watch(policy: ScopePolicy, unpermitted: Set<string>): ScopePolicy {
  return async (user, client, scope, occasion) => {
    const permitted = await policy(user, client, scope, occasion);
    for (const token of scope) {
      if (!permitted.includes(token)) unpermitted.add(token);
    }
    return permitted;
  };
}
