export type { DeviceLifetimes, DevicePages, DevicePaths } from "./config.ts";
export type { DeviceDoneProps, DeviceProps } from "./device.tsx";
export type * from "./languages/words.ts";
