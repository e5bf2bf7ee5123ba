import type { Client } from "../model/client.ts";
import type { CoreClientConfig } from "../model/client_config.ts";
import type { User } from "../model/user.ts";
import { once } from "../util/time/promises.ts";
import { checkClient } from "./check_client.ts";
import { checkShape } from "./check_shape.ts";
import type { CoreConfig } from "./config.ts";
import { toClient } from "./make_client.ts";
import type { Offer } from "./offer.ts";
import type { Passwords } from "./passwords.ts";
import { collectProblems, reportBelow, type ReportProblem } from "./problems.ts";
import type { ObjectSchema } from "./schema.ts";
import { checkUser, toUser, type UserConfig } from "./user_config.ts";

/** The clients or the users of a configuration. What wraps a server can change one of them. */
export interface ConfiguredList<Config, Entry> {
  has(name: string): boolean;
  /** Returns what the server makes of an entry when it is first needed. Later it is there at once. */
  get(name: string): Entry | Promise<Entry> | undefined;
  /** Makes all of them. */
  all(): Promise<Entry[]>;
  /** Returns them as they are configured: another list after each change. */
  list(): readonly Config[];
  /**
   * Adds an entry, or replaces the one with its name in its place.
   *
   * @throws {ConfigError} It is invalid; nothing has changed. The error has its problems alone.
   */
  put(entry: Config): void;
  remove(name: string): void;
}

/** The clients and the users of a configuration. */
export interface ConfiguredParties {
  clients: ConfiguredList<CoreClientConfig, Client>;
  users: ConfiguredList<UserConfig, User>;
}

/** Creates the clients and the users of a configuration, of which `checkTogether` sees all. */
export function createConfiguredParties(
  config: { issuer: string; clients: readonly CoreClientConfig[]; users: readonly UserConfig[] },
  { schema, passwords, offer }: { schema: ObjectSchema; passwords: Passwords; offer: Offer },
  checkTogether: (parties: ConfiguredParties, report: ReportProblem) => void,
): ConfiguredParties {
  /** Checks one entry by itself, and then together with the others. */
  function check(
    given: Partial<CoreConfig>,
    parties: ConfiguredParties,
    checkAlone: (report: ReportProblem) => void,
  ): void {
    checkShape({ issuer: config.issuer, ...given }, schema);
    const { report, throwAny } = collectProblems();
    checkAlone(report);
    checkTogether(parties, report);
    throwAny("change the server");
  }

  const clients: ConfiguredParties["clients"] = createEntries(config.clients, {
    nameOf: ({ id }) => id,
    make: (client) => toClient(client, offer),
    check: (client, all) =>
      check(
        { clients: [client] },
        { users, clients: { ...clients, list: () => all } },
        (report) => checkClient(client, offer, reportBelow("clients[0]", report)),
      ),
  });
  const users: ConfiguredParties["users"] = createEntries(config.users, {
    nameOf: ({ name }) => name,
    make: toUser,
    check: (user, all) =>
      check(
        { users: [user] },
        { clients, users: { ...users, list: () => all } },
        (report) => checkUser(user, passwords, reportBelow("users[0]", report)),
      ),
  });
  return { clients, users };
}

function createEntries<Config, Entry>(
  configured: readonly Config[],
  { nameOf, make, check }: {
    nameOf(entry: Config): string;
    make(entry: Config): Promise<Entry>;
    /** Checks a new entry; `all` are the others with it. */
    check(entry: Config, all: Config[]): void;
  },
): ConfiguredList<Config, Entry> {
  function madeOf(entry: Config): () => Entry | Promise<Entry> {
    let known: Entry | undefined;
    const makeOnce = once(async () => known = await make(entry));
    return () => known ?? makeOnce();
  }

  const made = new Map(configured.map((entry) => [nameOf(entry), madeOf(entry)]));
  let listed = configured;
  return {
    has: (name) => made.has(name),
    get: (name) => made.get(name)?.(),
    all: () => Promise.all([...made.values()].map((make) => make())),
    list: () => listed,
    put(entry) {
      const name = nameOf(entry);
      const at = listed.findIndex((each) => nameOf(each) === name);
      const all = at < 0 ? [...listed, entry] : listed.toSpliced(at, 1, entry);
      check(entry, all);
      made.set(name, madeOf(entry));
      listed = all;
    },
    remove(name) {
      made.delete(name);
      listed = listed.filter((each) => nameOf(each) !== name);
    },
  };
}
