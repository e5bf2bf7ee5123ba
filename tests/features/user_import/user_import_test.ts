import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe } from "node:test";
import { createAdministration } from "../../../src/administration/administration.ts";
import { type Passwords, pbkdf2Passwords } from "../../../src/server/config/passwords.ts";
import {
  findHashing,
  importedHashProblem,
} from "../../../src/server/features/user_import/hash_formats.ts";
import { verifyImported } from "../../../src/server/features/user_import/verify_imported.ts";
import { runCommandLine } from "../../support/command_line.ts";
import { openFolder } from "../../support/folder.ts";
import { itWith } from "../../support/it_with.ts";
import { openStrictKit, spa } from "../../support/kit.ts";
import { present } from "../../support/present.ts";

const password = "correct horse";
/** A hash of this password by each program. */
const hashes: Readonly<Record<string, string>> = {
  "Django": "pbkdf2_sha256$1000$pepper$gQV4o8bSAk9lLV90oJ74VRcTZ9w9mWIZJC4kEwODp3Y=",
  "Django with SHA-1": "pbkdf2_sha1$1000$pepper$NTrLXGiSdGbQKLWDkr8VOP1RKHs=",
  "passlib":
    "$pbkdf2-sha256$1000$MDEyMzQ1Njc4OWFiY2RlZv/.$KMzVciEK.j9Oy5eYEdRCc3BqCFJALo.fTIU7b.TaxZ4",
  "passlib with SHA-512":
    "$pbkdf2-sha512$1000$MDEyMzQ1Njc4OWFiY2RlZv/.$JPcJkAPZOHrA86eUqumDn5yF.ynEe4xCgKN2rmCG1dkrGXTpYOYC3SGgQbjAXmSzwi8dQ9X01jVW2ABMOg/gwA",
  "passlib with SHA-1": "$pbkdf2$1000$MDEyMzQ1Njc4OWFiY2RlZg$aUfE2vx5Q7zgbb0jx49AaNpXUQQ",
  "Werkzeug":
    "pbkdf2:sha512:1000$pepper$a117123ac7af70a2cefe8e2914444be867a549b819c20a60801ad0f1eec86da8471de6192337abda4497bb21caeae6c2c53aefce05e1880d1035e5a2551bde3c",
  "argon2":
    "$argon2id$v=19$m=64,t=2,p=1$Il1aQejpHagkmtxvPADtmtMMRaQXIZeqszfaZAu0bKc$ycw2EsxoMUiK8zF7EE8pJCR+UuTUSpZr1P+pobUtcu8",
  "bcrypt": "$2y$04$0RhuVhtyi23I/9yEeRCYVuqJBMOk9XNHKCKenrh5pY2iggIuteWiK",
};
const django = present(hashes.Django);
const argon2 = present(hashes.argon2);
const bcrypt = present(hashes.bcrypt);

/** Hashes with a cost that is refused, and why, on a runtime that could verify it. */
const wrongCosts: Readonly<Record<string, [hash: string, problem: string]>> = {
  "bcrypt 13": [bcrypt.replace("$04", "$13"), "has a cost of 13, and 4 to 12 are possible"],
  "bcrypt 31": [bcrypt.replace("$04", "$31"), "has a cost of 31, and 4 to 12 are possible"],
  "bcrypt 3": [bcrypt.replace("$04", "$03"), "has a cost of 3, and 4 to 12 are possible"],
  "argon2 t=0": [argon2.replace("t=2", "t=0"), "has t=0, and 1 to 20 are possible"],
  "argon2 t=21": [argon2.replace("t=2", "t=21"), "has t=21, and 1 to 20 are possible"],
  "argon2 p=0": [argon2.replace("p=1", "p=0"), "has p=0, and 1 to 16 are possible"],
  "argon2 p=17": [argon2.replace("p=1", "p=17"), "has p=17, and 1 to 16 are possible"],
  "argon2 m=7": [argon2.replace("m=64", "m=7"), "has m=7, and 8 to 131072 are possible"],
  "argon2 m=262145": [
    argon2.replace("m=64,t=2", "m=262145,t=1"),
    "has m=262145, and 8 to 262144 are possible",
  ],
  "argon2 m=65537 for t=4": [
    argon2.replace("m=64,t=2", "m=65537,t=4"),
    "has m=65537, and 8 to 65536 are possible",
  ],
  "argon2 m=8 for p=2": [
    argon2.replace("m=64,t=2,p=1", "m=8,t=2,p=2"),
    "has m=8, and 16 to 131072 are possible",
  ],
};
const highestCosts = [
  bcrypt.replace("$04", "$12"),
  argon2.replace("m=64,t=2,p=1", "m=262144,t=1,p=16"),
  argon2.replace("m=64,t=2,p=1", "m=65536,t=4,p=4"),
];
/** The iterations that cost four times as much as our own 600,000 of SHA-256. */
const mostIterations: Readonly<Record<string, number>> = {
  "Django": 2_400_000,
  "Django with SHA-1": 1_200_000,
  "passlib": 2_400_000,
  "passlib with SHA-512": 800_000,
  "passlib with SHA-1": 1_200_000,
  "Werkzeug": 800_000,
};

/** A folder with stores and files of users. */
async function openFiles() {
  const opened = await openFolder();
  const { folder } = opened;
  return {
    ...opened,
    /** Returns what runs a command about users on a new store. */
    openStore(name: string) {
      const store = `sqlite:${join(folder, `${name}.db`)}`;
      return async (command: string, ...files: string[]) => {
        const options = ["--store", store, "--issuer", "http://localhost:9000"];
        return await runCommandLine(["user", ...command.split(" "), ...files, ...options]);
      };
    },
    fileOf(name: string, lines: ReadonlyArray<string | object>): string {
      const path = join(folder, name);
      const texts = lines.map((line) => typeof line === "string" ? line : JSON.stringify(line));
      writeFileSync(path, texts.join("\n"));
      return path;
    },
  };
}

const it = itWith({ withFiles: openFiles });

describe("A password that another program hashed", () => {
  for (const [program, hash] of Object.entries(hashes)) {
    it(`is verified, if this runtime can: ${program}`, async () => {
      const verify = present(findHashing(hash)).verify;
      if (!verify) return;
      assertEquals([await verify(password, hash), await verify("other", hash)], [true, false]);
    });
  }

  it("is refused if it was cut off: of no bytes, every password would be right", () => {
    for (const hash of Object.values(hashes)) {
      for (const length of [1, 2, 8]) {
        const cut = hash.slice(0, hash.lastIndexOf("$") + 1 + length);
        assertEquals(findHashing(cut), undefined, cut);
      }
    }
  });

  it("is refused by its iterations if they are none, or cost more than four times our own", () => {
    for (const [program, most] of Object.entries(mostIterations)) {
      const hash = present(hashes[program]);
      for (const count of ["0", `${most + 1}`, "9".repeat(400)]) {
        const given = hash.replace("1000", count);
        assertStringIncludes(present(importedHashProblem(given)), `${Number(count)} iterations`);
      }
      assertEquals(importedHashProblem(hash.replace("1000", `${most}`)), undefined);
    }
    assert(importedHashProblem(`pbkdf2-sha256$0$${"x".repeat(22)}$${"x".repeat(43)}`));
  });

  it("is verified in our own format, if another one is usual", async () => {
    const own = await pbkdf2Passwords.hash(password);
    const { verify } = present(findHashing(own));
    assertEquals([await verify?.(password, own), await verify?.("other", own)], [true, false]);
  });

  it("is refused by its iterations in our own format", () => {
    const own = (count: string) => `pbkdf2-sha256$${count}$${"x".repeat(22)}$${"x".repeat(43)}`;
    const { isHash } = pbkdf2Passwords;
    assertEquals(isHash(own("2400000")), true);
    assertEquals(importedHashProblem(own("2400000")), undefined);
    for (const count of ["0", "2400001", "10000000", "99999999"]) {
      assertEquals(isHash(own(count)), false);
      assertStringIncludes(present(importedHashProblem(own(count))), `${count} iterations`);
    }
  });

  for (const [cost, [given, problem]] of Object.entries(wrongCosts)) {
    it(`is refused by a cost that holds up sign-ins, or has no meaning: ${cost}`, async () => {
      const { verify } = present(findHashing(given));
      const found = present(importedHashProblem(given));
      assertStringIncludes(found, verify ? problem : "import it there");
      const { server } = openStrictKit({ clients: [spa()], users: [] });
      const user = {
        name: "ada",
        subject: "ada",
        claims: {},
        disabled: false,
        passwordHash: given,
      };
      assertEquals(await verifyImported(server.context, user, password), false);
    });
  }

  it("costs a hash of our own as well if it is wrong, or cannot be verified", async () => {
    const wrong = { ...hashes, "too dear": present(wrongCosts["bcrypt 13"])[0] };
    for (const [program, passwordHash] of Object.entries(wrong)) {
      const hashed: string[] = [];
      const passwords: Passwords = {
        ...pbkdf2Passwords,
        hash: (password) => Promise.resolve(`own ${hashed.push(password)}`),
      };
      const { context } = openStrictKit({ users: [], policies: { passwords } }).server;
      const user = { name: "ada", subject: "ada", claims: {}, disabled: false, passwordHash };
      assertEquals(await verifyImported(context, user, "wrong"), false);
      assertEquals(hashed, ["wrong"], program);
    }
  });

  it("is taken with the highest costs", () => {
    for (const highest of highestCosts) {
      const { verify } = present(findHashing(highest));
      if (verify) assertEquals(importedHashProblem(highest), undefined);
    }
  });

  it("lets its user sign in, and is replaced by our own hash", async () => {
    const kit = openStrictKit({ clients: [spa()], users: [] });
    const { context } = kit.server;
    const admin = createAdministration(context);
    await admin.users.addMany([{ name: "ada", passwordHash: django }]);
    const before = present(await context.records.users.find("ada"));
    const signIn = (typed: string) =>
      kit.tokens({}, { user: "ada", password: typed }).then(() => true, () => false);
    assertEquals([await signIn("wrong"), await signIn(password)], [false, true]);
    await context.background.idle();
    const user = present(await context.records.users.find("ada"));
    assert(context.settings.policies.passwords.isHash(present(user.passwordHash)));
    assertEquals(user, { ...before, passwordHash: user.passwordHash });
    assertEquals(await signIn(password), true);
  });
});

describe("hallpass user import", () => {
  it.withFiles("adds what user export prints, with passwords if it is asked for them", async ({ openStore, fileOf }) => {
    const [from, to] = [openStore("from"), openStore("to")];
    const users = [
      { name: "ada", passwordHash: django, claims: { email: "ada@example.org" } },
      { name: "bob", sub: "b-1", claims: {}, disabled: true },
    ];
    const { output } = await from("import", fileOf("users.jsonl", [...users, ""]));
    assertStringIncludes(output, "Added 2 users.");
    const exported = (await from("export --passwords")).output.trim().split("\n");
    assertEquals(exported.map((line) => JSON.parse(line)), users);
    await to("import", fileOf("again.jsonl", exported));
    assertEquals((await to("export --passwords")).output.trim().split("\n"), exported);
    assertEquals((await to("export")).output.includes("passwordHash"), false);
    const shown = JSON.parse((await to("show", "ada")).output.split("\n").slice(-16).join("\n"));
    assertEquals(shown.claims, { email: "ada@example.org" });
  });

  it.withFiles("reads CSV, with claims in the columns that are no settings", async ({ openStore, fileOf }) => {
    const run = openStore("csv");
    await run(
      "import",
      fileOf("users.csv", [
        "name,email,email_verified,name_suffix,groups,disabled",
        'ada,ada@example.org,true,"Lovelace, ""Countess""",staff editors,',
        "bob,,,,,true",
      ]),
    );
    assertEquals((await run("export")).output.trim().split("\n").map((line) => JSON.parse(line)), [
      {
        name: "ada",
        claims: {
          email: "ada@example.org",
          email_verified: true,
          name_suffix: 'Lovelace, "Countess"',
          groups: ["staff", "editors"],
        },
      },
      { name: "bob", claims: {}, disabled: true },
    ]);
  });

  it.withFiles("adds no user if a line is wrong, and names each", async ({ openStore, fileOf }) => {
    const run = openStore("wrong");
    const { code, output } = await run(
      "import",
      fileOf("wrong.jsonl", [
        { name: "ada" },
        "{",
        { name: "bob", password: "clear" },
        { name: "carol", passwordHash: "5f4dcc3b5aa765d61d8327deb882cf99" },
        { name: "dora", email: "dora@example.org" },
        { name: "eve", passwordHash: django.replace("1000", "3000000") },
      ]),
    );
    assertEquals(code, 2);
    const parts = ["5 of 6", "line 2:", "line 3, bob: password", "line 4, carol: passwordHash"];
    const tooDear = "line 6, eve: passwordHash has 3000000 iterations, and 1 to 2400000 are " +
      "possible; leave it out, and send the link of hallpass user invite";
    for (const part of [...parts, "line 5, dora:", tooDear]) assertStringIncludes(output, part);
    assertEquals((await run("export")).output.trim(), "");
  });

  it.withFiles("goes on where it ended, and adds no name or sub twice", async ({ openStore, fileOf }) => {
    const run = openStore("twice");
    const some = [{ name: "ada" }, { name: "bob", sub: "b" }];
    await run("import", fileOf("some.jsonl", some));
    const { output } = await run(
      "import",
      fileOf("all.jsonl", [
        ...some,
        { name: "carol" },
        { name: "carol" },
        { name: "dora", sub: "b" },
        { name: "eve", sub: "new" },
        { name: "fred", sub: "new" },
        { name: "gina", claims: { preferred_username: "ada" } },
      ]),
    );
    assertStringIncludes(output, "Added 2 users; 3 were there already, 3 could not be added.");
    for (const name of ["dora", "fred", "gina"]) {
      assertStringIncludes(output, `The user '${name}' was not added: the `);
    }
  });

  it.withFiles("reads CSV whose first cell is empty", async ({ openStore, fileOf }) => {
    const run = openStore("empty");
    await run("import", fileOf("empty.csv", ["sub,name", ",ada", '"",bob', "c,carol"]));
    const names = (await run("export")).output.trim().split("\n").map((line) => JSON.parse(line));
    assertEquals(names.map(({ name, sub }) => [name, sub]), [
      ["ada", undefined],
      ["bob", undefined],
      ["carol", "c"],
    ]);
  });

  it.withFiles("reads what comes through a pipe, which cannot be read twice", async ({ openStore, folder }) => {
    const path = join(folder, "pipe.jsonl");
    execFileSync("mkfifo", [path]);
    const writing = writeFile(path, '{"name":"ada"}\n{"name":"bob"}\n');
    const { output } = await openStore("pipe")("import", path);
    await writing;
    assertStringIncludes(output, "Added 2 users.");
  });

  it.withFiles("takes no column for a claim that is a password, and no word for disabled but true", async ({ openStore, fileOf }) => {
    const run = openStore("columns");
    const files = [["name,disabled", "ada,TRUE"], ["name,password", "ada,clear"]];
    for (const [at, lines] of files.entries()) {
      assertEquals((await run("import", fileOf(`${at}.csv`, lines))).code, 2, lines.join());
    }
    assertEquals((await run("export")).output.trim(), "");
  });

  it("gives no user of a file a name that another one of it is known by", async () => {
    const { context } = openStrictKit({ users: [], clients: [spa()] }).server;
    const known = { name: "ada", claims: { preferred_username: "bob" } };
    const addMany = createAdministration(context).users.addMany;
    const { added } = await addMany([known, { name: "bob" }]);
    const { added: inReverse } = await addMany([
      { name: "carol" },
      { name: "dora", claims: { preferred_username: "carol" } },
    ]);
    assertEquals([added, inReverse], [1, 1]);
  });

  it("keeps names and subjects of the configuration and of removed users", async () => {
    const kit = openStrictKit({ users: [{ name: "ada", sub: "a" }], clients: [spa()] });
    const { context } = kit.server;
    const admin = createAdministration(context, { by: "root", command: "user remove" });
    await admin.users.add({ name: "old" });
    await admin.users.remove("old");
    const given = [
      { name: "ada" },
      { name: "bob", sub: "a" },
      { name: "carol", sub: "demo-spa" },
      { name: "old" },
    ];
    const { added, problems } = await admin.users.addMany(given);
    assertEquals([added, problems.length], [0, 4], problems.join("\n"));
  });
});
