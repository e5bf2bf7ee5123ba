import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { patient } from "../../../scripts/trials/directory.ts";
import type { TrialUser } from "../../../scripts/trials/user.ts";
import { eventually } from "../../support/eventually.ts";
import { inFolder } from "../../support/folder.ts";
import { postgresMissing, startPostgres } from "../../support/postgres_server.ts";
import { present } from "../../support/present.ts";
import { redisMissing, startRedisCluster } from "../../support/redis_server.ts";
import type { Tokens } from "../../support/wire.ts";
import { type Node, type Nodes, startNodes, userOf } from "./nodes.ts";

/** A database that many servers share, and that can be restarted. */
interface Engine {
  name: string;
  skip: string | false;
  start(): Promise<{ url: string; kill(): Promise<void>; restart(): Promise<void> }>;
}

const engines: Engine[] = [
  {
    name: "PostgreSQL",
    skip: postgresMissing,
    start: async () => {
      const { url, kill, start } = await startPostgres();
      return { url, kill, restart: start };
    },
  },
  {
    name: "a Redis Cluster",
    skip: redisMissing,
    start: async () => {
      const { url, nodes } = await startRedisCluster();
      return {
        url,
        kill: async () => void await Promise.all(nodes.map(({ kill }) => kill())),
        restart: async () => void await Promise.all(nodes.map(({ start }) => start())),
      };
    },
  },
];

/** How many requests compete for one credential. */
const rivals = 60;

/** Signs in on the nodes in turn, and returns the tokens. */
async function signIn(nodes: readonly Node[]) {
  const user = userOf(nodes);
  const { status, body } = await user.redeem(await user.signIn());
  assertEquals(status, 200);
  return body;
}

/** Sends requests that need the store, until it is stopped, and collects their statuses. */
function startLoad(user: TrialUser) {
  const statuses = new Set<number>();
  let isStopped = false;
  const lines = Array.from({ length: 8 }, async () => {
    while (!isStopped) statuses.add((await user.redeem("any-code")).status);
  });
  return {
    async stop() {
      isStopped = true;
      await Promise.all(lines);
      return statuses;
    },
  };
}

/** Makes the next keys on the command line, and returns those from before. */
async function rotateKeys({ all, command }: Nodes): Promise<string[]> {
  const keys = await userOf(all).keys();
  const { code, output } = await command("key", "rotate");
  assertEquals(code, 0, output);
  return keys;
}

for (const { name, skip, start } of engines) {
  // Outside of the tests, which share them.
  const engine = skip ? undefined : await start();
  const started = engine && await inFolder(async (folder) => {
    const nodes = await startNodes(engine.url, folder);
    return { ...nodes, firstKeys: await rotateKeys(nodes) };
  });
  const { all = [], victim, firstKeys } = started ?? {};

  describe(`Four servers (Deno, Bun, Node and the binary) on ${name}`, () => {
    const anyNode = userOf(all);
    const users = all.map((node) => userOf([node]));
    // The key that was made since then is published by each of them within a minute.
    const isFirst = (key: string) => firstKeys?.includes(key);

    it("share the keys from the first start on", { skip }, async () => {
      for (const keys of await Promise.all(users.map((user) => user.keys()))) {
        assertEquals(keys.filter(isFirst), firstKeys);
      }
    });

    it("serve a flow whose every request goes to another one", { skip }, async () => {
      const { access_token, refresh_token } = await signIn(all);
      for (const { isActive } of users) assert(await isActive(access_token));
      assertEquals((await anyNode.refresh(refresh_token)).status, 200);
    });

    it("redeem a code once, and revoke what was issued when it comes again", { skip }, async () => {
      const code = await anyNode.signIn();
      const answers = await Promise.all(Array.from({ length: rivals }, () => anyNode.redeem(code)));
      const [won, ...others] = answers.filter(({ status }) => status === 200);
      assertEquals(others, []);
      assertEquals(new Set(answers.map(({ status }) => status)), new Set([200, 400]));
      for (const { isActive } of users) {
        assertEquals(await isActive(present(won).body.access_token), false);
      }
      assertEquals((await anyNode.refresh(present(won).body.refresh_token)).status, 400);
    });

    it(
      "rotate a refresh token once, and revoke everything when it comes again",
      { skip },
      async () => {
        const { refresh_token } = await signIn(all);
        const answers = await Promise.all(
          Array.from({ length: rivals }, () => anyNode.refresh(refresh_token)),
        );
        const [won, ...others] = answers.filter(({ status }) => status === 200);
        assertEquals(others, []);
        for (const { isActive } of users) {
          assertEquals(await isActive(present(won).body.access_token), false);
        }
        assertEquals((await anyNode.refresh(present(won).body.refresh_token)).status, 400);
      },
    );

    it("give requests that refresh at once the same successor", { skip }, async () => {
      const user = userOf(all, patient);
      const { refresh_token } = (await user.redeem(await user.signIn())).body;
      const answers = await Promise.all(
        Array.from({ length: rivals }, () => user.refresh(refresh_token)),
      );
      assertEquals(new Set(answers.map(({ status }) => status)), new Set([200]));
      const successors = new Set(answers.map(({ body }) => body.refresh_token));
      assertEquals(successors.size, 1);
      const [successor] = successors;
      assert(successor !== refresh_token);
      for (const { body } of answers) assert(await user.isActive(body.access_token));
      assertEquals((await user.refresh(present(successor))).status, 200);
      // Its successor was used: it is refused, and revokes nothing.
      assertEquals((await user.refresh(refresh_token)).status, 400);
      assert(await user.isActive(present(answers[0]).body.access_token));
    });

    it("serve requests while one of them hangs", { skip }, async () => {
      const [hanging, ...others] = all;
      const waiting = userOf([present(hanging)]).keys();
      present(hanging).program.signal("SIGSTOP");
      for (let n = 0; n < 5; n++) await signIn(others);
      present(hanging).program.signal("SIGCONT");
      assertEquals((await waiting).filter(isFirst), firstKeys);
      await signIn(all);
    });

    it("lose nothing that was acknowledged when one of them is killed", { skip }, async () => {
      const user = userOf([present(victim)]);
      const lines: Tokens[][] = [];
      const refreshOnAndOn = async () => {
        const acknowledged = [(await user.redeem(await anyNode.signIn())).body];
        lines.push(acknowledged);
        while (true) {
          const { refresh_token } = present(acknowledged.at(-1));
          acknowledged.push((await user.refresh(refresh_token)).body);
        }
      };
      const load = Promise.allSettled(Array.from({ length: 8 }, refreshOnAndOn));
      while (lines.flat().length < 60) await new Promise((resolve) => setTimeout(resolve, 5));
      await victim?.program.stop("SIGKILL");
      await load;
      for (const { access_token } of lines.flat()) assert(await anyNode.isActive(access_token));
      for (const line of lines.filter(({ length }) => length > 1)) {
        const { refresh_token } = present(line.at(-2));
        assertEquals((await anyNode.refresh(refresh_token)).status, 400);
      }
    });

    it("answer 503 while the database is away, and recover by themselves", { skip }, async () => {
      const { access_token } = await signIn(all);
      const load = startLoad(anyNode);
      await engine?.kill();
      for (const { redeem } of users) {
        const { status, headers } = await redeem("any-code");
        assertEquals(status, 503);
        assert(Number(headers.get("Retry-After")) > 0);
      }
      await engine?.restart();
      for (const { isActive } of users) {
        await eventually(async () => assert(await isActive(access_token)));
      }
      await eventually(() => signIn(all));
      assertEquals(await load.stop(), new Set([400, 503]));
    });

    it("publish a new key within a minute", { skip }, async () => {
      const limit = 90_000;
      const interval = 1000;
      await eventually(
        async () => {
          const published = await Promise.all(users.map((user) => user.keys()));
          for (const keys of published) assert(keys.length > present(firstKeys).length);
        },
        limit,
        interval,
      );
    });

    it("stop when they are asked to", { skip }, async () => {
      assertEquals(await started?.stop(), all.map(() => 0));
    });
  });
}
