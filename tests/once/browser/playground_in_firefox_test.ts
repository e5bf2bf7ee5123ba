import { describePlayground } from "./playground_flows.ts";
import { inFirefox } from "./playground_visit.ts";

describePlayground(inFirefox);
