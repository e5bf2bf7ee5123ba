import type { VNode } from "preact";
import type { SharedSettings } from "../../control/tenant_operations.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { Operation } from "../../core/operation.ts";
import type { MakeCommand } from "../../flows/curl.ts";
import type { Exchange } from "../../recording/exchange.ts";
import type { PlacedEntry } from "../../util/lists.ts";
import type { FixPlace, OfferedFix } from "../parts/fix.tsx";
import type { AdditionPlace, LabPageCall, LabPageRoute, PageAddition } from "./lab_page.ts";

/** What a feature has over HTTP. It is loaded with the first request for any of it. */
export interface FeatureInterface<Members extends object = object> {
  readonly operations?: ReadonlyArray<Operation<Members>>;
  readonly pages?: LaterPages<Members>;
  /** Its entry in the top bar. */
  readonly area?: LabArea<Members>;
  /** What it adds to other pages, at places that these name. */
  readonly additions?: Readonly<Partial<Record<AdditionPlace, PageAddition>>>;
  /** Returns what it can do about the last refused request of some. */
  readonly offerFix?: (
    lab: CoreLab & Members,
    exchanges: readonly Exchange[],
    place: FixPlace,
  ) => OfferedFix | undefined;
  /** The pages that it adds to those of the server, which stay there on a port of their own. */
  readonly frontPages?: ReadonlyArray<LabPageRoute<Members>>;
  /** Shows on the home page what a whole lab is a part of. */
  readonly homeSection?: (lab: CoreLab, call: LabPageCall) => Promise<VNode | undefined>;
  /** Returns the commands that try a client without a browser on its device. */
  readonly clientCommands?: MakeCommand;
  /** What a tenant shares that was opened over HTTP. */
  readonly sharedSettings?: SharedSettings;
}

/** Pages whose code loads with the first request for one of them. */
export interface LaterPages<Members extends object = object> {
  /**
   * The first segments of their paths: another page is found without loading these.
   *
   * @default any
   */
  readonly below?: readonly string[];
  load(): Promise<ReadonlyArray<LabPageRoute<Members>>>;
}

/** An entry of the top bar. The name is the first segment of the paths of its pages. */
export interface LabArea<Members extends object = object> extends PlacedEntry {
  label: string;
  /** Returns how much there is to see. */
  readonly count?: (lab: CoreLab & Members) => number;
}
