import { describe } from "node:test";
import { issuer, itLooksTheSame, outsideLabs, signIns } from "../../support/same_refusals.ts";

describe(outsideLabs, () => {
  itLooksTheSame("A user at /account", signIns(() => `${issuer}/account`));
});
