import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { hallpass, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { drilledClient, openDrilledLab, origin } from "../../../support/drilled_application.ts";
import { flowCode, flowIssuer, redeemIn } from "../../../support/lab_flow.ts";
import { login } from "../../../support/login.ts";

const only = ["id_token.alg_none", "id_token.foreign_signature"] as const;
const start = `${origin}/`;

async function outcomesOf(lab: TestLab): Promise<string[]> {
  return (await lab.drill({ start }, only)).outcomes.map(({ outcome }) => outcome);
}

/** Fetches the key set as anyone may. */
async function fetchKeys(lab: TestLab): Promise<void> {
  await (await lab.fetch(`${lab.issuer}/oauth2/jwks`)).body?.cancel();
}

describe("Whether a drill judges signatures", () => {
  it("is not decided by who else fetched the keys", async () => {
    const { lab } = await openDrilledLab("careless");
    await using _ = lab;
    assertEquals(await outcomesOf(lab), ["unmet", "unmet"]);
    await fetchKeys(lab);
    assertEquals(await outcomesOf(lab), ["unmet", "unmet"]);
  });

  it("is not decided by a reset", async () => {
    const { lab } = await openDrilledLab("careful");
    await using _ = lab;
    assertEquals(await outcomesOf(lab), ["refused", "refused"]);
    await lab.reset();
    lab.clients.put(drilledClient());
    assertEquals(await outcomesOf(lab), ["refused", "refused"]);
  });

  it("asks the application with a key that it has never seen: jwks.new_key", async () => {
    await using lab = await hallpass();
    using fault = lab.fault("jwks.new_key");
    const { claims } = await login(lab);
    assertEquals([fault.fired > 0, claims.iss], [true, lab.issuer]);
  });

  it("leaves a note if TLS vouches for the ID tokens, and the grade alone", async () => {
    const { lab } = await openDrilledLab("careless");
    await using _ = lab;
    const { verdict } = await lab.drill({ start }, only);
    assertEquals(verdict.notes.map(({ id }) => id), ["id_token.foreign_signature"]);
    assertEquals(verdict.untested, []);
  });

  it("says that nothing was tested if keys are fetched, and a login goes on without them", async () => {
    await using lab = await hallpass();
    let logins = 0;
    const careless = async () => {
      if (logins++ === 0) await fetchKeys(lab);
      await login(lab, { verifySignature: false });
    };
    const { verdict } = await lab.drill(careless, only);
    assertEquals(verdict.untested.map(({ what, used }) => [what, used]), [["signatures", true]]);
  });

  it("waits for what an earlier login left behind, which may fetch keys", async () => {
    await using lab = openLab({ issuer: flowIssuer });
    const careless = async () => {
      await turns(8);
      await redeemIn(lab, await flowCode(lab));
    };
    await lab.drill(careless, only);
    lab.context.background.begin("logout", async () => {
      await turns(4);
      await lab.fetch(new Request(`${lab.issuer}/oauth2/jwks`));
    });
    const { verdict } = await lab.drill(careless, only);
    assertEquals(verdict.untested, []);
  });
});

/** Lets other work take its turn, some times. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setTimeout(resolve));
}
