import process from "node:process";
import { describePlayground } from "./playground_flows.ts";
import { inFirefox } from "./playground_visit.ts";

// `deno task suites firefox` runs all of it, which takes minutes.
describePlayground(inFirefox, { isShort: process.env.HALLPASS_TEST_ALL_IN_FIREFOX === undefined });
