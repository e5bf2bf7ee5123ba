import { hallpass, type HallpassOptions, type TestLab } from "../../src/lab/testing/mod.ts";
import {
  type Config,
  createServer,
  type Policies,
  type Server,
  type UserConfig,
} from "../../src/server/mod.ts";
import { createKit, type FlowKit, kitParts } from "./flow_kit.ts";
import { makeKeyPair } from "./key_pairs.ts";

/** A server that has only what the package exports. */
export type PublicKit = FlowKit<Server>;

const users: UserConfig[] = [
  {
    name: "alice",
    password: "alice",
    claims: {
      name: "Alice Adler",
      given_name: "Alice",
      family_name: "Adler",
      middle_name: "Ada",
      nickname: "Al",
      preferred_username: "alice",
      profile: "https://people.example/alice",
      picture: "https://people.example/alice.png",
      website: "https://alice.example",
      gender: "female",
      birthdate: "1990-04-01",
      zoneinfo: "Europe/Zurich",
      locale: "de-CH",
      updated_at: 1_767_225_600,
      email: "alice@example.com",
      email_verified: true,
      phone_number: "+41 44 000 00 01",
      phone_number_verified: true,
      address: { locality: "Zurich", country: "Switzerland" },
    },
  },
  { name: "bob", password: "bob" },
  { name: "carol", password: "carol" },
];

/** Each sign-in of a test would wait for a slow hash. */
const passwords: Policies["passwords"] = {
  hash: (password) => Promise.resolve(`plain$${password}`),
  verify: (password, hash) => Promise.resolve(hash === `plain$${password}`),
  isHash: (text) => text.startsWith("plain$"),
};

const keys = new Map<string, ReturnType<typeof makeKeyPair>>();

/** Makes each key once, because that takes longer than a test. */
const makeKey: Policies["makeKey"] = async (alg, kid, generation) => {
  const name = `${alg} ${generation}`;
  const made = keys.get(name) ?? makeKeyPair(alg);
  keys.set(name, made);
  return { ...(await made).privateJwk, alg, use: "sig", kid };
};

/**
 * Opens a server as an embedder of the package does, with users, and with quick keys and hashes.
 */
export function openPublicKit(config: Partial<Config> = {}): PublicKit {
  const { config: own, ...state } = kitParts();
  const server = createServer({ ...own, users, policies: { passwords, makeKey }, ...config });
  return createKit(server, state);
}

/** Opens a lab as a test of another project does. */
export async function openPublicLab(options: HallpassOptions = {}): Promise<FlowKit<TestLab>> {
  const { config, ...state } = kitParts();
  return createKit(await hallpass({ ...config, ...options }), state);
}
