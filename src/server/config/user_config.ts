import server from "../../../static/settings/server.json" with { type: "json" };
import type { Claims } from "../model/claims.ts";
import type { Defaults } from "../model/client.ts";
import type { User } from "../model/user.ts";
import { sha256 } from "../util/crypto/hash.ts";
import { fillDefaults } from "../util/values/members.ts";
import { isSubject, workloadPrefix } from "./formats.ts";
import type { Passwords } from "./passwords.ts";
import type { ReportProblem } from "./problems.ts";

/** A user, who can sign in. */
export interface UserConfig {
  /** The name that the user types to sign in. */
  name: string;
  /**
   * The subject identifier that clients see.
   *
   * @format subject
   * @default the `name`
   */
  sub?: string;
  /** The password. Without one, or its hash, the user cannot sign in with it. */
  password?: string;
  /** The hash of the password, as `hallpass password` prints it. */
  passwordHash?: string | undefined;
  /** What clients may learn about the user (OpenID Connect Core, section 5.1). */
  claims?: Claims;
  /** Disables the user; their tokens stop working immediately. */
  disabled?: boolean;
}

/** Groups are in tokens, and in headers that proxies make of them. */
const maxGroups = 50;
const maxGroupLength = 100;

const userDefaults = server.UserConfig.defaults as Defaults<
  UserConfig,
  typeof server.UserConfig
>;

/**
 * Makes a user from its settings. It hashes no password: the first sign-in would take longer than
 * others.
 */
export async function toUser(config: UserConfig): Promise<User> {
  const { sub, password, ...settings } = fillDefaults(userDefaults, config);
  return {
    ...settings,
    subject: sub ?? config.name,
    passwordDigest: password && await sha256(password),
  };
}

/** Reports where the settings of a user contradict each other. */
export function checkUser(config: UserConfig, passwords: Passwords, report: ReportProblem): void {
  const { name, sub, password, passwordHash } = config;
  if (sub === undefined && !isSubject(name)) {
    report(
      "sub",
      "is missing, and the name cannot replace it: a 'sub' has up to 255 visible ASCII characters",
    );
  }
  if ((sub ?? name).startsWith(workloadPrefix)) {
    report("sub", `begins with '${workloadPrefix}', as only the subjects of workloads do`);
  }
  if (password && passwordHash) report("passwordHash", "cannot be combined with password");
  if (passwordHash && !passwords.isHash(passwordHash)) {
    report(
      "passwordHash",
      "is not a hash that this server can verify; create one with: hallpass password",
    );
  }
}

/** Reports groups of a user that are no short list of names. */
export function checkGroups({ groups = [] }: Claims = {}, report: ReportProblem): void {
  const isName = (group: unknown) =>
    typeof group === "string" && group.length > 0 && group.length <= maxGroupLength;
  if (Array.isArray(groups) && groups.length <= maxGroups && groups.every(isName)) return;
  report(
    "claims.groups",
    `must be a list of at most ${maxGroups} names, each of up to ${maxGroupLength} characters`,
  );
}
