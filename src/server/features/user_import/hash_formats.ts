import { maxIterations } from "../../config/passwords.ts";
import { encodeBase64url, encodeUtf8 } from "../../util/bytes/encoding.ts";
import { equalInConstantTime } from "../../util/crypto/hash.ts";

/** A way to hash passwords, in the format of a program. */
export interface Hashing {
  /** What it is called, with what verifies it. */
  name: string;
  pattern: RegExp;
  /** Returns why a hash of this pattern cannot be verified. */
  problem?(hash: string): string | undefined;
  /** Undefined if this runtime cannot. */
  verify: ((password: string, hash: string) => Promise<boolean>) | undefined;
}

/** Measured: the next cost takes more than four times as long as a hash of our own. */
const maxBcryptCost = 12;
/** The memory in KiB of one pass, the passes, and how many run in parallel. */
const maxArgon2 = { m: 2 ** 18, t: 20, p: 16 };

/** The parts of `node:crypto` and of Bun that verify what Web Crypto cannot. */
interface Runtime {
  Bun?: { password: { verify(password: string, hash: string): Promise<boolean> } };
  process?: { getBuiltinModule?(name: "crypto"): { argon2?: Argon2 } };
}

type Argon2 = (
  algorithm: string,
  parameters: Record<string, number | Uint8Array>,
  done: (cause: Error | null, tag: Uint8Array) => void,
) => void;

const { Bun: bun, process: ownProcess } = globalThis as Runtime;
const onBun = bun?.password.verify.bind(bun.password);
const argon2 = ownProcess?.getBuiltinModule?.("crypto").argon2;

/** Each algorithm has names of its own in these formats. It takes as long as so many SHA-256. */
const hashNames: Readonly<Record<string, [name: string, cost: number]>> = {
  "": ["SHA-1", 2],
  "1": ["SHA-1", 2],
  "256": ["SHA-256", 1],
  "512": ["SHA-512", 3],
};

// Each hash has at least 16 bytes: of one that was cut off, many passwords would be right, and of no
// bytes, all of them.
const hashings: readonly Hashing[] = [
  // Our own, which another hashing of passwords replaces, or which has too many iterations.
  pbkdf2("hallpass", /^pbkdf2-sha(256)\$(\d+)\$([\w-]{22,})\$([\w-]{43})$/, decodeBase64),
  // The algorithm, the iterations, the salt as text, and the hash in Base64.
  pbkdf2("Django", /^pbkdf2_sha(1|256)\$(\d+)\$([^$]+)\$([A-Za-z0-9+/]{22,}=*)$/, encodeUtf8),
  // Base64 with dots instead of plus signs.
  pbkdf2(
    "passlib",
    /^\$pbkdf2(?:-sha)?(256|512|)\$(\d+)\$([A-Za-z0-9./]+)\$([A-Za-z0-9./]{22,})$/,
    decodeBase64,
  ),
  pbkdf2(
    "Werkzeug",
    /^pbkdf2:sha(1|256|512):(\d+)\$([^$]+)\$((?:[0-9a-f]{2}){16,})$/,
    encodeUtf8,
    decodeHex,
  ),
  {
    name: "bcrypt, which only Bun verifies",
    pattern: /^\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}$/,
    problem(hash) {
      const cost = Number(hash.slice(4, 6));
      return rangeProblem(cost, [4, maxBcryptCost], `a cost of ${cost}`);
    },
    // The letter marks mistakes of old versions, in passwords that no one has.
    verify: onBun && ((password, hash) => onBun(password, hash.replace(/^\$2[axy]/, "$2b"))),
  },
  {
    name: "argon2, which only Node from 24.7 and Bun verify",
    pattern: /^\$argon2(?:id|i|d)\$v=19\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]{22,}$/,
    problem(hash) {
      const { m, t, p } = readArgon2Costs(hash);
      return rangeProblem(p, [1, maxArgon2.p], `p=${p}`) ??
        rangeProblem(t, [1, maxArgon2.t], `t=${t}`) ??
        rangeProblem(m, [8 * p, Math.floor(maxArgon2.m / t)], `m=${m}`);
    },
    verify: argon2 ? verifyArgon2 : onBun,
  },
];

/** Finds how a password was hashed by another program, even if this runtime cannot verify it. */
export function findHashing(hash: string): Hashing | undefined {
  return hashings.find(({ pattern }) => pattern.test(hash));
}

/** Returns why the hash of another program cannot be imported, or undefined. */
export function importedHashProblem(hash: string): string | undefined {
  const hashing = findHashing(hash);
  if (!hashing) return "is in no format that this server knows: see hallpass user import --help";
  if (hashing.verify) return hashing.problem?.(hash);
  return `was made by ${hashing.name}: import it there, where the server has to run as well`;
}

function pbkdf2(
  program: string,
  pattern: RegExp,
  readSalt: (text: string) => Uint8Array,
  readHash = decodeBase64,
): Hashing {
  const problem = (text: string): string | undefined => {
    const [, hash = "", iterations] = pattern.exec(text) ?? [];
    const [, cost = 1] = hashNames[hash] ?? [];
    const count = Number(iterations);
    return rangeProblem(count, [1, maxIterations / cost], `${count} iterations`);
  };
  return {
    name: `PBKDF2 in the format of ${program}`,
    pattern,
    problem,
    async verify(password, text) {
      const [, hash = "", count, salt = "", expected = ""] = pattern.exec(text) ?? [];
      const key = await crypto.subtle
        .importKey("raw", encodeUtf8(password), "PBKDF2", false, ["deriveBits"]);
      const bytes = readHash(expected);
      const parameters = {
        name: "PBKDF2",
        hash: hashNames[hash]?.[0] ?? "SHA-256",
        salt: Uint8Array.from(readSalt(salt)),
        iterations: Number(count),
      };
      const bits = await crypto.subtle.deriveBits(parameters, key, bytes.length * 8);
      return isSame(new Uint8Array(bits), bytes);
    },
  };
}

async function verifyArgon2(password: string, text: string): Promise<boolean> {
  const [, algorithm = "", , , salt = "", expected = ""] = text.split("$");
  const { m: memory, t: passes, p: parallelism } = readArgon2Costs(text);
  const bytes = decodeBase64(expected);
  const parameters = {
    message: encodeUtf8(password),
    nonce: decodeBase64(salt),
    ...{ memory, passes, parallelism, tagLength: bytes.length },
  };
  const tag = await new Promise<Uint8Array>((resolve, reject) =>
    argon2?.(algorithm, parameters, (cause, made) => cause ? reject(cause) : resolve(made))
  );
  return isSame(new Uint8Array(tag), bytes);
}

function readArgon2Costs(hash: string): { m: number; t: number; p: number } {
  const [m = 0, t = 0, p = 0] = hash.match(/(?<=[mtp]=)\d+/g)?.map(Number) ?? [];
  return { m, t, p };
}

function rangeProblem(
  cost: number,
  [min, max]: readonly [number, number],
  described: string,
): string | undefined {
  if (cost >= min && cost <= max) return undefined;
  return `has ${described}, and ${min} to ${max} are possible; leave it out, and send the link of ` +
    "hallpass user invite";
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return equalInConstantTime(encodeBase64url(one), encodeBase64url(other));
}

/** Reads Base64 and base64url, with or without padding. passlib writes a dot instead of "+". */
function decodeBase64(text: string): Uint8Array {
  const plain = text.replace(/[.-]/g, "+").replaceAll("_", "/");
  return Uint8Array.from(atob(plain), (character) => character.charCodeAt(0));
}

function decodeHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16));
}
