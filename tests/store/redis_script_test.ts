import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import type { RedisConnection } from "../../src/server/store/redis/connection.ts";
import { runScript } from "../../src/server/store/redis/row_access.ts";

const script = { text: "return 1", digest: "e0e1f9fabfc9d4800c877a703b823ac0578ff8db" };

/** A connection whose server responds to the first command with a failure, and to others with 1. */
function failingOnce(cause: unknown) {
  const commands: string[] = [];
  const connection: Pick<RedisConnection, "send"> = {
    send: async (_key, [name = ""]) => {
      commands.push(name);
      if (commands.length === 1) throw cause;
      return 1;
    },
  };
  return { commands, connection: connection as RedisConnection };
}

describe("A script in Redis", () => {
  it("is sent whole to a server that does not know it", async () => {
    const { commands, connection } = failingOnce(new Error("NOSCRIPT No matching script."));
    assertEquals(await runScript(connection, script, ["key"], []), 1);
    assertEquals(commands, ["EVALSHA", "EVAL"]);
  });

  const failures: Array<[what: string, cause: unknown]> = [
    ["another error", new Error("OOM command not allowed")],
    ["an error that only ends in the word", new Error("ERR NOSCRIPT")],
    ["something that is no error", { message: "NOSCRIPT" }],
  ];
  for (const [what, cause] of failures) {
    it(`is not sent again after ${what}`, async () => {
      const { commands, connection } = failingOnce(cause);
      await assertRejects(async () => {
        await runScript(connection, script, ["key"], []).catch((thrown) => {
          assertEquals(thrown, cause);
          throw new Error("rejected");
        });
      });
      assertEquals(commands, ["EVALSHA"]);
    });
  }
});
