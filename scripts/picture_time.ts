/** The time of the lab in the pictures of the README: it stands still, so that they stay the same. */
export const pictureTime: number = Date.UTC(2026, 0, 1, 12);
