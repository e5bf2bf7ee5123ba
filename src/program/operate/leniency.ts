/** A setting that makes the server less strict than its defaults. */
export interface Leniency {
  /** The setting: "refreshReuseGrace", "client web: pkce". */
  setting: string;
  /** What it does, as the rest of a sentence: "may be left out". */
  effect: string;
  /** The section that requires strictness. */
  see: string;
}

export interface LeniencySwitch extends Leniency {
  isOn: boolean;
}
