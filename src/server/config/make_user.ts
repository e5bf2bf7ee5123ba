import type { User } from "../model/user.ts";
import { workloadPrefix } from "../protocol/reserved_ids.ts";
import { sha256 } from "../util/crypto/hash.ts";
import { fillDefaults } from "../util/values/defaults.ts";
import { userDefaults } from "./config_defaults.ts";
import { isSubject } from "./formats.ts";
import type { Passwords } from "./passwords.ts";
import type { ReportProblem } from "./problems.ts";
import type { UserConfig } from "./user_config.ts";

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
