/** A finding. A problem stops clients; a note may. */
export interface Diagnosis {
  level: "ok" | "note" | "problem";
  message: string;
}
