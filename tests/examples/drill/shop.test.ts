import { hallpass } from "hallpass/testing";
import { it } from "node:test";
import { openShop } from "./shop.ts";

it("accepts no attack on its login", async (test) => {
  await using lab = await hallpass({ listen: true });
  const shop = await openShop(lab.issuer);
  test.after(shop.close);
  lab.configure({ redirectUris: [`${shop.url}/callback`] });
  await lab.drill({ start: `${shop.url}/login`, check: `${shop.url}/account` });
  lab.assertClean();
});
