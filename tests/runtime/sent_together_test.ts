import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createDrainableHandler } from "../../src/runtime/drainable.ts";
import { endOfTurn } from "../../src/runtime/turn.ts";

/** Lets promises resolve, but ends no turn of the event loop. */
async function aFewSteps(): Promise<void> {
  for (let step = 0; step < 10; step++) await Promise.resolve();
}

describe("The responses of one turn of the event loop", () => {
  it("are sent together at its end, but for the first one", async () => {
    const response = { status: 200, headers: [], body: null };
    const { respond } = createDrainableHandler(() => Promise.resolve(response));
    const sent: string[] = [];
    const send = async (name: string) => {
      await respond(new Request("http://localhost"), {});
      sent.push(name);
    };

    const responses = [send("first"), send("second"), send("third")];
    await aFewSteps();
    assertEquals(sent, ["first"]);
    await Promise.all(responses);
    assertEquals(sent, ["first", "second", "third"]);

    await endOfTurn();
    responses.push(send("of the next turn"));
    await aFewSteps();
    assertEquals(sent.at(-1), "of the next turn");
  });
});
