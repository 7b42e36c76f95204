/** Runs in the page: it may use nothing from outside but its arguments, which are JSON. */
export type InPage<A extends unknown[], T> = (...args: A) => T | Promise<T>;

/** A script for the page with its arguments. */
export interface Script {
  source: string;
  args: unknown[];
}

/** What an engine has to be able to do with the page of a device; `tab.ts` builds all actions on it. */
export interface Driver {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Runs a script and returns its answer, which is JSON. */
  run(script: Script): Promise<unknown>;
  /** Clicks the element that the script returns, as a person does. @returns false if it returns null */
  click(script: Script): Promise<boolean>;
  /** Types into the element that the script returns. @returns false if it returns null */
  type(script: Script, text: string): Promise<boolean>;
  /** Chooses a file for the file field that the script returns. @returns false if it returns null */
  choose(script: Script, path: string): Promise<boolean>;
  /** A PNG of what is on the screen. */
  screenshot(): Promise<Buffer>;
  /** Ends the browser. */
  close(): Promise<void>;
}

/** A browser engine. */
export interface Engine {
  name: 'WebKit' | 'Firefox' | 'Chromium';
  /** Debian's packages that are missing on this machine. */
  missing(): string[];
  /** Starts a browser with a new, empty profile, in the size of a phone. */
  open(): Promise<Driver>;
}

/** The size of the window of all engines, in CSS pixels. */
export const PHONE = { width: 390, height: 844 };
