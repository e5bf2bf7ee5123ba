import type {
  AllowConfig,
  Config,
  RegistrationConfig,
  RegistrationPolicy,
} from "../../../server/features.ts";
import { isObject } from "../../../server/util/text/json.ts";

/** How registered clients send their secrets. */
export interface AnySecretMethodSetting {
  /**
   * Lets a client that registered for `client_secret_basic` or `client_secret_post` use the other
   * one.
   *
   * @default true
   * @forTests it lets clients send their secret as they did not register
   */
  anySecretMethod?: boolean | undefined;
}

/** The settings of a server at which no client registers. */
export const noRegistration = { registration: {} } satisfies Partial<Config>;

/** Clients under test register with what they need, so all of them may ask for everything. */
export function openToRegistration(config: Config): Config {
  return {
    registrationsPerMinute: Infinity,
    ...config,
    registration: labRegistration(config.registration),
  };
}

function labRegistration(configured: RegistrationPolicy = "open"): RegistrationPolicy {
  const policy = configured === "open" ? { open: true } : configured;
  const allow = { scopes: "any", resources: "any", authorizationDetailsTypes: "any" } as const;
  if (!isObject(policy)) return policy;
  const { allow: given }: RegistrationConfig = policy;
  return { ...policy, allow: isAboutGrantsOnly(given) ? { ...allow, ...given } : given ?? allow };
}

/** A list of grants alone says nothing about access. */
function isAboutGrantsOnly(allow: AllowConfig | undefined): boolean {
  const names = isObject(allow) ? Object.keys(allow) : [];
  return names.length > 0 && names.every((name) => name === "grantTypes");
}
