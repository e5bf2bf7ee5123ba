import type { CoreClientConfig } from "../model/client_config.ts";
import { checkClient } from "./check_client.ts";
import { checkRelations, type ImplementedFeatures } from "./check_config.ts";
import { checkShape } from "./check_shape.ts";
import type { CoreConfig } from "./config.ts";
import { createConfiguredList } from "./configured_list.ts";
import { toClient } from "./make_client.ts";
import { collectProblems, reportBelow, type ReportProblem } from "./problems.ts";
import { offerToConfigured, type Settings } from "./settings.ts";
import { checkUser, toUser, type UserConfig } from "./user_config.ts";

/**
 * Creates the clients and the users of a configuration. Each is made later, and so checked if it
 * changes: by itself, and then together with the others and the settings.
 */
export function createConfiguredParties(
  config: { issuer: string; clients: readonly CoreClientConfig[]; users: readonly UserConfig[] },
  { schema, configs }: ImplementedFeatures,
  settings: () => Settings,
): Pick<Settings, "clients" | "users"> {
  function check(
    entry: Partial<CoreConfig>,
    checkAlone: (report: ReportProblem) => void,
    changed: Partial<Settings>,
  ): void {
    checkShape({ issuer: config.issuer, ...entry }, schema);
    const { report, throwAny } = collectProblems();
    checkAlone(report);
    checkRelations(config, { ...settings(), ...changed }, configs, report);
    throwAny("change the server");
  }

  const clients: Settings["clients"] = createConfiguredList(config.clients, {
    nameOf: ({ id }) => id,
    make: (client) => toClient(client, offerToConfigured(settings())),
    check: (client, all) =>
      check(
        { clients: [client] },
        (report) =>
          checkClient(client, offerToConfigured(settings()), reportBelow("clients[0]", report)),
        { clients: { ...clients, list: () => all } },
      ),
  });
  const users: Settings["users"] = createConfiguredList(config.users, {
    nameOf: ({ name }) => name,
    make: toUser,
    check: (user, all) =>
      check(
        { users: [user] },
        (report) => checkUser(user, settings().policies.passwords, reportBelow("users[0]", report)),
        { users: { ...users, list: () => all } },
      ),
  });
  return { clients, users };
}
