/** A setting that makes the server less strict than its defaults. */
export interface Leniency {
  /** The setting: "refreshReuseGrace", "client web: pkce". */
  what: string;
  /** What it does, as the rest of a sentence: "may be left out". */
  means: string;
  /** The section that requires strictness. */
  see: string;
}

/** A leniency that may be switched off. */
export type LeniencySwitch = [what: string, isOn: boolean, means: string, see: string];
