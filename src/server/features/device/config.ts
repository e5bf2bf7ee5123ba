import { settingsPart } from "../../config/feature_config.ts";
import type { Page } from "../../pages/frame.tsx";
import { lazyModule } from "../../util/lazy_module.ts";
import type { Duration } from "../../util/time/duration.ts";
import type { DeviceDoneProps, DeviceProps } from "./device.tsx";
import settings from "./settings.json" with { type: "json" };

/** The paths of the device flow. */
export interface DevicePaths {
  /**
   * The device authorization endpoint.
   *
   * @format endpoint-path
   * @default "/oauth2/device_authorization"
   */
  deviceAuthorization?: string;
  /**
   * The page where users enter the code of a device.
   *
   * @format endpoint-path
   * @default "/device"
   */
  device?: string;
}

/** How long the codes of the device flow last. */
export interface DeviceLifetimes {
  /**
   * The time that a user has to enter the user code of a device.
   *
   * @minimum 1m
   * @maximum 1h
   * @default "10m"
   */
  deviceCode?: Duration;
}

/** The pages of the device flow. */
export interface DevicePages {
  /** Asks for the code that a device shows. */
  device(props: DeviceProps): Page | Promise<Page>;
  /** Sends a user back to the device. */
  deviceDone(props: DeviceDoneProps): Page | Promise<Page>;
}

const { Device, DeviceDone } = lazyModule(() => import("./device.tsx"));

const ourPages: DevicePages = { device: Device, deviceDone: DeviceDone };

export const devicePaths = settingsPart<Required<DevicePaths>>(settings.DevicePaths);

/** In seconds. */
export const deviceLifetimes = settingsPart<Record<keyof DeviceLifetimes, number>>(
  settings.DeviceLifetimes,
);

export const devicePages = settingsPart<DevicePages>(settings.DevicePages, ourPages);
