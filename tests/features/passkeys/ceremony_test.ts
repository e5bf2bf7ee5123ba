import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  hasGrown,
  readCeremonyResponse,
  verifyAssertion,
  verifyRegistration,
} from "../../../src/server/features/passkeys/ceremony.ts";
import { present } from "../../support/present.ts";
import {
  createAuthenticator,
  flag,
  fromBase64url,
  type SoftwareAuthenticator,
  type Stated,
} from "./software_authenticator.ts";

const place = { origin: "https://id.example", rpId: "id.example" };
const userThere = flag.present | flag.verified;

const creation: Stated = {
  ...place,
  ...{ type: "webauthn.create", challenge: "Y2hhbGxlbmdl", crossOrigin: false, counter: 0 },
  flags: userThere | flag.attested | flag.eligible | flag.backedUp,
};
const signIn: Stated = {
  ...creation,
  ...{ type: "webauthn.get", flags: userThere | flag.eligible, counter: 7 },
};

async function register(
  authenticator: SoftwareAuthenticator,
  stated: Partial<Stated> = {},
  changes: Record<string, unknown> = {},
) {
  const text = await authenticator.register({ ...creation, ...stated }, changes);
  return await verifyRegistration(present(readCeremonyResponse(text)), place);
}

async function assertWith(
  authenticator: SoftwareAuthenticator,
  stated: Partial<Stated> = {},
  changes: Record<string, unknown> = {},
) {
  const text = await authenticator.assert({ ...signIn, ...stated }, changes);
  const { id, publicKey, algorithm, userHandle } = authenticator;
  const stored = { id, publicKey, algorithm, rpId: place.rpId, transports: [] };
  const known = { ...stored, counter: 0, mayBeBackedUp: true, isBackedUp: true };
  const response = present(readCeremonyResponse(text));
  return await verifyAssertion(response, known, { origin: place.origin, userHandle });
}

/** What both ceremonies refuse. */
const commonFlaws: ReadonlyArray<[problem: string, stated: Partial<Stated>]> = [
  ["another origin", { origin: "https://id.example.evil.example" }],
  ["another origin", { origin: "https://id.example:8443" }],
  ["another origin", { origin: "http://id.example" }],
  ["another origin", { origin: "https://login.id.example" }],
  ["in a frame of another site", { crossOrigin: true }],
  ["in a frame of another site", { crossOrigin: "false" }],
  ["made for another host", { rpId: "example" }],
  ["without the user", { flags: flag.verified | flag.attested | flag.eligible }],
  ["without a PIN or a finger", { flags: flag.present | flag.attested | flag.eligible }],
  ["malformed authenticator data", { flags: userThere | flag.attested | flag.backedUp }],
];

describe("verifyRegistration (WebAuthn Level 3, section 7.1)", () => {
  for (const algorithm of [-7, -8, -257] as const) {
    it(`returns a passkey of the algorithm ${algorithm}`, async () => {
      const authenticator = await createAuthenticator({ algorithm });
      assertEquals(await register(authenticator), {
        passkey: {
          ...{ id: authenticator.id, publicKey: authenticator.publicKey, algorithm, counter: 0 },
          ...{
            rpId: place.rpId,
            mayBeBackedUp: true,
            isBackedUp: true,
            transports: ["hybrid", "internal"],
          },
        },
      });
    });
  }

  const flaws: typeof commonFlaws = [
    ["a response to another ceremony", { type: "webauthn.get" }],
    ["the authenticator names another credential", { flags: userThere | flag.eligible }],
    ...commonFlaws,
  ];
  for (const [problem, stated] of flaws) {
    it(`refuses what was made ${JSON.stringify(stated)}: ${problem}`, async () => {
      assertEquals(await register(await createAuthenticator(), stated), { problem });
    });
  }

  const keys: Array<[what: string, changes: Record<string, unknown>]> = [
    ["an algorithm that is not accepted", { publicKeyAlgorithm: -35 }],
    ["no algorithm", { publicKeyAlgorithm: undefined }],
    ["the key of another algorithm", { publicKeyAlgorithm: -8 }],
    ["no key", { publicKey: undefined }],
    ["a key that is no SPKI", { publicKey: "AAAA" }],
  ];
  for (const [what, changes] of keys) {
    it(`refuses ${what}`, async () => {
      const refused = await register(await createAuthenticator(), {}, changes);
      assertEquals(refused, { problem: "no key of an accepted algorithm" });
    });
  }

  it("refuses the id of another credential than the authenticator names", async () => {
    const authenticator = await createAuthenticator();
    const text = (await authenticator.register(creation)).replaceAll(authenticator.id, "AAAA");
    const refused = await verifyRegistration(present(readCeremonyResponse(text)), place);
    assertEquals(refused, { problem: "the authenticator names another credential" });
  });
});

describe("verifyAssertion (WebAuthn Level 3, section 7.2)", () => {
  for (const algorithm of [-7, -8, -257] as const) {
    it(`accepts a signature of the algorithm ${algorithm}, a hundred times`, async () => {
      const authenticator = await createAuthenticator({ algorithm });
      for (let counter = 1; counter <= (algorithm === -7 ? 100 : 3); counter++) {
        const { problem, ...proven } = await assertWith(authenticator, { counter });
        assertEquals([problem, "data" in proven && proven.data.counter], [undefined, counter]);
      }
    });
  }

  const flaws: ReadonlyArray<
    [problem: string, stated: Partial<Stated>, changes?: Record<string, unknown>]
  > = [
    ["a response to another ceremony", { type: "webauthn.create" }],
    ["another backup eligibility than that of its registration", { flags: userThere }],
    ["another user handle", {}, { userHandle: undefined }],
    ["another user handle", {}, { userHandle: null }],
    ["another user handle", {}, { userHandle: "b3RoZXI" }],
    ["wrong signature", {}, { signature: "MAYCAQECAQE" }],
    ["wrong signature", {}, { signature: "AAAA" }],
    ["malformed", {}, { signature: undefined }],
    ["malformed", {}, { authenticatorData: "AAAA" }],
    ...commonFlaws.filter(([problem]) => problem !== "malformed authenticator data")
      .map(([problem, { flags, ...stated }]): [string, Partial<Stated>] => [
        problem,
        flags === undefined ? stated : { flags: flags & ~flag.attested },
      ]),
  ];
  for (const [problem, stated, changes] of flaws) {
    it(`refuses ${JSON.stringify({ ...stated, ...changes })}: ${problem}`, async () => {
      assertEquals(await assertWith(await createAuthenticator(), stated, changes), { problem });
    });
  }

  it("refuses a signature over anything else", async () => {
    const authenticator = await createAuthenticator();
    const other = JSON.parse(await authenticator.assert({ ...signIn, counter: 8 }));
    const { signature, authenticatorData, clientDataJSON } = other.response;
    assertEquals(await assertWith(authenticator, {}, { signature }), {
      problem: "wrong signature",
    });
    assertEquals(
      (await assertWith(authenticator, {}, { signature, authenticatorData })).problem,
      undefined,
    );
    const changed = JSON.parse(await authenticator.assert({ ...signIn, challenge: "b3RoZXI" }));
    const members = {
      signature,
      authenticatorData,
      clientDataJSON: changed.response.clientDataJSON,
    };
    assertEquals(clientDataJSON === members.clientDataJSON, false);
    assertEquals(await assertWith(authenticator, {}, members), { problem: "wrong signature" });
  });

  it("refuses the signature of another passkey", async () => {
    const [one, other] = [await createAuthenticator(), await createAuthenticator()];
    const { signature } = JSON.parse(await other.assert(signIn)).response;
    assertEquals(await assertWith(one, {}, { signature }), { problem: "wrong signature" });
  });

  it("refuses a signature in another form of the same numbers", async () => {
    const authenticator = await createAuthenticator();
    const { signature } = JSON.parse(await authenticator.assert(signIn)).response;
    const bytes = [...fromBase64url(signature)];
    const longer = btoa(String.fromCharCode(...bytes, 0)).replaceAll("=", "");
    const text = longer.replaceAll("+", "-").replaceAll("/", "_");
    assertEquals(await assertWith(authenticator, {}, { signature: text }), {
      problem: "wrong signature",
    });
  });
});

describe("hasGrown (WebAuthn Level 3, section 6.1.1)", () => {
  it("accepts a counter that grows, or that never counts", () => {
    const pairs = [[0, 0], [0, 1], [1, 2], [1, 1], [2, 1], [1, 0]] as const;
    const grown = pairs.map(([before, after]) => hasGrown(before, after));
    assertEquals(grown, [true, true, true, false, false, false]);
  });
});

describe("readCeremonyResponse", () => {
  it("reads nothing from what is no response of a browser", async () => {
    const text = await (await createAuthenticator()).assert(signIn);
    const json = JSON.parse(text);
    const bad = [
      "",
      "{",
      "null",
      JSON.stringify({ ...json, type: "password" }),
      JSON.stringify({ ...json, rawId: "AAAA" }),
      JSON.stringify({ ...json, response: undefined }),
      JSON.stringify({ ...json, response: { ...json.response, clientDataJSON: "e30" } }),
      JSON.stringify({ ...json, response: { ...json.response, clientDataJSON: "e" } }),
      JSON.stringify({ ...json, padding: "a".repeat(20_000) }),
    ];
    assertEquals(bad.map(readCeremonyResponse), bad.map(() => undefined));
  });
});
