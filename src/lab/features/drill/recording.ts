/** A drill has tried one variant more, or has ended. */
export type DrillEvent = { type: "drill.advanced"; state: string; done: number; total: number };
