import type { Page } from '@playwright/test';
import { expect, test } from '../../browser.ts';
import { addDog, dogRow, untilSaved } from '../../my-dogs.ts';

/** What happens to an open page. @returns how to undo it */
const CASES = {
  'goes on': async () => async () => {},
  'is frozen': async (page: Page) => {
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setWebLifecycleState', { state: 'frozen' });
    return () => session.send('Page.setWebLifecycleState', { state: 'active' });
  },
};

for (const [what, happen] of Object.entries(CASES))
  test(`a tab that ${what} while a newer version upgrades the database has all afterwards, and saves`, async ({
    owner,
    device,
  }) => {
    const phone = await owner({ name: 'Kim' });
    const tablet = await device(phone);
    const { page, context } = phone;
    await page.goto('/home');
    await untilSaved(page);
    const undo = await happen(page);
    const newer = await context.newPage();
    await newer.goto('/robots.txt');
    const opened = newer.evaluate(
      (name) =>
        new Promise<string>((resolve) => {
          const request = indexedDB.open(name, 99);
          request.onupgradeneeded = () => request.result.createObjectStore('tomorrow');
          request.onsuccess = () => {
            request.result.close();
            resolve('open');
          };
          request.onblocked = () => setTimeout(() => resolve('blocked'), 3_000);
        }),
      `leashwise-${phone.user.id}`,
    );
    expect(await opened).toBe('open');
    await tablet.page.goto('/home');
    await addDog(tablet.page, { name: 'Rex', sound_type: 'leash_on' });
    await untilSaved(tablet.page);
    await undo();
    await expect(dogRow(page, 'Rex')).toBeVisible();
    await addDog(page, { name: 'Lou', sound_type: 'leash_on' });
    await untilSaved(page);
    await expect(dogRow(tablet.page, 'Lou')).toBeVisible();
    await page.reload();
    await expect(dogRow(page, 'Lou')).toBeVisible();
    await untilSaved(page);
  });
