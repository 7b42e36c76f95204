import { onPath } from '../stack/programs.ts';

/** Without profiles and windows, it needs a third less CPU than Chromium. */
const HEADLESS_SHELL = 'chromium-headless-shell';

const NAMES = [
  HEADLESS_SHELL,
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/**
 * Disables pages that Chromium loads for the address bar of each context, which takes half a second of CPU. A browser
 * uses only its last list of features, so the relevant ones of Playwright's are repeated.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
];

/** How tests and benches start it: quiet, without a screen, and able to run as root. */
export const CHROMIUM_FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED_FEATURES.join()}`,
];

/** Returns the browser for tests: CHROMIUM_PATH, or the system's. */
export function findChromium(env: NodeJS.ProcessEnv): string | undefined {
  if (env['CHROMIUM_PATH']) return env['CHROMIUM_PATH'];
  for (const name of NAMES) {
    const path = onPath(name, env);
    if (path) return path;
  }
  return undefined;
}

/** Returns whether the browser for tests is the fastest one, or one that was chosen. */
export const hasHeadlessShell = (env: NodeJS.ProcessEnv): boolean =>
  Boolean(env['CHROMIUM_PATH'] || onPath(HEADLESS_SHELL, env));

/** The packages that the browser tests need. */
export const CHROMIUM_PACKAGES = [HEADLESS_SHELL, 'fonts-liberation'];
