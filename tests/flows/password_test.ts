import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { publicPasswords } from "../../src/lab/sign_in/one_click.ts";
import type { Passwords } from "../../src/server/config/passwords.ts";
import type { Authenticate } from "../../src/server/config/policies.ts";
import { findUser } from "../../src/server/issuer/users/users.ts";
import type { Browser, Page } from "../support/browser.ts";
import { type Kit, openKit } from "../support/kit.ts";

/** Passwords that count how often they are hashed, and may be made to wait. */
function countedPasswords() {
  const counted = {
    hashed: [] as string[],
    gate: Promise.resolve(),
    /** From now on they wait, until the function that comes back is called. */
    close(): () => void {
      let open = () => {};
      counted.gate = new Promise((resolve) => open = resolve);
      return open;
    },
  };
  const count = async <T>(password: string, work: () => Promise<T>) => {
    counted.hashed.push(password);
    await counted.gate;
    return await work();
  };
  const passwords: Passwords = {
    hash: (password) => count(password, () => publicPasswords.hash(password)),
    verify: (password, hash) => count(password, () => publicPasswords.verify(password, hash)),
    isHash: publicPasswords.isHash,
  };
  return Object.assign(counted, { passwords });
}

async function openSignIn(
  kit: Kit,
): Promise<(username: string, password: string) => Promise<Page>> {
  const browser: Browser = kit.browser();
  const page = await browser.open(kit.authorizationUrl());
  return (username, password) => browser.signIn(page, username, password);
}

async function openCountedKit() {
  const counted = countedPasswords();
  const users = [{ name: "alice", password: "alice" }, {
    name: "bob",
    passwordHash: await publicPasswords.hash("bob"),
  }, { name: "carol" }];
  let count = 0;
  const authenticate: Authenticate = async (form, known) => {
    count++;
    return await known.checkPassword(form);
  };
  const kit = openKit({ users, policies: { passwords: counted.passwords, authenticate } });
  const dora = {
    name: "dora",
    subject: "dora",
    claims: {},
    passwordHash: await publicPasswords.hash("dora"),
    disabled: false,
  };
  await kit.server.context.records.users.put("dora", dora, Infinity);
  /** Waits until so many sign-ins have reached their check. */
  const begun = async (wanted: number) => {
    for (let turn = 0; count < wanted && turn < 1000; turn++) {
      await new Promise((resolve) => setTimeout(resolve));
    }
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  };
  return { kit, counted, begun };
}

describe("A sign-in", () => {
  const cases: Array<[what: string, name: string, password: string, status: number]> = [
    ["an unknown name", "nobody", "x", 422],
    ["a configured password, the first time", "alice", "alice", 200],
    ["a configured password that is wrong", "alice", "x", 422],
    ["a configured hash", "bob", "bob", 200],
    ["a stored user", "dora", "dora", 200],
    ["a stored user and a wrong password", "dora", "x", 422],
    ["a user without a password", "carol", "", 422],
  ];
  for (const [what, name, password, status] of cases) {
    it(`L10: costs exactly one password hash with ${what}`, async () => {
      const { kit, counted } = await openCountedKit();
      const signIn = await openSignIn(kit);
      assertEquals([(await signIn(name, password)).status, counted.hashed.length], [status, 1]);
    });
  }

  it("L10: is what hashes, not the look-up of a user", async () => {
    const { kit, counted } = await openCountedKit();
    for (const name of ["alice", "bob", "carol", "dora", "nobody"]) {
      await findUser(kit.server.context, name);
    }
    assertEquals(counted.hashed, []);
  });

  it("M7: of someone else is served soon, though one sender has filled their line", async () => {
    const { kit, counted, begun } = await openCountedKit();
    const signIn = await openSignIn(kit);
    const open = counted.close();
    kit.address = "192.0.2.66";
    const attacks = Array.from({ length: 30 }, () => signIn("nobody", "x"));
    await begun(30);
    kit.address = "198.51.100.7";
    const honest = signIn("alice", "alice");
    await begun(31);
    open();
    const statuses = (await Promise.all(attacks)).map(({ status }) => status);
    assertEquals(statuses.filter((status) => status === 503).length >= 17, true);
    assertEquals((await honest).status, 200);
    assert(counted.hashed.indexOf("alice") <= 4, counted.hashed.join());
  });
});
