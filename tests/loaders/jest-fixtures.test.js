// Jest's own `test` with a lab, without configuration.
const { expect, test, testWith } = require("hallpass/jest");

/** Redeems a code that the lab has not issued. */
async function redeem(lab) {
  const body = new URLSearchParams({ grant_type: "authorization_code", code: "x" });
  return (await lab.fetch(`${lab.issuer}/oauth2/token`, { method: "POST", body })).status;
}

test("has a lab to itself", async ({ lab }) => {
  await lab.mint({ sub: "alice" });
  expect(lab.flows()).toEqual([]);
});

test("fails because the application was refused", async ({ lab }) => void await redeem(lab));

test("fails by itself", async ({ lab }) => {
  await redeem(lab);
  expect("its own failure").toBe("what is shown");
});

test.failing("is expected to fail", async ({ lab }) => void await redeem(lab));

test.skip("is skipped", () => {});

testWith({ users: [{ name: "zoe" }] })("has options", ({ lab }) => {
  expect(lab.users.list().map(({ name }) => name)).toEqual(["zoe"]);
});
