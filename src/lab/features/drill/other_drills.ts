import type { CoreLab } from "../../core/core_lab.ts";
import { apiDrillCall } from "../api_drill/drill.ts";

/** What `POST /drill` may run in place of a login. */
export interface OtherDrill {
  /** The member of the body that asks for it. */
  readonly member: string;
  /** The interface of the response. */
  readonly returns: string;
  readonly run: (lab: CoreLab, value: unknown, format: string) => Promise<unknown>;
}

export const otherDrills: readonly OtherDrill[] = [
  apiDrillCall,
];
