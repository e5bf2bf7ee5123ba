// The pages of the device flow. They load together, with the first of them.

export { Device } from "./device.tsx";
export { DeviceDone } from "./device_done.tsx";
