import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext } from '@playwright/test';
import { CHROMIUM_FLAGS, findChromium } from '../../scripts/test/chromium.ts';
import { openBare, type BareBrowser } from './cdp-browser.ts';

/** A browser with its own profile on disk, which can be closed and opened again like a phone's. */
export interface Phone {
  /** The origin of Leashwise, without a slash at the end. */
  origin: string;
  /** Starts the browser. */
  open(): Promise<BrowserContext>;
  /** Starts it for measuring: without Playwright. */
  openBare(): Promise<BareBrowser>;
  /** Removes the profile. */
  forget(): Promise<void>;
}

const VIEWPORT = { width: 360, height: 740 };

export async function newPhone(origin: string): Promise<Phone> {
  const profile = await mkdtemp(join(tmpdir(), 'leashwise-phone-'));
  return {
    origin,
    openBare: () => openBare(profile, VIEWPORT),
    open: () =>
      chromium.launchPersistentContext(profile, {
        executablePath: findChromium(process.env),
        args: CHROMIUM_FLAGS,
        baseURL: origin,
        viewport: VIEWPORT,
      }),
    forget: () => rm(profile, { recursive: true, force: true }),
  };
}
