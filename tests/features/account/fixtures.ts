import { add as addUser } from "../../../src/administration/users.ts";
import { accountTexts } from "../../../src/server/features/account/config.ts";
import type { FeatureFixtures } from "../../support/feature_fixtures.ts";
import type { Kit } from "../../support/kit.ts";

export const accountFixtures: FeatureFixtures = {
  name: "account pages",
  texts: accountTexts,
  formPaths: ["/account/sign-in"],
  signedInFormPaths: ["/account/remove"],
  pages: { account: { open: (kit, browser) => browser.open(`${kit.issuer}/account`) } },
  credentials: ["new_password"],
  storedUserFlows: { "a new password": changePassword },
};

/** Returns the status of the last page for a user who chooses a new password. */
async function changePassword(kit: Kit): Promise<number> {
  await addUser(kit.server.context, { name: "dora", password: "the first password" });
  const browser = kit.browser();
  const account = `${kit.issuer}/account`;
  const fields = { username: "dora", password: "the first password" };
  await browser.submit(await browser.open(account), "sign-in", fields);
  const changed = await browser.submit(
    await browser.open(`${account}/password`),
    "change-password",
    {
      current_password: "the first password",
      new_password: "another password",
      repeated_password: "another password",
    },
  );
  return (await browser.open(new URL(changed.url, kit.issuer).href)).status;
}
