import { assertEquals } from "@std/assert";
import process from "node:process";
import { describe, it } from "node:test";
import { startCommand } from "../../../src/program/processes/child_process.ts";
import { catchSignals } from "../../../src/program/processes/process_groups.ts";

const skip = process.platform === "win32" && "Windows ends processes in another way";

describe("catchSignals", () => {
  it("passes on a signal that came before the command was started", { skip }, async () => {
    const { PATH } = process.env;
    const signals = catchSignals();
    try {
      const caught = new Promise((resolve) => process.once("SIGHUP", resolve));
      // What sends it keeps the process waiting.
      const sender = await startCommand(["sh", "-c", "kill -HUP $PPID; sleep 0.1"], { PATH });
      await Promise.all([caught, sender.ended]);
      const command = await startCommand(["sleep", "60"], { PATH });
      signals.to(command);
      assertEquals(await command.ended, { code: null, signal: "SIGHUP" });
    } finally {
      signals.end();
    }
  });
});
