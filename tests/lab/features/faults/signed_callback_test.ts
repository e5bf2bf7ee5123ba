import { assertEquals } from "@std/assert";
import { createLocalJWKSet, decodeJwt, jwtVerify } from "jose";
import { describe } from "node:test";
import type { callbackFaults } from "../../../../src/lab/features/faults/callback_faults.ts";
import { hallpass, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { authorizationUrl } from "../../../support/login.ts";
import { assertReport } from "../../../support/reported.ts";
import { needs } from "../../../support/where_feature.ts";

const it = itWith({ inLab: () => hallpass() });

type FaultName = Parameters<TestLab["fault"]>[0];

/** Signs alice in, and returns what a client reads in the signed response. */
async function signedResponse(lab: TestLab, response_mode = "jwt") {
  const url = authorizationUrl(lab, { state: "s", response_mode });
  const { parameters: { response = "" } } = await lab.authorize(url, { user: "alice" });
  const jwks = await (await lab.fetch(`${lab.issuer}/oauth2/jwks`)).json();
  await jwtVerify(response, createLocalJWKSet(jwks), { audience: "demo-spa" });
  return { response, claims: decodeJwt(response) };
}

/** Whether a response differs from that of an honest server. */
const symptoms: Partial<Record<keyof typeof callbackFaults, (claims: object) => unknown>> = {
  "callback.wrong_state": ({ state }: { state?: string }) => state === "another-state",
  "callback.without_state": (claims) => !("state" in claims),
  "callback.wrong_iss": ({ iss }: { iss?: string }) => iss === "https://attacker.example",
  "callback.without_iss": (claims) => !("iss" in claims),
  "callback.foreign_code": ({ code }: { code?: string }) => code !== undefined,
  "callback.error_and_code": (claims) => "error" in claims && "code" in claims,
  "callback.denied": (claims) => "error" in claims && !("code" in claims),
};

describe("U4: a signed authorization response (JARM)", () => {
  for (const [name, hasSymptom] of Object.entries(symptoms)) {
    it.inLab(`is changed by the fault ${name}, and signed again`, async (lab) => {
      const fault = lab.fault(name as FaultName, { times: 1 });
      const { claims } = await signedResponse(lab);
      assertEquals([hasSymptom(claims), fault.fired], [true, 1]);
      assertEquals((await signedResponse(lab)).claims.state, "s");
    });
  }

  for (const [name, member] of [["doubled_state", "state"], ["doubled_iss", "iss"]] as const) {
    it.inLab(`has a member twice with callback.${name}`, async (lab) => {
      lab.fault(`callback.${name}`);
      const { response } = await signedResponse(lab);
      const payload = atob(
        (response.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/"),
      );
      assertEquals(payload.split(`"${member}":`).length, 3);
    });
  }

  for (const mode of ["query.jwt", "form_post.jwt"]) {
    it.inLab(`is changed by the hook 'redirect': ${mode}`, needs("hooks"), async (lab) => {
      lab.on("redirect", ({ parameters }) => void (parameters.state += "!"));
      assertEquals((await signedResponse(lab, mode)).claims.state, "s!");
    });
  }
});

describe("U4: a fault of one test", () => {
  it.inLab("ends with the block that declares it, fired or not", needs("hooks"), async (lab) => {
    {
      using fault = lab.fault("callback.wrong_state", { times: 1 });
      using hook = lab.on("redirect", () => {});
      assertEquals([fault.fired, hook.fired], [0, 0]);
    }
    assertEquals(lab.faults.list(), []);
    assertReport(lab, { idleFaults: [] });
    assertEquals((await signedResponse(lab)).claims.state, "s");
  });

  it.inLab("can be removed by itself, in a tenant as well, and twice", async (lab) => {
    const tenant = await lab.tenant({ id: "shop" });
    const faults = [lab.fault("token.slow"), lab.fault("token.slow", { tenant: "shop" })];
    for (const fault of [...faults, ...faults]) fault.remove();
    assertEquals([lab.faults.list(), tenant.faults.list()], [[], []]);
  });
});
