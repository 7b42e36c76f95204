import type { Locator } from '@playwright/test';
import { expect } from '../browser.ts';

/** Sends a form again whose point was filled in, after checking that it shows where it is. */
export async function sendAgain(form: Locator, button: string): Promise<void> {
  await expect(form.getByText('This is where you are now.')).toBeVisible();
  await expect(
    form
      .getByRole('status')
      .filter({ hasText: /-?\d+\.\d{5}, -?\d+\.\d{5}/ })
      .first(),
  ).toBeVisible();
  await form.getByRole('button', { name: button }).click();
}

/** Sends a form without a point: it fills in where the device is, and sends it once its owner has seen it. */
export async function sendHere(form: Locator, button: string): Promise<void> {
  await form.getByRole('button', { name: button }).click();
  await sendAgain(form, button);
}
