import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { decodeJwt } from "jose";
import {
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, it } from "node:test";
import {
  hallpass,
  type HallpassOptions,
  LabError,
  type TokenFileOptions,
} from "../../src/lab/testing/mod.ts";

let folder = "";
const segments = { namespace: "shop", name: "checkout" };
const open = (options: HallpassOptions = {}) => hallpass({ provider: "kubernetes", ...options });
const at = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(at(name), "utf8");

/** What a token never takes the place of. */
const otherThings = {
  link: "There is a link at",
  dangling: "There is a link at",
  large: "holds no token",
  theirs: "holds no token",
  "": "holds no token",
};

describe("The token file of a lab", () => {
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "hallpass-token-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it("has a token for the account and the audience, which only its owner reads", async () => {
    await using lab = await open();
    const file = await lab.tokenFile(at("token"), { segments, audience: "api", lifetime: "10m" });
    const { aud, exp = 0, iat = 0, sub } = decodeJwt(read("token"));
    assertEquals([aud, exp - iat], [["api"], 600]);
    assertEquals(sub, "system:serviceaccount:shop:checkout");
    assertEquals(await file.current(), read("token"));
    assertEquals(statSync(at("token")).mode & 0o777, 0o600);
    assertEquals(readdirSync(folder).sort(), ["token"]);
  });

  it("follows no link that somebody put beside it", async () => {
    await using lab = await open();
    writeFileSync(at("theirs"), "kept", { mode: 0o644 });
    symlinkSync(at("theirs"), at("token.next"));
    await lab.tokenFile(at("token"), { segments });
    assertEquals(read("theirs"), "kept");
    assertEquals(statSync(at("token")).mode & 0o777, 0o600);
  });

  it("removes no other file beside it", async () => {
    await using lab = await open();
    writeFileSync(at("token.next"), "kept");
    await lab.tokenFile(at("token"), { segments });
    assertEquals(read("token.next"), "kept");
    assertEquals(readdirSync(folder).sort(), ["token", "token.next"]);
  });

  it("is bound to a pod if the request says so", async () => {
    await using lab = await open();
    const body = { spec: { boundObjectRef: { kind: "Pod", name: "checkout-1" } } };
    await lab.tokenFile(at("token"), { segments, body, lifetime: 3607 });
    const { "kubernetes.io": about } = decodeJwt(read("token")) as Record<string, unknown>;
    const { pod, warnafter } = about as { pod: { name: string }; warnafter: number };
    assertEquals([pod.name, typeof warnafter], ["checkout-1", "number"]);
  });

  it("is rewritten when 80 % of its life is over, by the clock of the lab", async () => {
    await using lab = await open();
    lab.clock.freeze();
    const file = await lab.tokenFile(at("token"), { segments, lifetime: "10m" });
    const first = read("token");
    lab.clock.advance("479s");
    assertEquals(await file.current(), first);
    lab.clock.advance("1s");
    assertNotEquals(await file.current(), first);
    assertEquals(read("token"), await file.current());
    assertEquals(decodeJwt(read("token")).iat, Math.floor(lab.clock.now() / 1000));
  });

  it("is rewritten without anyone who asks for it", async () => {
    await using lab = await open();
    lab.clock.freeze();
    await lab.tokenFile(at("token"), { segments });
    const first = read("token");
    lab.clock.advance("48m");
    for (let turn = 0; turn < 500 && read("token") === first; turn++) {
      await new Promise((resolve) => setTimeout(resolve));
    }
    assertNotEquals(read("token"), first);
    assertEquals(lab.requests().length, 2);
  });

  it("is rewritten after a day at the latest, and if the clock is set back", async () => {
    await using lab = await open();
    lab.clock.freeze();
    const file = await lab.tokenFile(at("token"), { segments, lifetime: "90d" });
    const first = await file.current();
    lab.clock.advance("1d");
    const second = await file.current();
    lab.clock.advance("-2d");
    const third = await file.current();
    assertEquals(new Set([first, second, third]).size, 3);
  });

  it("keeps its token if a later request fails, and tries again", async () => {
    await using lab = await open();
    lab.clock.freeze();
    const file = await lab.tokenFile(at("token"), { segments });
    const first = read("token");
    const hook = lab.on("response", (draft) => void (draft.status = 503));
    lab.clock.advance("48m");
    assertEquals([await file.current(), read("token")], [first, first]);
    lab.clock.advance("12m");
    await assertRejects(() => file.current(), LabError, "The lab gave no token for the file: 503");
    hook.remove();
    assertNotEquals(await file.current(), first);
  });

  it("is removed when the lab is closed, or earlier", async () => {
    const lab = await open();
    await lab.tokenFile(at("one"), { segments });
    const two = await lab.tokenFile(at("two"), { segments });
    two.remove();
    assertEquals(readdirSync(folder).sort(), ["one"]);
    {
      using _ = await lab.tokenFile(at("three"), { segments });
    }
    assertEquals(readdirSync(folder).sort(), ["one"]);
    await lab.close();
    assertEquals(readdirSync(folder).sort(), []);
  });

  it("has the token of a job as well", async () => {
    await using lab = await open({ provider: "github-actions" });
    await lab.tokenFile(at("token"), { audience: "vault" });
    assertEquals(decodeJwt(read("token")).aud, "vault");
  });

  it("takes the place of a token that an earlier lab left, and of no other file", async () => {
    const left = await open();
    await left.tokenFile(at("token"), { segments });
    const token = read("token");
    await left.close();
    writeFileSync(at("token"), token);
    writeFileSync(at("notes"), "mine");
    await using lab = await open();
    await lab.tokenFile(at("token"), { segments });
    assertNotEquals(read("token"), token);
    await assertRejects(
      () => lab.tokenFile(at("notes"), { segments }),
      LabError,
      "that holds no token",
    );
    assertEquals(read("notes"), "mine");
  });

  const refusals: Array<[options: HallpassOptions, file: TokenFileOptions, message: string]> = [
    [{ provider: undefined }, {}, "This lab issues no tokens to programs."],
    [{ provider: "google" }, {}, "This lab issues no tokens to programs."],
    [{}, { lifetime: "5m" }, "may not specify a duration less than 10 minutes"],
    [{}, { lifetime: "soon" as never }, "'soon' is not a valid duration for 'lifetime'."],
    [{ provider: "github-actions" }, { lifetime: "5m" }, "names no lifetime here"],
    [{}, { body: { kind: "Pod" } }, "kind: Unsupported value"],
  ];
  for (const [options, file, message] of refusals) {
    it(`is refused: ${JSON.stringify([options, file])}`, async () => {
      await using lab = await open(options);
      await assertRejects(() => lab.tokenFile(at("token"), file), LabError, message);
      assertEquals(readdirSync(folder).sort(), []);
    });
  }

  it("is no link, no folder and no large file, which stay as they are", async () => {
    await using lab = await open();
    writeFileSync(at("theirs"), (await lab.tokenFile(at("token"), { segments })).path);
    symlinkSync(at("token"), at("link"));
    symlinkSync(at("nowhere"), at("dangling"));
    writeFileSync(at("large"), read("token").padEnd(100_000));
    for (const [name, message] of Object.entries(otherThings)) {
      await assertRejects(() => lab.tokenFile(at(name), { segments }), LabError, message);
    }
    assertEquals(readdirSync(folder).sort(), ["dangling", "large", "link", "theirs", "token"]);
    assertEquals(readlinkSync(at("link")), at("token"));
  });

  it("is no file of another user, even if that holds a token", async (context) => {
    if (process.getuid?.() !== 0) return context.skip("only root can give a file away");
    await using lab = await open();
    writeFileSync(at("token"), (await lab.tokenFile(at("own"), { segments })) && read("own"));
    chownSync(at("token"), 65534, 65534);
    const refused = () => lab.tokenFile(at("token"), { segments });
    await assertRejects(refused, LabError, "belongs to another user");
    assertEquals([statSync(at("token")).uid, readdirSync(folder).sort()], [65534, [
      "own",
      "token",
    ]]);
  });

  it("says why it cannot be written", async () => {
    await using lab = await open();
    const error = await assertRejects(() => lab.tokenFile(at("no/such/token"), { segments }));
    assert(String(error).includes("Cannot write the token to '"));
  });
});
