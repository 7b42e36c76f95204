/** The one screen that is drawn before the app, as `pathname + search`. */
export const SCREEN = '/social?tab=chat';

/** Its name among what is kept for a user (`client/local-cache.ts`). */
export const SNAPSHOT = 'screen';

export interface Snapshot {
  /** The build that drew it: another one may look different. */
  build: string;
  /** The frame of the screen and the list with one row, as HTML. All that is said of friends is filled in anew. */
  html: string;
  /** The size of the device's screen then, as `screenSize` tells it. */
  screen: string;
  /** How many rows began above the lower edge of a window as high as that. */
  inView: number;
  /** The height of a row, in CSS px, on average: between two there is a line. */
  rowPx: number;
  /** The day on which `times` hold, as `dayNumber` counts them. */
  day: number;
  /** Words for times in ISO 8601. To make a format for them takes longer than all else of the drawing. */
  times: Record<string, string>;
}

/** Where the app begins (`scripts/first-script.ts`). The names have the hash of all that they name. */
export const appFiles = (): string =>
  document.querySelector<HTMLElement>('script[data-app]')?.dataset['app'] ?? '';

/** The window's size is not known yet when the script runs, and that of what it shows would have the page laid out. */
export const screenSize = (): string => `${screen.width}x${screen.height}`;
