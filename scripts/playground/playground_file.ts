/** A file of the playground, below its folder. */
export interface PlaygroundFile {
  path: string;
  content: string;
}

/** How every script and style is made. */
export const forBrowsers = {
  platform: "browser",
  target: "es2022",
  minify: true,
  legalComments: "none",
  charset: "utf8",
} as const;
