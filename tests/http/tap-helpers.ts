import type { Page } from '@playwright/test';

/** Waits until an alert that has just appeared accepts taps (client/features/alerts/use-tap-guard.ts). */
export const waitForTapGuard = (page: Page): Promise<void> => page.waitForTimeout(500);
