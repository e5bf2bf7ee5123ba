import type { Context } from "../../issuer/context.ts";
import { type Budget, createBudget } from "../../issuer/limits/budget.ts";
import { serverPart } from "../../issuer/part_of.ts";
import { registrationLifetimes, registrationServer } from "./config.ts";
import { type Offers, offersOf } from "./registration_offers.ts";

/** What a server has for registration. */
interface RegistrationParts {
  /** How long a client lasts that is not used, in seconds. */
  unusedClient: number;
  /** How many clients may register in a minute, by the network of the sender. */
  budget: Budget;
  offers: Offers;
}

function createParts({ settings, now }: Context): RegistrationParts {
  return {
    unusedClient: registrationLifetimes.of(settings.lifetimes).unusedClient,
    offers: offersOf(settings),
    budget: createBudget(now, registrationServer.of(settings).registrationsPerMinute),
  };
}

export const registrationParts = serverPart(createParts);
