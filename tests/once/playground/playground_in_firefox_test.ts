import process from "node:process";
import { describePlayground } from "./playground_flows.ts";
import { inFirefox } from "./playground_visit.ts";

// With the variable, `deno task test once/playground` runs all of it, which takes minutes.
describePlayground(inFirefox, { isShort: process.env.HALLPASS_TEST_ALL_IN_FIREFOX === undefined });
