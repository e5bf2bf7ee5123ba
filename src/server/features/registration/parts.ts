import type { Context } from "../../issuer/context.ts";
import { type Budget, createBudget } from "../../issuer/limits/budget.ts";
import { serverPart } from "../../issuer/part_of.ts";
import { registrationLifetimes } from "./config.ts";

/** What a server has for registration. */
interface RegistrationParts {
  /** How long a client lasts that is not used, in seconds. */
  unusedClient: number;
  /** How many clients may register in a minute, by the network of the sender. */
  budget: Budget;
}

function createParts({ settings, now }: Context): RegistrationParts {
  return {
    unusedClient: registrationLifetimes.of(settings.lifetimes).unusedClient,
    budget: createBudget(now, settings.registrationsPerMinute),
  };
}

export const registrationParts = serverPart(createParts);
