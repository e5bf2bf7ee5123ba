import { demoClients } from "../../src/lab/demo/demo_clients.ts";

/** The ids of the demo clients, in the order of messages. A grant that was deleted leaves some out. */
export const demoClientIds: readonly string[] = demoClients({ issuer: "https://hallpass.test" }, [])
  .map(({ id }) => id);
