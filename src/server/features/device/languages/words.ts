/** The texts of the pages of the device flow. */
export interface DeviceFlowWords {
  /** The page on which a user enters the code of a device. */
  device: DeviceWords;
  /** What the page adds on which a user allows or denies the request of a device. */
  deviceConsent: Record<"caution", string>;
  /** The page that sends a user back to the device. */
  deviceDone: DeviceDoneWords;
}

/** Texts of the page on which a user enters the code of a device. */
export type DeviceWords = Record<
  "title" | "enterCode" | "sameCode" | "caution" | "failed" | "code" | "confirm",
  string
>;

/** Texts of the page that sends a user back to the device. */
export type DeviceDoneWords = Record<
  "allowed" | "continues" | "goBack" | "denied" | "noAccess" | "close",
  string
>;
