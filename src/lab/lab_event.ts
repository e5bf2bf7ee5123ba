/** What happens in a lab and in no other server; told beside the events of the server in it. */
export type LabEvent =
  | { type: "fault.fired"; fault: string; method: string; path: string; client?: string }
  | { type: "clock.moved"; now: string; frozen: boolean };
